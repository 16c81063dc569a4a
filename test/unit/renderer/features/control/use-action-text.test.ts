// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import type { Action } from '../../../../../server/contract/action.ts';
import { useActionText } from '../../../../../renderer/features/control/use-action-text.ts';
import { useDevices } from '../../../../../renderer/stores/device.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { eventually } from '../../../../support/eventually.ts';
import { mounted } from '../../ui/mounted.ts';

const id = (nth: number): string => `00000000-0000-4000-8000-00000000000${nth}`;
const base = { unique_id: id(9), name: 'action_1' };
const valve = { ...base, kind: 'output', output_id: id(1), channel: 0 } as const;
const pid = { ...base, pid_id: id(2) } as const;

const told: [Action, string][] = [
  [{ ...valve, state: true }, 'Irrigation valve · On'],
  [{ ...valve, state: false }, 'Irrigation valve · Off'],
  [{ ...valve, state: true, duration_s: 600 }, 'Irrigation valve · On · 10 min'],
  [{ ...valve, state: true, volume_ml: 500 }, 'Irrigation valve · On · 500 ml'],
  [{ ...valve, state: true, value: 40 }, 'Irrigation valve · 40 %'],
  [{ ...valve, state: false, duty_cycle_pct: 40 }, 'Irrigation valve · Off'],
  [{ ...valve, output_id: id(8), state: true }, 'Unknown · On'],
  [{ ...base, kind: 'controller', controller_id: id(2), activate: false }, 'Heating · Deactivate'],
  [{ ...pid, kind: 'pid', command: 'hold' }, 'Heating · Hold'],
  [{ ...pid, kind: 'setpoint', setpoint: 21.5 }, 'Heating · Setpoint · 21.5'],
  [{ ...pid, kind: 'method', method_id: id(3) }, 'Heating · Tomato day'],
  [{ ...base, kind: 'command', function_id: id(2), command: 'look' }, 'Heating · Check now'],
  [{ ...base, kind: 'lcd', lcd_id: id(1), does: 'flash_on' }, 'Irrigation valve · Blink'],
  [{ ...base, kind: 'alarm', severity: 'info', text: 'Dry', raise: true }, 'Raise or end an alarm · Dry'],
  [{ ...base, kind: 'webhook', target_id: id(4) }, 'Call a web address'],
];

const lists: Record<string, object[]> = {
  outputs: [{ unique_id: id(1), name: 'Irrigation valve', channels: [] }],
  pids: [{ unique_id: id(2), name: 'Heating' }],
  methods: [{ unique_id: id(3), name: 'Tomato day' }],
};

it('says what an action does, by the names of what it is done to', async () => {
  const fetch = async (address: RequestInfo | URL): Promise<Response> => {
    const { pathname } = new URL(address instanceof Request ? address.url : address, 'https://localhost');
    const word = pathname.split('/').at(-1) ?? '';
    if (word !== 'login') return Response.json({ [word]: lists[word] ?? [], next_cursor: null });
    return Response.json({
      user: { unique_id: id(9), username: 'kim' },
      permissions: ['view_settings', 'view_stats'],
      csrf_token: '',
    });
  };
  const shown = mounted(
    defineComponent(() => {
      const devices = useDevices();
      void useSession()
        .login({ username: 'kim', password: 'secret' })
        .then(() => devices.load());
      const actionText = useActionText();
      return () => told.map(([action]) => h('p', actionText(action)));
    }),
    { fetch },
  );
  await eventually(() =>
    expect(shown.findAll('p').map((one) => one.text().replaceAll(/\s/g, ' '))).toEqual(told.map(([, text]) => text)),
  );
});
