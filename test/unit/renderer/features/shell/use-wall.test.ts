// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { createPinia, setActivePinia, type Pinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { createMemoryHistory, createRouter, type Router } from 'vue-router';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useWall } from '../../../../../renderer/features/shell/use-wall.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';

describe('a wall display that somebody left by a link', () => {
  const overview = '/?wall=1';
  let router: Router;
  let pinia: Pinia;
  let wall: ReturnType<typeof useWall>;

  /** Wall, then a link; nobody touches anything from then on. */
  async function goTo(page: string): Promise<void> {
    await router.push(overview);
    await router.push(page);
  }

  async function pass(minutes: number): Promise<string> {
    await vi.advanceTimersByTimeAsync(minutes * 60_000);
    return router.currentRoute.value.fullPath;
  }

  beforeEach(async () => {
    vi.useFakeTimers();
    sessionStorage.clear();
    pinia = createPinia();
    setActivePinia(pinia);
    const page = defineComponent({ render: () => h('p') });
    router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/:rest(.*)*', component: page }] });
    await router.push('/');
    const frame = defineComponent({
      setup() {
        wall = useWall();
        return () => h('main', [h('input'), h('div')]);
      },
    });
    const session = { user: { username: 'kim' }, permissions: [], csrf_token: 'x' };
    const provide = { [clientKey as symbol]: new ApiClient(async () => Response.json(session)) };
    mount(frame, { global: { plugins: [pinia, router], provide }, attachTo: document.body });
    await useSession().login({ username: 'kim', password: 'secret' });
  });

  afterEach(() => {
    document.body.replaceChildren();
    vi.useRealTimers();
  });

  it('comes back after two minutes', async () => {
    await goTo('/devices');
    expect(await pass(1.5)).toBe('/devices');
    expect(await pass(1)).toBe(overview);
  });

  it('is the one that was shown last', async () => {
    await router.push('/dashboards/a?wall=1');
    await router.push('/dashboards/b?wall=1');
    await router.push('/devices');
    expect(await pass(3)).toBe('/dashboards/b?wall=1');
  });

  it('stays away once something was entered on that page', async () => {
    await goTo('/devices');
    document.querySelector('input')?.dispatchEvent(new Event('input', { bubbles: true }));
    expect(await pass(10)).toBe('/devices');
  });

  it('waits until a dialog is closed', async () => {
    await goTo('/devices');
    const dialog = document.querySelector('div');
    dialog?.classList.add('v-dialog', 'v-overlay--active');
    expect(await pass(10)).toBe('/devices');
    dialog?.classList.remove('v-overlay--active');
    expect(await pass(1)).toBe(overview);
  });

  it('waits while a field has the focus', async () => {
    await goTo('/devices');
    document.querySelector('input')?.focus();
    expect(await pass(10)).toBe('/devices');
  });

  it('waits while something is not saved', async () => {
    await goTo('/devices');
    const ask = (event: Event): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    expect(await pass(10)).toBe('/devices');
    window.removeEventListener('beforeunload', ask);
    expect(await pass(1)).toBe(overview);
  });

  it('is no more once it was ended, from any page', async () => {
    await goTo('/devices');
    expect(wall.isKept.value).toBe(true);
    wall.leave();
    expect(await pass(10)).toBe('/devices');
  });

  it('is no more once its user logged out', async () => {
    await goTo('/devices');
    await useSession().logout();
    expect(await pass(10)).toBe('/devices');
  });
});
