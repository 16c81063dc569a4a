import type { ParameterizedContext } from 'koa';

/** What the request log reports beside the request itself. */
export interface ApiState {
  requestId: string;
  /** Who made the call, once known. */
  username: string | null;
  keyId: string | null;
  /** The key under which the call is counted, once known. */
  caller?: string;
}

export type ApiContext = ParameterizedContext<ApiState>;
