import { expect, it } from 'vitest';
import type { AuditEntry } from '../../../../server/auth/actor.ts';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import { commandsOf, functionKinds } from '../../../../server/contract/function.ts';
import { FunctionService } from '../../../../server/services/device/function.ts';

it('a command that the function refused is recorded as failed, with why', async () => {
  const kind = functionKinds.find((one) => commandsOf(one).length > 0);
  const [command] = kind === undefined ? [] : commandsOf(kind);
  if (command === undefined) throw new Error('no kind takes a command');
  const audited: AuditEntry[] = [];
  type Options = ConstructorParameters<typeof FunctionService>[0];
  const functions = new FunctionService({
    kinds: { function: { get: () => ({ name: 'Total', kind, is_activated: true }) } } as unknown as Options['kinds'],
    live: { control: () => undefined },
    daemon: { module_function: async () => [1, 'it does not run'] },
    audit: { record: (entry) => void audited.push(entry) },
  });
  await expect(functions.command(systemActor, 'f', { command })).rejects.toMatchObject({ code: 'command_failed' });
  const after = { command, outcome: 'failed', message: 'it does not run' };
  expect(audited).toMatchObject([{ kind: 'function.command', target: 'f', after }]);
});
