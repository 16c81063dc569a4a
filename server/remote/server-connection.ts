import { randomBytes } from 'node:crypto';
import type { FrameChannel } from './channel.ts';
import { endsConnection, exceptionToWire, isRecord, RemoteError } from './exception.ts';
import { draftFrame, flag, messageTypes, plainPayload, type Frame } from './frame.ts';
import { BatchAnswer } from './batch-answer.ts';
import { invoke, invokeBatch, type Dispatcher } from './invocation.ts';
import type { RemoteCall } from './method.ts';
import { encodeRefusal, marshal } from './refusal.ts';
import { serializerOf, type Invocation, type Serializer } from './serializer.ts';
import { metadataOf } from './served-object.ts';
import type { Turnstile } from './turnstile.ts';

/** Maximum running oneway calls of one connection; the next one waits. */
const maxOnewayCalls = 32;
/** A handshake is small; nothing longer is read from an unknown caller. */
const handshakeBytes = 64 * 1024;
const handshakeValues = 1_000;

/** The decision about a caller: admitted under a name, or refused with a reason. */
export type Admission =
  | {
      readonly caller: string;
      /** It never queues. */
      readonly isTrusted: boolean;
    }
  | { readonly refusal: string };

interface ConnectionLimits {
  readonly requestBytes: number;
  readonly inflatedBytes: number;
  readonly answerBytes: number;
  readonly batchBytes: number;
  readonly values: number;
  readonly handshakeMs: number;
}

export interface ConnectionOptions extends Dispatcher {
  readonly channel: FrameChannel;
  readonly peer: string;
  readonly limits: ConnectionLimits;
  /** Where callers that are not trusted wait for their turn. */
  readonly turns: Turnstile;
  /** Decides about a caller by its handshake value. */
  readonly admit: (handshake: unknown) => Admission;
}

/** The server's side of one connection: handshake, then calls one after the other until the end. */
export class ServerConnection {
  readonly #options: ConnectionOptions;
  readonly #channel: FrameChannel;
  readonly #calls = new Set<AbortController>();
  readonly #oneways = new Map<Promise<void>, AbortController>();
  #caller = '';
  #isTrusted = false;
  #isBusy = false;
  #idleSince = performance.now();
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

  get peer(): string {
    return this.#options.peer;
  }

  /** How long it has been idle, ms; 0 while it is busy. */
  get idleMs(): number {
    return this.#isBusy || this.#oneways.size > 0 ? 0 : performance.now() - this.#idleSince;
  }

  /** Cuts the connection at once. */
  drop(): void {
    this.#channel.destroy();
  }

  /** Aborts running calls; an idle connection closes now, a busy one after its answer. */
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
      this.#channel.maxBytes = handshakeBytes;
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
    if (frame.type !== messageTypes.connect) {
      await this.#refuseBlindly(`invalid msg type ${frame.type} received (expected: ${messageTypes.connect})`);
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
    await this.#pass();
    const request = serializer.decode(plainPayload(frame, handshakeBytes), handshakeValues);
    const { handshake, object } = isRecord(request) ? request : {};
    const admission = this.#judge(handshake, object);
    if ('refusal' in admission) {
      await this.#reply(frame, { type: messageTypes.connectFail, payload: serializer.encode(admission.refusal) });
      return false;
    }
    this.#caller = admission.caller;
    this.#isTrusted = admission.isTrusted;
    if (this.#isTrusted) this.#channel.uncount();
    this.#channel.maxBytes = this.#options.limits.requestBytes;
    const answer = { handshake: 'hello', meta: metadataOf(this.#options.objects, object) };
    await this.#reply(frame, { type: messageTypes.connectOk, payload: serializer.encode(answer) });
    return true;
  }

  #judge(handshake: unknown, object: unknown): Admission {
    const admission = this.#options.admit(handshake);
    const isKnown = typeof object === 'string' && this.#options.objects.has(object);
    return 'refusal' in admission || isKnown ? admission : { refusal: 'unknown object' };
  }

  /** Before a serializer is agreed, Pyro5 refuses in marshal, which every Python client reads. */
  #refuseBlindly(text: string): Promise<void> {
    const refusal = draftFrame({ type: messageTypes.connectFail, serializer: marshal, payload: encodeRefusal(text) });
    return this.#reply(refusal, {});
  }

  async #serveAll(): Promise<void> {
    while (!this.#isStopping) {
      const frame = await this.#channel.receive();
      if (frame === undefined) return;
      this.#isBusy = true;
      const goesOn = await this.#serve(frame);
      this.#isBusy = false;
      this.#idleSince = performance.now();
      if (!goesOn) return;
    }
  }

  /** Answers one message; false when the connection must close after it. */
  async #serve(frame: Frame): Promise<boolean> {
    if (frame.type === messageTypes.ping) {
      await this.#pass();
      await this.#reply(frame, { payload: Buffer.from('pong', 'ascii') });
      return true;
    }
    const serializer = serializerOf(frame.serializer);
    if (frame.type !== messageTypes.invoke || serializer === undefined) return false;
    if ((frame.flags & flag.oneway) !== 0) return this.#serveOneway(frame, serializer);
    if (this.#channel.closed.aborted) return false;
    return this.#serveCall(frame, serializer);
  }

  async #serveCall(frame: Frame, serializer: Serializer): Promise<boolean> {
    const controller = new AbortController();
    this.#calls.add(controller);
    const flags = frame.flags & flag.batch;
    try {
      const payload = await this.#answer(frame, serializer, controller.signal);
      await this.#reply(frame, { type: messageTypes.result, flags, payload });
      return true;
    } catch (error) {
      if (!(error instanceof RemoteError) || this.#channel.closed.aborted) throw error;
      const payload = serializer.encode(exceptionToWire(error));
      await this.#reply(frame, { type: messageTypes.result, flags: flag.exception, payload });
      return !endsConnection(error);
    } finally {
      this.#calls.delete(controller);
    }
  }

  /** Starts a call whose result is not wanted; its errors are not reported to the caller. */
  async #serveOneway(frame: Frame, serializer: Serializer): Promise<boolean> {
    const controller = new AbortController();
    const invocation = await this.#read(frame, serializer);
    const ended = (): void => void this.#oneways.delete(running);
    const running: Promise<void> = this.#runUnheard(frame, invocation, controller.signal).then(ended, ended);
    this.#oneways.set(running, controller);
    if (this.#oneways.size >= maxOnewayCalls) await Promise.race(this.#oneways.keys());
    return true;
  }

  async #read(frame: Frame, serializer: Serializer): Promise<Invocation> {
    const { inflatedBytes, values } = this.#options.limits;
    await this.#pass();
    return serializer.decodeInvocation(plainPayload(frame, inflatedBytes), values);
  }

  async #answer(frame: Frame, serializer: Serializer, signal: AbortSignal): Promise<Buffer> {
    const invocation = await this.#read(frame, serializer);
    if ((frame.flags & flag.batch) !== 0) return this.#answerBatch(invocation, serializer, signal);
    const result = await invoke(this.#options, invocation, this.#callOf(signal));
    await this.#pass();
    return this.#encode(serializer, result);
  }

  async #answerBatch(invocation: Invocation, serializer: Serializer, signal: AbortSignal): Promise<Buffer> {
    let held = 0;
    const grown = (bytes: number): void => {
      held += bytes;
      this.#channel.hold(bytes);
    };
    const { answerBytes, batchBytes } = this.#options.limits;
    const mostBytes = this.#isTrusted ? answerBytes : Math.min(answerBytes, batchBytes);
    const answer = new BatchAnswer({ serializer, mostBytes, grown });
    try {
      await invokeBatch(this.#options, invocation, { call: this.#callOf(signal), answer, pass: () => this.#pass() });
      return answer.encode();
    } finally {
      this.#channel.hold(-held);
    }
  }

  async #runUnheard(frame: Frame, invocation: Invocation, signal: AbortSignal): Promise<void> {
    const call = this.#callOf(signal);
    if ((frame.flags & flag.batch) === 0) await invoke(this.#options, invocation, call);
    else await invokeBatch(this.#options, invocation, { call, answer: undefined, pass: () => this.#pass() });
  }

  #callOf(signal: AbortSignal): RemoteCall {
    return { signal, peer: this.#options.peer, caller: this.#caller };
  }

  #pass(): Promise<void> {
    return this.#isTrusted ? Promise.resolve() : this.#options.turns.pass();
  }

  #encode(serializer: Serializer, result: unknown): Buffer {
    const { answerBytes } = this.#options.limits;
    const payload = this.#encodeOrTell(serializer, result);
    if (payload.length <= answerBytes) return payload;
    throw new RemoteError('too_large', `the answer is longer than ${answerBytes} bytes`);
  }

  /** A result that cannot be written is a fault of the handler, whatever the caller gets. */
  #encodeOrTell(serializer: Serializer, result: unknown): Buffer {
    try {
      return serializer.encode(result);
    } catch (error) {
      this.#options.onFault(error);
      throw error;
    }
  }

  /** Same sequence and serializer as the request; its correlation id, or a new one. */
  #reply(request: Frame, answer: Partial<Frame>): Promise<void> {
    const isCorrelated = (request.flags & flag.correlation) !== 0;
    const { type, serializer, seq, payload } = request;
    const frame = draftFrame({ type, serializer, seq, payload, ...answer });
    return this.#channel.send({
      ...frame,
      flags: frame.flags | flag.correlation,
      correlation: isCorrelated ? request.correlation : randomBytes(16),
    });
  }
}
