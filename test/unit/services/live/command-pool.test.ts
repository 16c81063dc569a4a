import { describe, expect, it } from 'vitest';
import type { OutputCommand } from '../../../../server/contract/daemon.ts';
import type { CommandAnswer } from '../../../../server/contract/remote/output.ts';
import { CommandPool } from '../../../../server/services/live/command-pool.ts';
import { confirmed, remoteError } from '../../../support/scripted-daemon.ts';

const command = (id: number): OutputCommand => ({ output_id: String(id), state: true });

/** A pool whose connections answer when the test says so. */
function setUp(size: number) {
  const sent: { line: number; id: string; end: PromiseWithResolvers<CommandAnswer> }[] = [];
  const closed: number[] = [];
  let lines = 0;
  const pool = new CommandPool(() => {
    const line = lines++;
    return {
      output_command: ({ output_id }) => {
        const end = Promise.withResolvers<CommandAnswer>();
        sent.push({ line, id: output_id, end });
        return end.promise;
      },
      override_release: () => Promise.reject(new Error('not asked for here')),
      close: () => void closed.push(line),
    };
  }, size);
  return { pool, sent, closed };
}

describe('CommandPool', () => {
  it('sends past a device that answers late', async () => {
    const { pool, sent } = setUp(2);
    const slow = pool.output_command(command(1));
    const quick = pool.output_command(command(2));
    expect(sent.map(({ line }) => line)).toEqual([0, 1]);
    sent[1]?.end.resolve(confirmed(command(2)));
    await quick;
    const next = pool.output_command(command(3));
    expect(sent[2]?.line).toBe(1);
    for (const { end } of sent) end.resolve(confirmed(command(0)));
    await Promise.all([slow, next]);
  });

  it('frees a connection whose command failed, and passes the failure on', async () => {
    const { pool, sent } = setUp(2);
    const failing = pool.output_command(command(1));
    sent[0]?.end.reject(remoteError('timeout'));
    await expect(failing).rejects.toMatchObject({ code: 'timeout' });
    const again = pool.output_command(command(2));
    expect(sent[1]?.line).toBe(0);
    sent[1]?.end.resolve(confirmed(command(2)));
    await again;
  });

  it('closes every connection', () => {
    const { pool, closed } = setUp(3);
    pool.close();
    expect(closed).toEqual([0, 1, 2]);
  });
});
