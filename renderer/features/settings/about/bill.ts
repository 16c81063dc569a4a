import { z } from 'zod';

/** The part of the bill of materials (CycloneDX) that the page shows. */
const bill = z.object({
  metadata: z.object({ component: z.object({ version: z.string() }) }),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      licenses: z
        .array(
          z.object({
            license: z.object({ id: z.string().optional(), name: z.string().optional() }).optional(),
            expression: z.string().optional(),
          }),
        )
        .optional(),
    }),
  ),
});

interface Part {
  name: string;
  version: string;
  licence: string;
}

export interface Bill {
  /** Version of the program. */
  version: string;
  /** Sorted by name. */
  parts: Part[];
}

export const billAddress = '/sbom.cdx.json';

/** Throws when it is not a bill of materials. */
export function readBill(json: unknown): Bill {
  const { metadata, components } = bill.parse(json);
  const parts = components.map(({ name, version, licenses = [] }) => ({
    name,
    version,
    licence: licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '').join(', '),
  }));
  return { version: metadata.component.version, parts: parts.sort((a, b) => a.name.localeCompare(b.name)) };
}
