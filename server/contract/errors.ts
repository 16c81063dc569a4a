import { z } from 'zod';
import { why, type Said } from './refusal-reason.ts';

/** Every code of an answer, with its HTTP status: the closed list that programs may rely on. */
export const errorStatus = {
  https_required: 400,
  version_required: 400,
  version_unsupported: 400,
  invalid_field: 400,
  unknown_field: 400,
  unknown_reference: 400,
  invalid_json: 400,
  read_only_field: 400,
  unknown_material: 400,
  invalid_shape: 400,
  invalid_geometry: 400,
  unreadable_file: 400,
  unknown_crs: 400,
  role_not_bound: 400,
  nothing_bound: 400,
  device_not_placed: 400,
  device_on_other_map: 400,
  devices_at_one_place: 400,
  no_way_for_pipes: 400,
  pressure_unreachable: 400,
  zone_not_layable: 400,
  uneven_watering: 400,
  unreadable_network: 400,
  weak_password: 400,
  authentication_required: 401,
  invalid_credentials: 401,
  totp_required: 401,
  totp_invalid: 401,
  forbidden: 403,
  readonly_key: 403,
  csrf_failed: 403,
  origin_refused: 403,
  setup_token_invalid: 403,
  wrong_password: 403,
  not_found: 404,
  not_in_check: 404,
  parcel_not_found: 404,
  method_not_allowed: 405,
  already_set_up: 409,
  already_exists: 409,
  conflict: 409,
  backup_failed: 409,
  in_use: 409,
  in_trash: 409,
  revision_conflict: 409,
  empty_save_refused: 409,
  type_immutable: 409,
  already_placed: 409,
  duplicate_feature: 409,
  duplicate_site: 409,
  feature_of_other_map: 409,
  save_id_reused: 409,
  shape_in_use: 409,
  shape_has_facility: 409,
  last_admin: 409,
  not_active: 409,
  endless_loop: 409,
  output_driven: 409,
  circular_reference: 409,
  blocked: 409,
  check_running: 409,
  not_judgeable: 409,
  check_completed: 409,
  no_reading: 409,
  not_steady: 409,
  provider_not_configured: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  locked_out: 429,
  internal_error: 500,
  command_failed: 502,
  delivery_failed: 502,
  daemon_unreachable: 502,
  provider_unreachable: 502,
  provider_failed: 502,
  provider_refused: 502,
  provider_key_refused: 502,
  provider_quota_spent: 502,
  provider_paused: 502,
  provider_answer_invalid: 502,
  command_unknown: 504,
  provider_timeout: 504,
  storage_busy: 503,
  storage_failed: 507,
  starting: 503,
  not_available: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorCode = z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]); // keys of a const object

/** Members of everything that says why it is refused. */
export const reasonFields = {
  why: z.string().optional().describe('Why, where the code alone does not tell: a code of its own'),
  values: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe('What the message names'),
  names: z.array(z.string()).optional().describe('One by one, as they are, those that `values.names` quotes and lists'),
};

export const fieldError = z.strictObject({
  path: z.string().describe('Dotted path of the field, empty for the whole body'),
  code: z.string().describe('What is wrong with the field'),
  message: z.string(),
  ...reasonFields,
});
export type FieldError = z.infer<typeof fieldError>;
export type ReasonFields = Pick<FieldError, keyof typeof reasonFields>;

/** RFC 9457 problem body. Further members explain a conflict (current revision, what changed, allowed values). */
export const problem = z.looseObject({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.int().min(400).max(599).describe('That of the answer'),
  code: errorCode,
  detail: z.string(),
  ...reasonFields,
  errors: z.array(fieldError).optional(),
  request_id: z.string(),
});
export type Problem = z.infer<typeof problem>;

interface RefusalDetails {
  errors?: FieldError[];
  /** Extra members of the problem body. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A refusal, which reaches the caller as a problem body; any other error becomes `internal_error`. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: FieldError[] | undefined;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  /** `detail` as text alone is for what only programs meet, or what someone else said: pages have no words for it. */
  constructor(code: ErrorCode, detail: string | Said, details: RefusalDetails = {}) {
    const { message, ...said } = typeof detail === 'string' ? { message: detail } : detail;
    super(message, { cause: details.cause });
    this.name = 'Refusal';
    this.code = code;
    this.status = errorStatus[code];
    this.errors = details.errors;
    this.members = { ...said, ...details.members };
    this.headers = details.headers ?? {};
  }
}

/** Refuses a field for a fault, with the fault's own code if it has one. */
export function refuseFault(fault: Omit<FieldError, 'code'> & { code?: string }): Refusal {
  const error = { code: 'invalid_field', ...fault };
  return new Refusal('invalid_field', `${fault.path} ${fault.message}`, { errors: [error] });
}

/** Refuses one field of the request, e.g. `refuseField('unknown_reference', 'shape_uuid', why('no_such_shape'))`. */
export function refuseField(code: ErrorCode, path: string, said: Said, members: Record<string, unknown> = {}): Refusal {
  return new Refusal(code, `${path} ${said.message}`, { errors: [{ path, code, ...said }], members });
}

/** Refuses a field in English alone: what no page sends so, or whose code tells all. */
export function refusePlainly(
  code: ErrorCode,
  path: string,
  message: string,
  members: Record<string, unknown> = {},
): Refusal {
  return new Refusal(code, `${path} ${message}`, { errors: [{ path, code, message }], members });
}

/**
 * Throws `read_only_field` for the first of the fields whose sent value differs from the stored one. Without stored
 * values, for something new, none may be sent.
 */
export function refuseChanged<Field extends string>(
  sent: { readonly [Key in Field]?: unknown },
  stored: { readonly [Key in Field]?: unknown },
  fields: readonly Field[],
): void {
  const changed = fields.find((field) => sent[field] !== undefined && sent[field] !== stored[field]);
  if (changed !== undefined) throw refuseField('read_only_field', changed, why('read_only'));
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal;
}
