import type { z } from 'zod';
import type { Budget } from './budget.ts';
import type { ErrorCode } from './errors.ts';
import type { Access } from './permission.ts';

export const mediaType = 'application/vnd.orangery.v1+json';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const binaryStreams = [
  'image/*',
  'application/vnd.mapbox-vector-tile',
  'application/octet-stream',
  'application/zip',
  'application/geopackage+sqlite3',
] as const;
type BinaryStream = (typeof binaryStreams)[number];

/** What a handler may answer other than JSON of the media type. Such endpoints require no version header. */
type Stream = 'text/event-stream' | 'text/html' | 'text/csv' | 'application/x-x509-ca-cert' | BinaryStream;

/** Whether the answer is binary. */
export function isBinary(stream: string | undefined): stream is BinaryStream {
  return binaryStreams.some((one) => one === stream);
}

/**
 * One call of the REST interface as data: the source of the router, validation, authorization, the OpenAPI document,
 * the page at /api, the renderer's typed client and the generated refusal tests.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** Path with `:name` parameters. Each parameter is a field of `params`. */
  path: string;
  /** The resource's word, by which the documentation groups calls. */
  tag: string;
  summary: string;
  access: Access;
  params?: Params;
  /** Query values arrive as text; the API converts each to the type of its field. */
  query?: Query;
  body?: Body;
  answer: Answer;
  /** Statuses of success; the first is the usual one. */
  statuses: readonly (200 | 201 | 202 | 304)[];
  /** Refusals beside those that every endpoint may answer. */
  errors?: readonly ErrorCode[];
  /** Set when the answer is not JSON. */
  stream?: Stream;
  /** Set when JSON is answered without a version in the request (health). */
  anyVersion?: boolean;
  /**
   * Set when neither method nor permission implies it: a read-only key is refused, and calls by session cookie need the
   * CSRF token although the method is GET (init_design).
   */
  changesState?: boolean;
  /** The budget when it is not `change`, or for a public call `login`. */
  budget?: Budget;
  /** Whether a call, by its body, goes to the safe side and so counts as `safety`. */
  goesSafe?(body: z.infer<Body>): boolean;
  /** Waits for an outside service, so it takes turns only with such calls; the answer states its age. */
  isRelay?: boolean;
  /** Names of the query are read in any case (OGC services). */
  anyCaseQuery?: boolean;
  /** The body may be multipart/form-data with one part named file, whose bytes are passed on unread. */
  takesFile?: boolean;
  /** What is created has no address of its own, so 201 comes without Location. */
  hasNoAddress?: boolean;
  /** The answer is saved as a file under a name of its own. */
  isDownload?: boolean;
  /** Most bytes of the body, or of the file that a form carries, when it is not 1 MiB. */
  maxBodyBytes?: number;
}

/** Infers the schema types of an endpoint, so that they are not written twice. */
export function endpoint<
  Answer extends z.ZodType,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declared: Endpoint<Params, Query, Body, Answer>): Endpoint<Params, Query, Body, Answer> {
  return declared;
}

export type ParamsOf<E> = E extends Endpoint<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.infer<P> : never;
export type QueryOf<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.infer<Q> : never;
export type BodyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.infer<B> : never;
export type AnswerOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer A> ? z.infer<A> : never;
