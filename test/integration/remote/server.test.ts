import { describe, expect, it } from 'vitest';
import { flag, messageTypes } from '../../../server/remote/frame.ts';
import { RemoteError } from '../../../server/remote/exception.ts';
import { json, serpent } from '../../../server/remote/serializer.ts';
import { Tuple } from '../../../server/remote/tuple.ts';
import { recordedFrames } from '../../unit/remote/recorded.ts';
import { ask, echo, failing, greenhouse } from './greenhouse.ts';
import { loopback, objectName, openProxy, RawPeer, startServer } from './loopback.ts';

const recorded = (name: string) => {
  const frame = recordedFrames.find((one) => one.name === name);
  if (frame === undefined) throw new Error(`no frame ${name}`);
  return { bytes: Buffer.from(frame.hex, 'hex'), text: frame.payload_text };
};

describe('recorded requests', () => {
  it.each(['serpent', 'json'])('in %s get the recorded answers', async (kind) => {
    const serializer = kind === 'json' ? json : serpent;
    const { port } = await startServer(greenhouse);
    const peer = await RawPeer.open(port);
    const cases = [
      ['connect', 'connectok', 0],
      ['invoke check_daemon', 'result none', 1],
      ['batch', undefined, 8],
      ['metadata', undefined, 9],
    ] as const;
    for (const [request, answer, seq] of cases) {
      peer.write(recorded(`${kind} ${request}`).bytes);
      const frame = await peer.answer();
      expect(frame).toMatchObject({ seq, serializer: serializer.id });
      expect(frame.flags & ~flag.batch).toBe(flag.correlation);
      if (answer === undefined) continue;
      const text = recorded(`${kind} ${answer}`).text ?? '';
      if (kind === 'serpent') expect(frame.payload.toString()).toBe(text);
      else expect(json.decode(frame.payload)).toEqual(json.decode(Buffer.from(text)));
    }
  });

  it('bind their keywords', async () => {
    const { port } = await startServer(greenhouse);
    const peer = await RawPeer.greet(port);
    peer.write(recorded('serpent invoke output_on').bytes);
    const args = {
      output_id: '0a1b',
      output_type: 'sec',
      amount: 2.5,
      min_off: 0,
      trigger_conditionals: true,
      output_channel: 0,
    };
    expect(serpent.decode((await peer.answer()).payload)).toEqual([0, JSON.stringify(args)]);
  });

  it('get integer channel keys in serpent and text keys in JSON', async () => {
    const { port } = await startServer(greenhouse);
    const peer = await RawPeer.greet(port);
    const inSerpent = await ask(peer, serpent, 'output_states_all');
    expect(inSerpent.payload.toString()).toBe(recorded('serpent result states').text);
    const inJson = await ask(peer, json, 'output_states_all');
    expect(inJson.serializer).toBe(json.id);
    expect(json.decode(inJson.payload)).toEqual({ 'a-b': { 0: 'off', 1: 12.5 }, c: { 0: null } });
  });

  it('ping gets pong', async () => {
    const { port } = await startServer(greenhouse);
    const peer = await RawPeer.greet(port);
    peer.write(recorded('ping').bytes);
    expect(await peer.answer()).toMatchObject({
      type: messageTypes.ping,
      serializer: 42,
      seq: 0,
      payload: Buffer.from('pong'),
    });
  });

  it('may be compressed', async () => {
    const { port } = await startServer({ echo });
    const peer = await RawPeer.greet(port);
    const { deflateSync } = await import('node:zlib');
    const plain = serpent.encodeInvocation({
      object: objectName,
      method: 'echo',
      positional: ['x'.repeat(500)],
      keywords: {},
    });
    const answer = await peer.ask({ type: 4, serializer: 1, flags: flag.compressed, payload: deflateSync(plain) });
    expect(serpent.decode(answer.payload)).toBe('x'.repeat(500));
  });
});

describe('the correlation id', () => {
  it('is echoed when there is one, else random', async () => {
    const { port } = await startServer(greenhouse);
    const peer = await RawPeer.greet(port);
    const correlation = Buffer.from('0123456789abcdef');
    const ping = { type: messageTypes.ping, serializer: 42, payload: Buffer.from('ping') };
    const echoed = await peer.ask({ ...ping, flags: flag.correlation, correlation });
    expect(echoed.correlation).toEqual(correlation);
    const first = await peer.ask(ping);
    const second = await peer.ask(ping);
    expect(first.flags).toBe(flag.correlation);
    expect(first.correlation).not.toEqual(second.correlation);
  });
});

describe('an error', () => {
  it('meant for the caller arrives with its code', async () => {
    const { port } = await startServer({ fail: failing(new RemoteError('output_driven', 'driven by PID 1')) });
    const failure = openProxy(port).call('fail');
    await expect(failure).rejects.toMatchObject({
      name: 'RemoteError',
      code: 'output_driven',
      message: 'driven by PID 1',
    });
  });

  it('not meant for the caller is told to the server alone', async () => {
    const faults: unknown[] = [];
    const bug = new Error('secret path /etc/x');
    const { port } = await startServer({ fail: failing(bug) }, { onFault: (error) => faults.push(error) });
    const peer = await RawPeer.greet(port);
    const answer = await ask(peer, serpent, 'fail');
    expect(answer.flags).toBe(flag.exception | flag.correlation);
    expect(answer.payload.toString()).toContain("'code':'internal_error','_pyroTraceback':[]");
    expect(answer.payload.toString()).not.toContain('secret');
    expect(faults).toEqual([bug]);
  });

  it.each([
    ['nothing', objectName, 'builtins.AttributeError', "attempt to access unexposed attribute 'nothing'"],
    ['toString', objectName, 'builtins.AttributeError', "attempt to access unexposed attribute 'toString'"],
    ['_hidden', objectName, 'builtins.AttributeError', "attempt to access private attribute '_hidden'"],
    ['check_daemon', 'other', 'Pyro5.errors.DaemonError', 'unknown object'],
    ['__getattr__', objectName, 'builtins.AttributeError', "attempt to access unexposed attribute ''"],
  ])('names %s of %s, and the connection stays', async (method, object, remoteClass, message) => {
    const { port } = await startServer(greenhouse);
    const peer = await RawPeer.greet(port);
    const answer = await ask(peer, serpent, method, { object });
    expect(serpent.decode(answer.payload)).toMatchObject({
      __class__: remoteClass,
      args: [message],
      attributes: { code: 'not_found', _pyroTraceback: [] },
    });
    expect((await ask(peer, serpent, 'check_daemon')).flags).toBe(flag.correlation);
  });

  it('in the arguments is invalid_argument', async () => {
    const { port } = await startServer({ echo });
    const proxy = openProxy(port);
    const wrong = [proxy.call('echo'), proxy.call('echo', [1, 2]), proxy.call('echo', [1], { colour: 2 })];
    for (const call of wrong) await expect(call).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await proxy.call('echo', [], { value: 3 })).toBe(3);
  });

  it('of serialization closes the connection after it was told', async () => {
    const { port } = await startServer(greenhouse);
    const peer = await RawPeer.greet(port);
    const answer = await peer.ask({ type: 4, serializer: 1, payload: Buffer.from('open("/etc/passwd")') });
    expect(serpent.decode(answer.payload)).toMatchObject({ __class__: 'Pyro5.errors.SerializeError' });
    await peer.closed;
  });

  it('is what an answer becomes that cannot be sent, or is too long', async () => {
    const methods = { bad: { parameters: [], handler: async () => new URL('http://localhost') }, echo };
    const faults: unknown[] = [];
    const { port } = await startServer(methods, { onFault: (error) => faults.push(error) });
    const proxy = openProxy(port);
    await expect(proxy.call('bad')).rejects.toMatchObject({ code: 'serialize_error' });
    expect(faults).toHaveLength(1);
    const { port: other } = await startServer(
      { long: { parameters: [], handler: async () => 'x'.repeat(1000) } },
      { limits: { answerBytes: 1000 } },
    );
    await expect(openProxy(other).call('long')).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('Pyro.Daemon', () => {
  it('answers about itself and streams nothing', async () => {
    const server = await startServer({
      ...greenhouse,
      note: { parameters: [], oneway: true, handler: async () => null },
    });
    const daemon = openProxy(server.port, { uri: `PYRO:Pyro.Daemon@${loopback}:${server.port}` });
    expect(await daemon.call('registered')).toEqual([objectName, 'Pyro.Daemon']);
    expect(await daemon.call('ping')).toBe(null);
    expect(await daemon.call('info')).toContain(
      `Pyro.Daemon bound on ${loopback}:${server.port}, NAT None, 2 objects registered`,
    );
    const methods = ['check_daemon', 'output_on', 'output_states_all', 'note'];
    expect(await daemon.call('get_metadata', [objectName])).toEqual({ methods, oneway: ['note'], attrs: [] });
    await expect(daemon.call('get_metadata', ['x'])).rejects.toMatchObject({
      remote_class: 'Pyro5.errors.DaemonError',
    });
    await expect(daemon.call('get_next_stream_item', ['x'])).rejects.toMatchObject({ code: 'not_available' });
    expect(await daemon.call('close_stream', ['x'])).toBe(null);
    expect(await daemon.call('ping')).toBe(null);
  });
});

describe('a batch', () => {
  const methods = { echo, fail: failing(new RemoteError('not_active', 'PID is off')) };

  it('stops at its first failure', async () => {
    const { port } = await startServer(methods);
    const calls = [{ method: 'echo', positional: [1] }, { method: 'fail' }, { method: 'echo', positional: [2] }];
    for (const serializer of ['serpent', 'json'] as const) {
      const results = await openProxy(port, { serializer }).batch(calls);
      expect(results).toEqual([
        { result: 1 },
        { error: expect.objectContaining({ code: 'not_active', message: 'PID is off' }) as unknown },
      ]);
    }
  });

  it('wraps the failure so that Python can tell the code', async () => {
    const { port } = await startServer(methods);
    const peer = await RawPeer.greet(port);
    const positional = [new Tuple(['fail', new Tuple([]), {}])];
    const payload = serpent.encodeInvocation({ object: objectName, method: '<batch>', positional, keywords: null });
    const answer = await peer.ask({ type: 4, serializer: 1, seq: 3, flags: flag.batch, payload });
    expect(answer).toMatchObject({ seq: 3, flags: flag.batch | flag.correlation });
    expect(answer.payload.toString()).toBe(
      "# serpent utf-8 python3.2\n[{'__class__':'Pyro5.core._ExceptionWrapper','exception':" +
        "{'__class__':'Pyro5.errors.PyroError','__exception__':True,'args':('not_active: PID is off',)," +
        "'attributes':{'code':'not_active','_pyroTraceback':[]}}}]",
    );
  });

  it('sent oneway runs without an answer', async () => {
    const seen: unknown[] = [];
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const note = async ({ value }: Record<string, unknown>) => {
      seen.push(value);
      if (seen.length === 2) resolve();
    };
    const { port } = await startServer({ note: { parameters: [{ name: 'value' }], handler: note } });
    const peer = await RawPeer.greet(port);
    const positional = [1, 2].map((value) => new Tuple(['note', new Tuple([value]), {}]));
    const payload = serpent.encodeInvocation({ object: objectName, method: '<batch>', positional, keywords: null });
    const ping = { type: messageTypes.ping, serializer: 42, payload: Buffer.from('ping') };
    peer.channel
      .send({ ...(await peer.ask(ping)), type: 4, serializer: 1, flags: 0x0c, payload })
      .catch(() => undefined);
    await done;
    expect(seen).toEqual([1, 2]);
    expect((await peer.ask(ping)).type).toBe(messageTypes.ping);
  });

  it('of another form is refused', async () => {
    const { port } = await startServer(methods);
    const peer = await RawPeer.greet(port);
    const payload = serpent.encodeInvocation({
      object: objectName,
      method: '<batch>',
      positional: [1],
      keywords: null,
    });
    const answer = await peer.ask({ type: 4, serializer: 1, flags: flag.batch, payload });
    expect(serpent.decode(answer.payload)).toMatchObject({ __class__: 'Pyro5.errors.ProtocolError' });
    await peer.closed;
  });
});
