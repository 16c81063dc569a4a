import { RemoteError } from './exception.ts';
import type { MethodTable, RemoteMethod } from './method.ts';

/** The object that every Pyro5 daemon serves about itself. */
const daemonObject = 'Pyro.Daemon';

export type ObjectTable = ReadonlyMap<string, MethodTable>;

export interface ObjectMetadata {
  readonly methods: readonly string[];
  readonly oneway: readonly string[];
  readonly attrs: readonly string[];
}

/** The served object and the daemon's own beside it; `info` is called when a client asks for the text. */
export function objectTable(
  objectId: string,
  methods: Readonly<Record<string, RemoteMethod>>,
  info: () => string,
): ObjectTable {
  const objects = new Map<string, MethodTable>([[objectId, new Map(Object.entries(methods))]]);
  objects.set(daemonObject, new Map(Object.entries(daemonMethods(objects, info))));
  return objects;
}

/** What a Python proxy must know about an object. Throws Pyro5's DaemonError `unknown object`, code `not_found`. */
export function metadataOf(objects: ObjectTable, objectId: unknown): ObjectMetadata {
  const methods = methodsOf(objects, objectId);
  const oneway = [...methods].filter(([, method]) => method.oneway === true).map(([name]) => name);
  return { methods: [...methods.keys()], oneway, attrs: [] };
}

/** The method with this name, with Pyro5's messages for private, unexposed and attribute access (code `not_found`). */
export function findMethod(objects: ObjectTable, objectId: string, name: string): RemoteMethod {
  const methods = methodsOf(objects, objectId);
  const method = methods.get(name);
  if (method !== undefined) return method;
  const kind = name.startsWith('_') ? 'private' : 'unexposed';
  throw attributeError(`attempt to access ${kind} attribute '${name}'`);
}

/** `__getattr__` and `__setattr__` access attributes, which the objects do not have. */
export function refuseAttribute(positional: readonly unknown[]): never {
  const name = typeof positional[0] === 'string' ? positional[0] : '';
  throw attributeError(`attempt to access ${name.startsWith('_') ? 'private' : 'unexposed'} attribute '${name}'`);
}

function methodsOf(objects: ObjectTable, objectId: unknown): MethodTable {
  const methods = typeof objectId === 'string' ? objects.get(objectId) : undefined;
  if (methods !== undefined) return methods;
  throw new RemoteError('not_found', 'unknown object', { remote_class: 'Pyro5.errors.DaemonError' });
}

function attributeError(message: string): RemoteError {
  return new RemoteError('not_found', message, { remote_class: 'builtins.AttributeError' });
}

function daemonMethods(objects: ObjectTable, info: () => string): Record<string, RemoteMethod> {
  const streamId = [{ name: 'streamId' }];
  return {
    registered: { parameters: [], handler: async () => [...objects.keys()] },
    ping: { parameters: [], handler: async () => null },
    info: { parameters: [], handler: async () => info() },
    get_metadata: {
      parameters: [{ name: 'objectId' }, { name: 'as_lists', default: false }],
      handler: async ({ objectId }) => metadataOf(objects, objectId),
    },
    get_next_stream_item: {
      parameters: streamId,
      handler: async () => {
        throw new RemoteError('not_available', 'no item stream is open: results are never streamed');
      },
    },
    close_stream: { parameters: streamId, oneway: true, handler: async () => null },
  };
}
