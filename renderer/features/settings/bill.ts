import { z } from 'zod';

/** What of the bill of materials (CycloneDX) the page shows. */
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
  /** Of the program. */
  version: string;
  /** By name. */
  parts: Part[];
}

export const billAddress = '/sbom.cdx.json';

/** Throws where it is not a bill. */
export function readBill(json: unknown): Bill {
  const { metadata, components } = bill.parse(json);
  const parts = components.map(({ name, version, licenses = [] }) => ({
    name,
    version,
    licence: licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '').join(', '),
  }));
  return { version: metadata.component.version, parts: parts.sort((a, b) => a.name.localeCompare(b.name)) };
}
