import { expect, it } from 'vitest';
import { alarmHandlers } from '../../../../server/daemon/remote/alarms.ts';
import { methodTable } from '../../../../server/daemon/remote/handlers.ts';
import { alarmBench, alarmDeviceId, condition } from '../../../support/alarm-bench.ts';

function remote() {
  const { alarms } = alarmBench();
  const { alarm_report } = methodTable(alarmHandlers(alarms));
  const report = (caller: string, conditions: readonly object[]) =>
    alarm_report?.handler(
      { source_id: alarmDeviceId, conditions },
      { caller, peer: '', signal: new AbortController().signal },
    );
  const raised = () => alarms.list().flatMap(({ code, is_raised }) => (is_raised ? [code] : []));
  return { raised, report };
}

it('a program reports conditions of the code custom alone, and takes back no others', async () => {
  const { raised, report } = remote();
  await report('server', [condition({ code: 'command_failed' })]);
  await report('pyro', [condition({ code: 'custom' })]);
  expect(raised()).toEqual(['command_failed', 'custom']);
  await expect(report('pyro', [condition({ code: 'command_failed' })])).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  await report('server', [condition({ code: 'command_failed' })]);
  await report('pyro', []);
  expect(raised()).toEqual(['command_failed']);
});
