import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartbeatMs, type PageEvent } from '../../../../server/contract/event.ts';
import { dated } from '../../../../server/contract/measurement.ts';
import { EventStream, type StreamState } from '../../../../renderer/client/events.ts';

class FakeSource extends EventTarget {
  readyState = 0;
  readonly address: string;

  constructor(address: string) {
    super();
    this.address = address;
  }

  close(): void {
    this.readyState = 2;
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }

  send(kind: string, data: unknown, id: string): void {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data), lastEventId: id }));
  }
}

const daemonEvent = { id: 'b:1', at: '2026-01-01T00:00:00.000Z', kind: 'daemon', state: 'started', message: 'up' };

const reading = {
  id: 'b:2',
  at: '2026-01-01T00:00:01.000Z',
  kind: 'measurement',
  ...dated({
    device_id: '00000000-0000-4000-8000-000000000001',
    measurement_id: '00000000-0000-4000-8000-000000000002',
    channel: 0,
    value: 20,
    unit: 'C',
    quality: 'good',
    time_ms: 1_767_225_600_500,
  }),
};

describe('EventStream', () => {
  let sources: FakeSource[];
  let states: StreamState[];
  let events: PageEvent[];
  let resets: number;
  let ends: number;
  let stream: EventStream;
  const source = (at: number): FakeSource => {
    const found = sources[at];
    if (found === undefined) throw new Error(`stream ${at} was not opened`);
    return found;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    [sources, states, events, resets, ends] = [[], [], [], 0, 0];
    stream = new EventStream(
      {
        event: (event) => events.push(event),
        reset: () => (resets += 1),
        state: (state) => states.push(state),
        ended: () => (ends += 1),
      },
      (address) => {
        const opened = new FakeSource(address);
        sources.push(opened);
        return opened;
      },
    );
    stream.start();
  });
  afterEach(() => {
    stream.stop();
    vi.useRealTimers();
  });

  it('gives on a reading as the service tells it, with its time in both forms', () => {
    source(0).open();
    source(0).send('measurement', reading, 'b:2');
    expect(events).toEqual([reading]);
  });

  it('tells of maps and facilities that somebody changed', () => {
    source(0).open();
    const change = { kind: 'map', id: 'b:1', at: '2026-01-01T00:00:00.000Z', state: 'living', revision: 3 };
    const map_uuid = '00000000-0000-4000-8000-000000000003';
    source(0).send('map', { ...change, map_uuid }, 'b:1');
    source(0).send('facility', { ...change, kind: 'facility', facility_uuid: map_uuid, geo_id: map_uuid }, 'b:1');
    expect(events.map(({ kind }) => kind)).toEqual(['map', 'facility']);
  });

  it('reads everything when it opens first, then only what comes', () => {
    source(0).open();
    source(0).send('daemon', daemonEvent, 'b:1');
    source(0).fail(0);
    source(0).open();
    expect(states).toEqual(['connecting', 'open', 'lost', 'open']);
    expect(events).toEqual([daemonEvent]);
    expect([resets, ends]).toEqual([1, 0]);
  });

  it('reads everything again at a reset', () => {
    source(0).open();
    source(0).send('reset', {}, '');
    expect(resets).toBe(2);
  });

  it('opens a refused stream again where it left off, waiting longer each time', () => {
    source(0).open();
    source(0).send('daemon', daemonEvent, 'b:1');
    source(0).fail(2);
    expect(ends).toBe(1);
    vi.advanceTimersByTime(999);
    expect(sources).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(source(1).address).toBe('/api/events?last_event_id=b%3A1');
    source(1).fail(2);
    vi.advanceTimersByTime(1_999);
    expect(sources).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(sources).toHaveLength(3);
  });

  it('takes a silent stream for lost, whether it was open or never answered, and opens it again', () => {
    source(0).open();
    source(0).send('daemon', daemonEvent, 'b:1');
    vi.advanceTimersByTime(24_999);
    expect(states.at(-1)).toBe('open');
    vi.advanceTimersByTime(1);
    expect(states.at(-1)).toBe('lost');
    expect(source(0).readyState).toBe(2);
    vi.advanceTimersByTime(1_000);
    expect(source(1).address).toBe('/api/events?last_event_id=b%3A1');
    vi.advanceTimersByTime(25_000 + 2_000);
    expect(sources).toHaveLength(3);
    expect(states.slice(2)).not.toContain('open');
  });

  it('stays lost until a stream opens, even if no event ever came', () => {
    source(0).open();
    vi.advanceTimersByTime(25_000 + 1_000 + 25_000);
    expect(sources).toHaveLength(2);
    expect(states.slice(2).every((state) => state === 'lost')).toBe(true);
    vi.advanceTimersByTime(2_000);
    source(2).open();
    expect(states.at(-1)).toBe('open');
  });

  it.each(['heartbeat', 'job'])('keeps a stream that lives by nothing but: %s', (kind) => {
    source(0).open();
    for (let beat = 0; beat < 10; beat += 1) {
      vi.advanceTimersByTime(heartbeatMs + 4_000);
      source(0).send(kind, {}, '');
    }
    expect(states).toEqual(['connecting', 'open']);
    expect(events).toEqual([]);
  });

  it('opens at once when the network is back, unless it is open or was stopped', () => {
    source(0).fail(2);
    stream.retry();
    stream.retry();
    expect(sources).toHaveLength(2);
    source(1).open();
    stream.retry();
    stream.stop();
    stream.retry();
    expect(sources).toHaveLength(2);
  });

  it('opens nothing after its stop', () => {
    source(0).fail(2);
    stream.stop();
    vi.advanceTimersByTime(60_000);
    expect(sources).toHaveLength(1);
    expect(states.at(-1)).toBe('closed');
  });
});
