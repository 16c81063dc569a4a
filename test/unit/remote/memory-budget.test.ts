import { expect, it } from 'vitest';
import { MemoryBudget } from '../../../server/remote/memory-budget.ts';

const holder = (dropped: string[], name: string) => ({ destroy: () => void dropped.push(name) });

it('counts what each holds now, and drops who holds most when that is too much together', () => {
  const dropped: string[] = [];
  const budget = new MemoryBudget(100);
  const [small, large, new_] = ['small', 'large', 'new'].map((name) => holder(dropped, name)) as [
    { destroy(): void },
    { destroy(): void },
    { destroy(): void },
  ]; // three names above
  budget.hold(small, 10);
  budget.hold(large, 20);
  budget.hold(large, 60);
  expect(budget.bytes).toBe(70);
  budget.hold(new_, 30);
  expect(dropped).toEqual([]);
  budget.hold(new_, 31);
  expect({ dropped, bytes: budget.bytes }).toEqual({ dropped: ['large'], bytes: 41 });
  budget.hold(small, 0);
  expect(budget.bytes).toBe(31);
});

it('drops the newcomer when it is the one that holds too much', () => {
  const dropped: string[] = [];
  const budget = new MemoryBudget(100);
  budget.hold(holder(dropped, 'old'), 40);
  budget.hold(holder(dropped, 'new'), 101);
  expect({ dropped, bytes: budget.bytes }).toEqual({ dropped: ['new'], bytes: 40 });
});
