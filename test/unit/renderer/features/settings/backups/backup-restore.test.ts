// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { VTextField } from 'vuetify/components/VTextField';
import BackupRestoreDialog from '../../../../../../renderer/features/settings/backups/BackupRestoreDialog.vue';
import { useSession } from '../../../../../../renderer/stores/session.ts';
import { mounted } from '../../../ui/mounted.ts';

const user = { unique_id: '00000000-0000-4000-8000-000000000001', username: 'kim', role: 'Admin', email: null };
const session = {
  user: { ...user, language: null, is_enabled: true, last_login_at: null },
  permissions: ['edit_users'],
  csrf_token: 'token',
};
const failed = { at: '2026-11-28T15:00:00.000Z', fault: { code: 'damaged', message: 'x' } };

// Dialogs measure it, and happy-dom has none.
vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));

/** How the service answers the question for its backups: as before, not at all, to nobody, or with its result. */
const listed = {
  before: () => Response.json({ last_restore: null }),
  away: () => Promise.reject(new TypeError('away')),
  nobody: () => Response.json({ code: 'authentication_required', detail: 'no session' }, { status: 401 }),
  failed: () => Response.json({ last_restore: failed }),
};
let now: keyof typeof listed;
const goes = vi.fn<(address: string) => void>();

const answers: Record<string, () => Response | Promise<Response>> = {
  '/api/auth/state': () => Response.json({ is_set_up: true }),
  '/api/auth/session': () => Response.json(session),
  '/api/backups/undo': () => Response.json({ job_id: '00000000-0000-4000-8000-000000000002' }, { status: 201 }),
  '/api/jobs/00000000-0000-4000-8000-000000000002': () =>
    Response.json({ status: 'done', done: 1, total: 1, result: { parts: ['orangery.db'] } }),
  '/api/backups': () => listed[now](),
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  vi.spyOn(location, 'assign').mockImplementation((address) => goes(String(address)));
  goes.mockClear();
  now = 'before';
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function restoring() {
  const dialog = mounted(BackupRestoreDialog, {
    props: { modelValue: true, backup: null, name: '', last: null },
    fetch: async (address) => answers[address as string]?.() ?? Response.error(),
  });
  await useSession().load();
  await flushPromises();
  await dialog.findComponent(VTextField).setValue('my own password');
  document.querySelector('#restore')?.dispatchEvent(new Event('submit'));
  await flushPromises();
  expect(document.body.textContent).toContain('The backup is being restored');
  return dialog;
}

async function after(state: keyof typeof listed): Promise<void> {
  now = state;
  for (let second = 0; second < 2; second += 1) {
    vi.advanceTimersByTime(1_000);
    await flushPromises();
    await flushPromises();
  }
}

it('waits until the service is back without its sessions, then goes to the log-in', async () => {
  const dialog = await restoring();
  await after('before');
  await after('away');
  expect(goes).not.toHaveBeenCalled();
  await after('nobody');
  expect(goes).toHaveBeenCalledExactlyOnceWith('/login?restored&next=/settings/backups');
  dialog.unmount();
});

it('closes when the service is back with the data from before', async () => {
  const dialog = await restoring();
  await after('away');
  await after('failed');
  expect([dialog.emitted('failed'), dialog.emitted('update:modelValue')]).toEqual([[[]], [[false]]]);
  await after('nobody');
  expect(goes).not.toHaveBeenCalled();
  dialog.unmount();
});

it('claims nothing when the session ended before the service was away', async () => {
  const dialog = await restoring();
  await after('nobody');
  expect(goes).toHaveBeenCalledExactlyOnceWith('/login?next=/settings/backups');
  dialog.unmount();
});

it('has a way out when the service stays away, and still notices that it is back', async () => {
  const dialog = await restoring();
  await after('away');
  expect(document.querySelector('.v-card a')).toBeNull();
  vi.advanceTimersByTime(120_000);
  await flushPromises();
  expect(document.body.textContent).toContain('longer than usual');
  expect(document.querySelector('.v-card a')?.getAttribute('href')).toBe('/');
  await after('nobody');
  expect(goes).toHaveBeenCalledExactlyOnceWith('/login?restored&next=/settings/backups');
  dialog.unmount();
});
