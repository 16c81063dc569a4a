import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../server/daemon/events/events.ts';
import { toldDeeds } from '../../../../server/daemon/remote/deeds.ts';
import { RemoteFailure } from '../../../../server/contract/remote/failure.ts';
import type { RemoteMethod } from '../../../../server/remote/method.ts';

const call = { signal: new AbortController().signal, peer: '127.0.0.1:40000', caller: 'pyro' };

function deeds(handler: RemoteMethod['handler']) {
  const told: NewEvent[] = [];
  const method = { parameters: [], handler };
  const names = ['controller_deactivate', 'output_state', 'commissioning_verdict'];
  const methods = toldDeeds(Object.fromEntries(names.map((name) => [name, method])), {
    tell: (event) => void told.push(event),
    stateOf: (id) => (id === 'known' ? { state: 'running' } : undefined),
  });
  const run = (name: string, args: Record<string, unknown>, caller = 'pyro') =>
    methods[name]?.handler(args, { ...call, caller });
  return { told, run };
}

describe('what a program does by the remote object', () => {
  it('is told with what was asked, the state before and the answer', async () => {
    const { told, run } = deeds(async () => [0, 'stopped']);
    expect(await run('controller_deactivate', { controller_id: 'Known', controller_type: null })).toEqual([
      0,
      'stopped',
    ]);
    expect(told).toEqual([
      {
        kind: 'program',
        method: 'controller_deactivate',
        peer: call.peer,
        target: 'known',
        asked: { controller_id: 'Known' },
        before: { state: 'running' },
        is_done: true,
        answer: '0: stopped',
      },
    ]);
  });

  it('is told where it is refused too', async () => {
    const { told, run } = deeds(async () => {
      throw new RemoteFailure('not_found', 'no such controller');
    });
    await expect(run('controller_deactivate', { controller_id: 'x' })).rejects.toMatchObject({ code: 'not_found' });
    expect(told).toMatchObject([{ target: 'x', is_done: false }]);
    expect(JSON.stringify(told)).toContain('no such controller');
    const refused = deeds(async () => [1, 'not safe']);
    await refused.run('controller_deactivate', { controller_id: 'x' });
    expect(refused.told).toMatchObject([{ is_done: false, answer: '1: not safe' }]);
  });

  it('is not told of questions, nor of the service, which keeps its own record', async () => {
    const { told, run } = deeds(async () => 'on');
    await run('output_state', { output_id: 'known' });
    await run('controller_deactivate', { controller_id: 'known' }, 'server');
    expect(told).toEqual([]);
  });

  it('is told cut, however much was sent', async () => {
    const { told, run } = deeds(async () => ({ check_id: 'x'.repeat(1_000_000) }));
    const verdict = { note: 'y'.repeat(1_000_000), ['k'.repeat(1_000_000)]: 1 };
    await run('commissioning_verdict', { check_id: 'z'.repeat(1_000_000), verdict });
    expect(JSON.stringify(told).length).toBeLessThan(2_000);
  });
});
