import { shallowRef } from 'vue';
import type { PipePlan } from '../../../server/contract/pipe.ts';
import type { Wanted } from './use-pipe-requests.ts';

/** A plan that was kept to be compared with others. */
export interface Alternative {
  name: string;
  wanted: Wanted;
  plan: PipePlan;
}

const mostAlternatives = 5;

/** Plans for comparison. The oldest is dropped when there are too many. */
export function usePipeAlternatives() {
  const alternatives = shallowRef<readonly Alternative[]>([]);

  function add(one: Alternative): void {
    alternatives.value = [...alternatives.value, one].slice(-mostAlternatives);
  }

  function drop(at: number): void {
    alternatives.value = alternatives.value.toSpliced(at, 1);
  }

  function replace(old: Alternative, plan: PipePlan): void {
    alternatives.value = alternatives.value.map((one) => (one === old ? { ...one, plan } : one));
  }

  return { alternatives, add, drop, replace };
}
