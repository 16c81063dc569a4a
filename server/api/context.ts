import type { ParameterizedContext } from 'koa';

/** What the request log tells beside the request itself. */
export interface ApiState {
  requestId: string;
  /** Who made the call, once that is known. */
  username: string | null;
  keyId: string | null;
  /** Whom the call counts for, once that is known. */
  caller?: string;
}

export type ApiContext = ParameterizedContext<ApiState>;
