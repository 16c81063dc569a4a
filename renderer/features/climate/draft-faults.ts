import type { z } from 'zod';
import { climateFaults } from '../../../server/contract/climate.ts';
import { climateFaultMessages, type ClimateFaultCode } from '../../../server/contract/climate-fault.ts';
import { climateProgram, type Climate } from '../../../server/contract/climate-settings.ts';
import type { FieldError } from '../../../server/contract/errors.ts';

/** A fault at a path of a draft: a number missing or out of range, or a fault that the contract finds in the whole. */
export interface DraftFault {
  path: string;
  code: ClimateFaultCode | 'required' | 'least' | 'most' | 'invalid';
  /** Values in the sentence: the limit, or those of the contract. */
  values: Readonly<Record<string, string | number>>;
  /** Of an answer, for a code that climate programs do not have. */
  field?: Pick<FieldError, 'why' | 'message'>;
}

const drafted = climateProgram.omit({ overrides: true });
export type DraftProgram = z.infer<typeof drafted>;

/** A draft in contract form, or all of its faults. */
export function checkedDraft(asked: object): { program: DraftProgram | null; faults: DraftFault[] } {
  const parsed = drafted.safeParse(asked);
  if (!parsed.success) return { program: null, faults: parsed.error.issues.flatMap((issue) => faultsOf(issue)) };
  // Faults of the draft alone, not of the program's other parts.
  const faults = climateFaults({ ...parsed.data, overrides: [] } as unknown as Climate);
  return { program: parsed.data, faults: faults.map(told) };
}

type Issue = z.core.$ZodIssue;

function faultsOf(issue: Issue, above: readonly PropertyKey[] = []): DraftFault[] {
  const at = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.filter((issues) => issues.every(({ code }) => code !== 'unrecognized_keys'));
    return (branches[0] ?? []).flatMap((one) => faultsOf(one, at));
  }
  return [{ path: pathOf(at), ...codeOf(issue) }];
}

function codeOf(issue: Issue): Pick<DraftFault, 'code' | 'values'> {
  const isText = 'origin' in issue && issue.origin === 'string';
  if (issue.code === 'invalid_type' || (issue.code === 'too_small' && isText)) return { code: 'required', values: {} };
  if (issue.code === 'too_small') return { code: 'least', values: { limit: Number(issue.minimum) } };
  if (issue.code === 'too_big' && !isText) return { code: 'most', values: { limit: Number(issue.maximum) } };
  return { code: 'invalid', values: {} };
}

function pathOf(keys: readonly PropertyKey[]): string {
  return keys
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

/** Faults found by the server or the contract. */
export function told({ path, values = {}, ...field }: Omit<FieldError, 'code'> & { code?: string }): DraftFault {
  const { code = '' } = field;
  return { path, code: isKnown(code) ? code : 'invalid', values, field };
}

function isKnown(code: string): code is ClimateFaultCode {
  return code in climateFaultMessages;
}
