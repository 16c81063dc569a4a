import type { Actor, AuditSink } from '../../auth/actor.ts';
import { systemActor } from '../../auth/system-actor.ts';
import type { DaemonEvent } from '../../contract/daemon.ts';
import type { LiveCache } from '../live/live.ts';

type EventOf<Kind extends DaemonEvent['kind']> = Extract<DaemonEvent, { kind: Kind }>;

/** A program that commands the daemon by its remote object, past the REST interface, under the name that the daemon gives it. */
export const outsideActor: Actor = {
  user_id: null,
  username: 'pyro',
  role: null,
  permissions: new Set(),
  key_id: null,
  scope: 'full',
  session_id: null,
  address: null,
};

/** Writes what programs did past the REST interface, and overrides that ended by themselves, to the audit; gives what ends that. */
export function auditOutsideCommands(live: Pick<LiveCache, 'subscribe'>, audit: AuditSink): () => void {
  return live.subscribe((event) => {
    if (event.kind === 'emergency_stop') auditStop(event, audit);
    else if (event.kind === 'output') auditCommand(event, audit);
    else if (event.kind === 'override') auditOverride(event, audit);
    else if (event.kind === 'program') auditDeed(event, audit);
    else if (event.kind === 'daemon') auditEnd(event, audit);
  });
}

function auditStop({ active, since, by, reason, released_by }: EventOf<'emergency_stop'>, audit: AuditSink): void {
  const after = { active, since, by, reason };
  if (by === outsideActor.username) audit.record({ kind: 'emergency_stop.begin', actor: outsideActor, after });
  if (released_by === outsideActor.username)
    audit.record({ kind: 'emergency_stop.release', actor: outsideActor, after });
}

function auditCommand(event: EventOf<'output'>, audit: AuditSink): void {
  const { channel, state, quality, outcome, code, message, requested, before } = event;
  if (event.commanded_by !== outsideActor.username || outcome === undefined) return;
  const after = {
    ...{ channel, state, quality, outcome },
    ...(requested !== undefined && { requested }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
  };
  const record = { kind: 'output.command', actor: outsideActor, target: event.output_id, after };
  audit.record(before === undefined ? record : { ...record, before });
}

/** One that somebody released is in the audit as his deed. */
function auditOverride({ id: _id, at: _at, kind: _kind, ...ended }: EventOf<'override'>, audit: AuditSink): void {
  const { output_id: target, ended_by, next, ...override } = ended;
  if (ended_by === 'released') return;
  audit.record({
    kind: 'output.override_end',
    actor: systemActor,
    target,
    before: override,
    after: { ended_by, next },
  });
}

function auditDeed(event: EventOf<'program'>, audit: AuditSink): void {
  const { method, peer, target, asked, before, is_done, answer } = event;
  audit.record({
    kind: `program.${method}`,
    actor: { ...outsideActor, address: addressOf(peer) },
    after: { asked, is_done, answer },
    target,
    ...(before !== undefined && { before }),
  });
}

function auditEnd({ ended_by }: EventOf<'daemon'>, audit: AuditSink): void {
  if (ended_by === undefined) return;
  audit.record({ kind: 'program.terminate_daemon', actor: outsideActor, after: { ended_by } });
}

function addressOf(peer: string): string {
  return peer.replace(/:\d+$/, '');
}
