// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { effectScope, nextTick } from 'vue';
import { usePrinting } from '../../../../renderer/ui/use-printing.ts';
import { eventually } from '../../../support/eventually.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(window, 'print');
});

/** Shared by all that use it: a scope of its own begins anew. */
function used() {
  const scope = effectScope();
  const printing = scope.run(usePrinting);
  if (printing === undefined) throw new Error('no scope');
  return { scope, printing };
}

it('ends with the printing, also where the browser does not wait for it', async () => {
  const asked = vi.fn<() => void>();
  Reflect.set(window, 'print', asked);
  const { scope, printing } = used();
  let hasEnded = false;
  const printed = printing.print().then(() => (hasEnded = true));
  await eventually(() => expect(asked).toHaveBeenCalledOnce());
  await nextTick();
  expect([hasEnded, printing.isPrinting.value]).toEqual([false, true]);
  window.dispatchEvent(new Event('afterprint'));
  await printed;
  expect([hasEnded, printing.isPrinting.value]).toEqual([true, false]);
  scope.stop();
});

it('tells where a browser cannot print', () => {
  const without = used();
  expect(without.printing.canPrint).toBe(false);
  without.scope.stop();
  Reflect.set(window, 'print', () => undefined);
  const { scope, printing } = used();
  expect(printing.canPrint).toBe(true);
  scope.stop();
});
