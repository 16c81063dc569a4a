import { z } from 'zod';
import { daemonStatus, eventsSince, liveState } from '../daemon.ts';
import { driverDescription } from '../driver.ts';
import { optional, remoteMethod, required } from './method.ts';

/** The daemon itself, its events, and the devices that its drivers find. */
export const daemonMethods = {
  events_since: remoteMethod({
    does: 'the events after a cursor, or none after wait_s (0 to 60)',
    access: 'network',
    parameters: [required('cursor', z.string().max(100)), optional('wait_s', z.number().min(0).max(60), 20)],
    answer: eventsSince,
  }),
  live_state: remoteMethod({
    does: 'all readings, outputs and controllers at this moment',
    access: 'network',
    parameters: [],
    answer: liveState,
  }),
  drivers: remoteMethod({
    does: 'the drivers and their options',
    access: 'network',
    parameters: [],
    answer: z.array(driverDescription),
  }),
  /** The driver defines query and answer in `contract/drivers`. Takes up to 8 s. */
  driver_search: remoteMethod({
    does: 'which devices a driver finds where the query says; changes nothing',
    access: 'loopback',
    parameters: [required('driver', z.string().max(50)), required('query', z.record(z.string(), z.unknown()))],
    answer: z.unknown(),
  }),
  daemon_status: remoteMethod({
    does: 'version, process, data directory and start of the daemon',
    access: 'network',
    parameters: [],
    answer: daemonStatus,
  }),
  /** null on the wire when all is well, which `DaemonControl` returns as GOOD. */
  check_daemon: remoteMethod({
    does: 'GOOD, or what is wrong',
    access: 'network',
    parameters: [],
    answer: z.string().nullable(),
  }),
  ram_use: remoteMethod({
    does: 'memory of the daemon, MB',
    access: 'network',
    parameters: [],
    answer: z.number(),
  }),
  terminate_daemon: remoteMethod({
    does: 'stop the daemon in order',
    access: 'loopback',
    parameters: [],
    answer: z.boolean(),
  }),
};
