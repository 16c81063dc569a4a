/** Where a held daemon dies, in the middle of its work. */
export interface Death {
  /** From this moment its steps are counted, epoch ms. */
  from_ms: number;
  /** Count only from the first command to a device after that, if one comes within ten minutes. */
  at_command: boolean;
  /** It dies after this many steps; a step is the beginning or end of a request or a write. */
  marks: number;
}

export type ToHeld = { kind: 'noted' } | { kind: 'pass'; until_ms?: number; death?: Death };

export type FromHeld = { kind: 'ready'; port: number } | { kind: 'at'; now_ms: number } | { kind: 'there' };
