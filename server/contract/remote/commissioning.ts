import { z } from 'zod';
import { referenceReading } from '../commissioning-accuracy.ts';
import {
  checkItem,
  checkOverview,
  checkPlan,
  checkReopen,
  checkVerdict,
  commissioningCheck,
} from '../commissioning.ts';
import { optional, remoteMethod, required } from './method.ts';
import { byActor, id } from './parameters.ts';

const checkId = required('check_id', id);
const facilityId = required('facility_id', id);

/** Checks of a house, which the daemon runs and keeps. */
export const commissioningMethods = {
  /** Failures: `not_found`, `nothing_bound`. */
  commissioning_plan: remoteMethod({
    does: 'how long a check of a house would take',
    access: 'network',
    parameters: [facilityId],
    answer: checkPlan,
  }),
  /** Failures: `not_found`, `check_running`, `emergency_stopped`, `nothing_bound`. */
  commissioning_start: remoteMethod({
    does: 'begin to check a house, or some of its devices',
    access: 'loopback',
    parameters: [facilityId, optional('include', z.array(id).min(1).max(1000).readonly().nullable(), null), byActor],
    answer: commissioningCheck,
    actsOn: 'facility_id',
  }),
  /** Failures: `not_found`, `not_running`. */
  commissioning_abort: remoteMethod({
    does: 'end a check of a house and bring everything back',
    access: 'network',
    parameters: [checkId, byActor],
    answer: commissioningCheck,
    actsOn: 'check_id',
  }),
  commissioning_get: remoteMethod({
    does: 'what a check of a house found',
    access: 'network',
    parameters: [checkId],
    answer: commissioningCheck,
  }),
  commissioning_list: remoteMethod({
    does: 'the checks of a house, the latest first',
    access: 'network',
    parameters: [facilityId],
    answer: z.array(checkOverview),
  }),
  /** Failures: `not_found`, `not_retestable`, `check_running`, `emergency_stopped`. */
  commissioning_retest: remoteMethod({
    does: 'test what a check left undecided again',
    access: 'loopback',
    parameters: [checkId, byActor],
    answer: commissioningCheck,
    actsOn: 'check_id',
  }),
  /** Failures: `not_found`, `not_in_check`, `not_judgeable`, `check_completed`, `no_reading`, `not_steady`. */
  commissioning_accuracy: remoteMethod({
    does: 'hold a sensor against a reference instrument',
    access: 'loopback',
    parameters: [
      checkId,
      required('reference', referenceReading.extend({ device_id: id, measurement_id: id })),
      byActor,
    ],
    answer: checkItem,
    actsOn: 'check_id',
  }),
  /** Failures: `not_found`, `not_completed`. */
  commissioning_reopen: remoteMethod({
    does: 'open a completed check for verdicts again',
    access: 'loopback',
    parameters: [checkId, required('reason', checkReopen.shape.reason), byActor],
    answer: commissioningCheck,
    actsOn: 'check_id',
  }),
  /** Failures: `not_found`, `not_in_check`, `not_judgeable`, `check_completed`. */
  commissioning_verdict: remoteMethod({
    does: 'approve or hold what a check found',
    access: 'loopback',
    parameters: [checkId, required('verdict', checkVerdict.extend({ device_id: id })), byActor],
    answer: checkItem,
    actsOn: 'check_id',
  }),
};
