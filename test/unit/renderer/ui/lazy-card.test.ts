// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import LazyCard from '../../../../renderer/ui/LazyCard.vue';

it('watches inside what scrolls also where that comes into the document together with its cards', async () => {
  const roots: unknown[] = [];
  class Observer extends IntersectionObserver {
    constructor(callback: IntersectionObserverCallback, options: IntersectionObserverInit) {
      super(callback, options);
      roots.push(options.root);
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  const shell = defineComponent(() => () => h('main', { id: 'content' }, [h(LazyCard, () => 'North')]));
  const page = mount(shell, { attachTo: document.body });
  await nextTick();
  expect(roots.at(-1)).toBe(page.get('#content').element);
  page.unmount();
  vi.unstubAllGlobals();
});
