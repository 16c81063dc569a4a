import { alarmMethods } from './alarm.ts';
import { commissioningMethods } from './commissioning.ts';
import { controllerMethods } from './controller.ts';
import { daemonMethods } from './daemon.ts';
import { actionMethods, conditionalMethods, functionMethods, triggerMethods } from './function.ts';
import { inputMethods } from './input.ts';
import { lcdMethods } from './lcd.ts';
import { measurementMethods } from './measurement.ts';
import type { CallsOf, DeclaredMethod } from './method.ts';
import { outputMethods } from './output.ts';
import { pidMethods } from './pid.ts';
import { safetyMethods } from './safety.ts';

/** All methods of the daemon's remote object. One without a handler in this daemon answers `not_available`. */
export const remoteMethods = {
  ...actionMethods,
  ...alarmMethods,
  ...commissioningMethods,
  ...conditionalMethods,
  ...controllerMethods,
  ...daemonMethods,
  ...functionMethods,
  ...inputMethods,
  ...lcdMethods,
  ...measurementMethods,
  ...outputMethods,
  ...pidMethods,
  ...safetyMethods,
  ...triggerMethods,
};

export type RemoteMethodName = keyof typeof remoteMethods;
/** The remote object for clients. */
export type RemoteCalls = CallsOf<typeof remoteMethods>;

/** undefined for a name that is not declared. */
export function declaredMethod(name: string): DeclaredMethod | undefined {
  return isRemoteMethod(name) ? remoteMethods[name] : undefined;
}

export function isRemoteMethod(name: string): name is RemoteMethodName {
  return Object.hasOwn(remoteMethods, name);
}
