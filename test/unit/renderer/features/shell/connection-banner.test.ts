// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { flushPromises } from '@vue/test-utils';
import ConnectionBanner from '../../../../../renderer/features/shell/ConnectionBanner.vue';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import type { Permission } from '../../../../../server/contract/permission.ts';
import { mounted } from '../../ui/mounted.ts';

const answers: Record<string, object> = {
  '/api/auth/login': {
    user: {
      unique_id: '00000000-0000-4000-8000-000000000001',
      username: 'kim',
      role: 'Night',
      email: null,
      language: null,
      is_enabled: true,
      last_login_at: null,
    },
    csrf_token: 'x',
  },
  '/api/daemon/end': { state: 'unreachable', is_stopped: true, stopped_by: 'pyro' },
};

async function bannerFor(permissions: Permission[]) {
  const asked: string[] = [];
  const banner = mounted(ConnectionBanner, {
    fetch: async (address) => {
      const path = new URL(address instanceof Request ? address.url : String(address), 'https://here').pathname;
      asked.push(path);
      const body = path === '/api/auth/login' ? { ...answers[path], permissions } : answers[path];
      return Response.json(body ?? {}, { status: body === undefined ? 403 : 200 });
    },
  });
  await useSession().login({ username: 'kim', password: 'secret' });
  await useLive().loadDaemon();
  await flushPromises();
  return { banner, asked };
}

it('offers to start a stopped daemon to whoever may, also without the logs', async () => {
  const { banner, asked } = await bannerFor(['edit_controllers']);
  expect(banner.text()).toContain('The control service was stopped by pyro');
  expect(banner.find('button').text()).toBe('Start control service');
  expect(asked).not.toContain('/api/daemon');
});

it('asks nothing for whoever may neither start it nor read logs', async () => {
  const { banner, asked } = await bannerFor(['view_stats']);
  expect(banner.text()).toBe('');
  expect(asked).toEqual(['/api/auth/login']);
});
