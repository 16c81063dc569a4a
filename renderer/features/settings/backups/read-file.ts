import { z } from 'zod';

/** Why a file cannot be taken: it is none of this kind, or made by a newer version of the program. */
export type FileFault = 'unreadable' | 'newer';

interface FileSchema<Content> extends z.ZodType<Content> {
  shape: { format: z.ZodLiteral<string>; version: z.ZodLiteral<number> };
}

/** The content of an exported file by its schema, or why there is none. */
export function readFile<Content>(
  schema: FileSchema<Content>,
  text: string,
): { content: Content; fault: null } | { content: null; fault: FileFault } {
  const sent = jsonOrNull(text);
  const read = schema.safeParse(sent);
  if (read.success) return { content: read.data, fault: null };
  const { format, version } = schema.shape;
  const head = z.object({ format, version: z.number().gt(version.value) });
  return { content: null, fault: head.safeParse(sent).success ? 'newer' : 'unreadable' };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
