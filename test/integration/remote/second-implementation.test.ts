import { describe, expect, it, onTestFinished } from 'vitest';
import { DaemonControl } from '../../../server/orangery_client.ts';
import { daemonSite, heaterId, ventId } from '../../support/daemon-site.ts';
import { startDaemon } from '../../support/daemon-process.ts';
import { frameOf, SecondClient, SecondDaemon } from '../../support/second-pyro.ts';
import { header, literal, repr, tuple } from '../../support/second-serpent.ts';
import { recordedFrames, recordedValues } from '../../unit/remote/recorded.ts';

describe('the second implementation', () => {
  const inSerpent = recordedFrames.filter(
    ({ name }) => name.startsWith('serpent') && !/compressed|annotated/.test(name),
  );

  it.each(inSerpent)('writes "$name" as it was recorded', ({ type: kind, flags, seq, payload_text, hex }) => {
    const written = frameOf({ kind, flags, seq, text: payload_text ?? '' });
    const recorded = Buffer.from(hex, 'hex');
    recorded.fill(0, 20, 36); // the correlation id is the sender's choice
    expect(written).toEqual(recorded);
  });

  it('reads and writes the values of the recorded frames', () => {
    expect(literal(header + repr({ a: tuple(0, 'it\'s "so"'), b: [null, true, -2.5, {}] }))).toEqual({
      a: [0, 'it\'s "so"'],
      b: [null, true, -2.5, {}],
    });
    const texts = recordedValues.map(({ serpent }) => serpent).filter((text) => /\n(['"([]|-?\d)/.test(text));
    expect(texts.length).toBeGreaterThan(10);
    for (const text of texts) expect(() => literal(text), text).not.toThrow();
  });
});

async function controlOfSecond(answer: (method: string) => unknown) {
  const daemon = await SecondDaemon.start(answer);
  const pyro_uri = `PYRO:orangery.pyro_server@127.0.0.1:${daemon.port}`;
  const control = new DaemonControl({ pyro_uri, pyro_handshake: 'leek' });
  onTestFinished(() => control.close());
  return { daemon, control };
}

describe('DaemonControl against a daemon of another make', () => {
  it('sends what it was given and reads what it is answered', async () => {
    const { daemon, control } = await controlOfSecond((method) =>
      method === 'output_state' ? 12.5 : method === 'check_daemon' ? null : tuple(0, 'ok'),
    );
    expect(await control.output_on('0a1b', 'sec', 2.5)).toEqual([0, 'ok']);
    expect(await control.output_state('0a1b', 1)).toBe(12.5);
    expect(await control.check_daemon()).toBe('GOOD');
    expect(daemon.handshakes).toEqual(['leek']);
    expect(daemon.calls).toEqual([
      ['output_on', ['0a1b'], { output_type: 'sec', amount: 2.5, min_off: 0, trigger_conditionals: true }],
      ['output_state', ['0a1b'], { output_channel: 1 }],
      ['check_daemon', [], {}],
    ]);
  });

  it('throws what it is told, with its code', async () => {
    const { control } = await controlOfSecond(() => Object.assign(new Error('no such output'), { code: 'not_found' }));
    await expect(control.output_off('x')).rejects.toMatchObject({ code: 'not_found', message: 'no such output' });
  });
});

describe('a Python-like client against the daemon', () => {
  it('switches, reads, batches and sends oneway', async () => {
    const client = await SecondClient.open(await startDaemon({ dataDirectory: daemonSite() }).ready);
    expect(client.methods).toEqual(expect.arrayContaining(['output_on', 'output_states_all', 'check_daemon']));
    expect(await client.call('output_on', [heaterId], { output_type: 'sec', amount: 0.0, output_channel: 0 })).toEqual([
      0,
      'confirmed: the device confirmed it',
    ]);
    expect(await client.call('output_state', [heaterId])).toBe('on');
    expect(await client.call('output_states_all')).toMatchObject({ [heaterId]: { 0: 'on' }, [ventId]: { 0: 'off' } });
    expect(
      await client.batch([
        ['output_off', heaterId],
        ['output_state', heaterId],
      ]),
    ).toEqual([[0, expect.any(String)], 'off']);
    client.oneway('output_on', heaterId);
    await expect.poll(() => client.call('output_state', [heaterId])).toBe('on');
    expect(await client.call('check_daemon')).toBe(null);
  });

  it('is refused in words and with a code', async () => {
    const client = await SecondClient.open(await startDaemon({ dataDirectory: daemonSite() }).ready);
    const nobody = '00000000-0000-4000-8000-0000000000ff';
    await expect(client.call('output_on', [nobody])).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.call('output_on', [heaterId], { colour: 1 })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(client.call('pid_get', [nobody, 'flavour'])).rejects.toMatchObject({
      code: expect.stringMatching(/^\w+$/) as unknown,
    });
    expect(await client.call('output_state', [heaterId])).toBe('off');
  });
});
