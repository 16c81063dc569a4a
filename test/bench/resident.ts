import { readFileSync } from 'node:fs';

/** Memory of a process that is in use, MB. */
export function residentMb(pid: number | null | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
