import { declaredMethod } from '../../contract/remote/index.ts';
import type { NewEvent } from '../events/events.ts';
import type { RemoteCall, RemoteMethod } from '../../remote/method.ts';
import { isServer } from './access.ts';

type ProgramDeed = Extract<NewEvent, { kind: 'program' }>;

interface DeedHost {
  tell: (event: ProgramDeed) => void;
  /** The present state of a device; undefined for anything else. */
  stateOf: (id: string) => ProgramDeed['before'];
}

/** Maximum characters of an argument or answer in an event. */
const longestText = 300;

/**
 * The methods, wrapped so that those which act on something (`actsOn`) publish what a program did. Commands of outputs,
 * the emergency stop and `terminate_daemon` have events of their own.
 */
export function toldDeeds(
  methods: Readonly<Record<string, RemoteMethod>>,
  host: DeedHost,
): Record<string, RemoteMethod> {
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => {
      const target = declaredMethod(name)?.actsOn;
      return [name, target === undefined ? method : { ...method, handler: told({ name, target, method }, host) }];
    }),
  );
}

interface Deed {
  name: string;
  target: string;
  method: RemoteMethod;
}

function told({ name, target, method }: Deed, { tell, stateOf }: DeedHost): RemoteMethod['handler'] {
  return async (args, call) => {
    if (isServer(call)) return method.handler(args, call);
    const about = textOf(args[target]).toLowerCase();
    const before = stateOf(about);
    const deed = { ...begun(name, args, call), target: about, ...(before !== undefined && { before }) };
    try {
      const answer = await method.handler(args, call);
      const isRefused = Array.isArray(answer) && answer[0] === 1;
      tell({ ...deed, is_done: !isRefused, answer: textOf(answer) });
      return answer;
    } catch (error) {
      tell({ ...deed, is_done: false, answer: textOf(error instanceof Error ? error.message : error) });
      throw error;
    }
  };
}

function begun(name: string, args: Record<string, unknown>, call: RemoteCall) {
  const given = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  const asked = Object.fromEntries(given.map(([parameter, value]) => [parameter, textOf(value)]));
  return { kind: 'program', method: name, peer: call.peer, asked } as const;
}

/** Converts no more text than the event holds, as a value may be as large as a frame. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, longestText);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (Array.isArray(value)) return value.slice(0, 3).map(textOf).join(': ').slice(0, longestText);
  return value === undefined ? '' : `{${Object.keys(value).slice(0, 20).join(', ').slice(0, longestText)}}`;
}
