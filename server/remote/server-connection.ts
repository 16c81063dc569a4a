import { randomBytes } from 'node:crypto';
import type { FrameChannel } from './channel.ts';
import { endsConnection, exceptionToWire, isRecord, RemoteError } from './exception.ts';
import { draftFrame, FLAG, MESSAGE, plainPayload } from './frame.ts';
import type { Frame } from './frame.ts';
import { invoke, invokeBatch } from './invocation.ts';
import type { Dispatcher } from './invocation.ts';
import { encodeRefusal, MARSHAL } from './refusal.ts';
import { serializerOf } from './serializer.ts';
import type { Invocation, Serializer } from './serializer.ts';
import { metadataOf } from './served-object.ts';

/** Oneway calls of one connection that may run at a time; the next one waits. */
const MAX_ONEWAY_CALLS = 32;
/** A handshake is small; nothing longer is read from someone unknown. */
const HANDSHAKE_BYTES = 64 * 1024;

/** What becomes of a caller: let in under a name, or turned away with a reason. */
export type Admission = { readonly caller: string } | { readonly refusal: string };

export interface ConnectionOptions extends Dispatcher {
  readonly channel: FrameChannel;
  readonly peer: string;
  readonly limits: { readonly frameBytes: number; readonly inflatedBytes: number; readonly handshakeMs: number };
  /** Judges a caller by the value of its handshake. */
  readonly admit: (handshake: unknown) => Admission;
}

/** The server's side of one connection: handshake, then calls one after the other until the end. */
export class ServerConnection {
  readonly #options: ConnectionOptions;
  readonly #channel: FrameChannel;
  readonly #calls = new Set<AbortController>();
  readonly #oneways = new Map<Promise<void>, AbortController>();
  #caller = '';
  #isBusy = false;
  #isStopping = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#channel = options.channel;
  }

  /** Serves until the connection ends and its oneway calls are done; never rejects. */
  async run(): Promise<void> {
    const abortCalls = () => this.#abort(this.#calls.values());
    this.#channel.closed.addEventListener('abort', abortCalls, { once: true });
    try {
      if (await this.#handshake()) await this.#serveAll();
      this.#channel.end();
    } catch (error) {
      if (!(error instanceof RemoteError)) this.#options.onFault(error);
      this.#channel.destroy();
    }
    await Promise.allSettled(this.#oneways.keys());
  }

  /** Aborts what runs; an idle connection closes now, a busy one after its answer. */
  stop(): void {
    this.#isStopping = true;
    this.#abort(this.#calls.values());
    this.#abort(this.#oneways.values());
    if (!this.#isBusy) this.#channel.destroy();
  }

  #abort(controllers: Iterable<AbortController>): void {
    for (const controller of controllers) controller.abort(new RemoteError('aborted', 'the call was abandoned'));
  }

  async #handshake(): Promise<boolean> {
    const timer = setTimeout(() => this.#channel.destroy(), this.#options.limits.handshakeMs);
    try {
      this.#channel.maxBytes = HANDSHAKE_BYTES;
      return await this.#greet();
    } catch (error) {
      if (!(error instanceof RemoteError) || error.code === 'connection_failed') throw error;
      await this.#refuseBlindly(error.message);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  async #greet(): Promise<boolean> {
    const frame = await this.#channel.receive();
    if (frame === undefined) return false;
    if (frame.type !== MESSAGE.connect) {
      await this.#refuseBlindly(`invalid msg type ${frame.type} received (expected: ${MESSAGE.connect})`);
      return false;
    }
    const serializer = serializerOf(frame.serializer);
    if (serializer === undefined) {
      await this.#refuseBlindly(`serializer ${frame.serializer} is not accepted; use serpent or json`);
      return false;
    }
    return this.#answerConnect(frame, serializer);
  }

  async #answerConnect(frame: Frame, serializer: Serializer): Promise<boolean> {
    const request = serializer.decode(await plainPayload(frame, HANDSHAKE_BYTES));
    const { handshake, object } = isRecord(request) ? request : {};
    const admission = this.#judge(handshake, object);
    if ('refusal' in admission) {
      await this.#reply(frame, { type: MESSAGE.connectFail, payload: serializer.encode(admission.refusal) });
      return false;
    }
    this.#caller = admission.caller;
    this.#channel.maxBytes = this.#options.limits.frameBytes;
    const answer = { handshake: 'hello', meta: metadataOf(this.#options.objects, object) };
    await this.#reply(frame, { type: MESSAGE.connectOk, payload: serializer.encode(answer) });
    return true;
  }

  #judge(handshake: unknown, object: unknown): Admission {
    const admission = this.#options.admit(handshake);
    const isKnown = typeof object === 'string' && this.#options.objects.has(object);
    return 'refusal' in admission || isKnown ? admission : { refusal: 'unknown object' };
  }

  /** Before a serializer is agreed Pyro5 refuses in marshal, which every Python client reads. */
  #refuseBlindly(text: string): Promise<void> {
    const refusal = draftFrame({ type: MESSAGE.connectFail, serializer: MARSHAL, payload: encodeRefusal(text) });
    return this.#reply(refusal, {});
  }

  async #serveAll(): Promise<void> {
    while (!this.#isStopping) {
      const frame = await this.#channel.receive();
      if (frame === undefined) return;
      this.#isBusy = true;
      const goesOn = await this.#serve(frame);
      this.#isBusy = false;
      if (!goesOn) return;
    }
  }

  /** Answers one message; false when the connection must close after it. */
  async #serve(frame: Frame): Promise<boolean> {
    if (frame.type === MESSAGE.ping) {
      await this.#reply(frame, { payload: Buffer.from('pong', 'ascii') });
      return true;
    }
    const serializer = serializerOf(frame.serializer);
    if (frame.type !== MESSAGE.invoke || serializer === undefined) return false;
    if ((frame.flags & FLAG.oneway) !== 0) return this.#serveOneway(frame, serializer);
    if (this.#channel.closed.aborted) return false;
    return this.#serveCall(frame, serializer);
  }

  async #serveCall(frame: Frame, serializer: Serializer): Promise<boolean> {
    const controller = new AbortController();
    this.#calls.add(controller);
    const batch = frame.flags & FLAG.batch;
    try {
      const result = await this.#invoke(frame, await this.#read(frame, serializer), controller.signal);
      await this.#reply(frame, { type: MESSAGE.result, flags: batch, payload: this.#encode(serializer, result) });
      return true;
    } catch (error) {
      if (!(error instanceof RemoteError) || this.#channel.closed.aborted) throw error;
      const payload = serializer.encode(exceptionToWire(error));
      await this.#reply(frame, { type: MESSAGE.result, flags: FLAG.exception, payload });
      return !endsConnection(error);
    } finally {
      this.#calls.delete(controller);
    }
  }

  /** Starts a call that nobody waits for; its errors are not reported to the caller. */
  async #serveOneway(frame: Frame, serializer: Serializer): Promise<boolean> {
    const controller = new AbortController();
    const invocation = await this.#read(frame, serializer);
    const running: Promise<void> = this.#invoke(frame, invocation, controller.signal).then(
      () => void this.#oneways.delete(running),
      () => void this.#oneways.delete(running),
    );
    this.#oneways.set(running, controller);
    if (this.#oneways.size >= MAX_ONEWAY_CALLS) await Promise.race(this.#oneways.keys());
    return true;
  }

  async #read(frame: Frame, serializer: Serializer): Promise<Invocation> {
    return serializer.decodeInvocation(await plainPayload(frame, this.#options.limits.inflatedBytes));
  }

  async #invoke(frame: Frame, invocation: Invocation, signal: AbortSignal): Promise<unknown> {
    const call = { signal, peer: this.#options.peer, caller: this.#caller };
    const isBatch = (frame.flags & FLAG.batch) !== 0;
    return isBatch ? invokeBatch(this.#options, invocation, call) : invoke(this.#options, invocation, call);
  }

  #encode(serializer: Serializer, result: unknown): Buffer {
    const payload = this.#encodeOrTell(serializer, result);
    if (payload.length <= this.#options.limits.frameBytes) return payload;
    throw new RemoteError('too_large', `the answer is longer than ${this.#options.limits.frameBytes} bytes`);
  }

  /** A result that cannot be written is a fault of the handler, whatever the caller hears. */
  #encodeOrTell(serializer: Serializer, result: unknown): Buffer {
    try {
      return serializer.encode(result);
    } catch (error) {
      this.#options.onFault(error);
      throw error;
    }
  }

  /** Same sequence and serializer as the request; its correlation id, or one of our own. */
  #reply(request: Frame, answer: Partial<Frame>): Promise<void> {
    const isCorrelated = (request.flags & FLAG.correlation) !== 0;
    const { type, serializer, seq, payload } = request;
    const frame = draftFrame({ type, serializer, seq, payload, ...answer });
    return this.#channel.send({
      ...frame,
      flags: frame.flags | FLAG.correlation,
      correlation: isCorrelated ? request.correlation : randomBytes(16),
    });
  }
}
