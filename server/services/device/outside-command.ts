import type { Actor, AuditEntry } from '../../auth/actor.ts';
import { systemActor } from '../../auth/system-actor.ts';
import type { DaemonEvent } from '../../contract/daemon.ts';
import { outsideActor as outsideName } from '../../contract/remote/parameters.ts';

type EventOf<Kind extends DaemonEvent['kind']> = Extract<DaemonEvent, { kind: Kind }>;
type Entry = Omit<AuditEntry, 'at'>;

/** A program that commands the daemon by its remote object, past the REST interface, under the daemon's name for it. */
export const outsideActor: Actor = {
  user_id: null,
  username: outsideName,
  role: null,
  permissions: new Set(),
  key_id: null,
  scope: 'full',
  session_id: null,
  address: null,
};

/**
 * The record of what a program did past the REST interface, or of an override that ended by itself; undefined for other
 * events.
 */
export function outsideDeed(event: DaemonEvent): AuditEntry | undefined {
  const entry = entryOf(event);
  return entry && { ...entry, at: event.at };
}

function entryOf(event: DaemonEvent): Entry | undefined {
  if (event.kind === 'emergency_stop') return stopOf(event);
  if (event.kind === 'output') return commandOf(event);
  if (event.kind === 'override') return overrideOf(event);
  if (event.kind === 'program') return deedOf(event);
  return event.kind === 'daemon' ? endOf(event) : undefined;
}

function stopOf({ active, since, by, reason, released_by }: EventOf<'emergency_stop'>): Entry | undefined {
  const after = { active, since, by, reason };
  if (by === outsideActor.username) return { kind: 'emergency_stop.begin', actor: outsideActor, after };
  return released_by === outsideActor.username
    ? { kind: 'emergency_stop.release', actor: outsideActor, after }
    : undefined;
}

function commandOf(event: EventOf<'output'>): Entry | undefined {
  const { channel, state, quality, outcome, code, message, requested, before } = event;
  if (event.commanded_by !== outsideActor.username || outcome === undefined) return undefined;
  const after = {
    channel,
    state,
    quality,
    outcome,
    ...(requested !== undefined && { requested }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
  };
  const record = { kind: 'output.command', actor: outsideActor, target: event.output_id, after };
  return before === undefined ? record : { ...record, before };
}

/** A released override is in the audit already, under the user who released it. */
function overrideOf({ id: _id, at: _at, kind: _kind, ...ended }: EventOf<'override'>): Entry | undefined {
  const { output_id: target, ended_by, next, ...override } = ended;
  if (ended_by === 'released') return undefined;
  return { kind: 'output.override_end', actor: systemActor, target, before: override, after: { ended_by, next } };
}

function deedOf({ method, peer, target, asked, before, is_done, answer }: EventOf<'program'>): Entry {
  return {
    kind: `program.${method}`,
    actor: { ...outsideActor, address: addressOf(peer) },
    after: { asked, is_done, answer },
    target,
    ...(before !== undefined && { before }),
  };
}

function endOf({ ended_by }: EventOf<'daemon'>): Entry | undefined {
  if (ended_by === undefined) return undefined;
  return { kind: 'program.terminate_daemon', actor: outsideActor, after: { ended_by } };
}

function addressOf(peer: string): string {
  return peer.replace(/:\d+$/, '');
}
