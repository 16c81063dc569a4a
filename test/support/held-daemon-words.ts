/** Where a daemon that is held dies, in the middle of what it does then. */
export interface Death {
  /** From this moment on its steps are counted, epoch ms. */
  from_ms: number;
  /** Only from the first command to a device then on, where one comes within ten minutes. */
  at_command: boolean;
  /** It dies at the step after so many: a request or a write begins or has ended. */
  marks: number;
}

export type ToHeld = { kind: 'noted' } | { kind: 'pass'; until_ms?: number; death?: Death };

export type FromHeld = { kind: 'ready'; port: number } | { kind: 'at'; now_ms: number } | { kind: 'there' };
