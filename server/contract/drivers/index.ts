import type { z } from 'zod';
import type { DeviceKind, Driver, DriverSearch } from './driver.ts';
import { drivers } from './list.ts';

export { drivers };
export type DriverName = keyof typeof drivers;
export type OptionsOf<Name extends DriverName> = z.infer<(typeof drivers)[Name]['options']>;

/** The drivers that search for devices. */
export type SearchingDriver = {
  [Name in DriverName]: (typeof drivers)[Name] extends { search: DriverSearch } ? Name : never;
}[DriverName];
export type SearchOf<Name extends SearchingDriver> = (typeof drivers)[Name]['search'];

const all: Readonly<Record<string, Driver>> = drivers;

export const driverList: readonly (readonly [name: DriverName, driver: Driver])[] = Object.entries(all).map(
  ([name, driver]) => [name as DriverName, driver] as const, // the keys of the list
);

export const searchingDrivers = driverList.flatMap(
  ([name, { search }]) => (search === undefined ? [] : [name as SearchingDriver]), // it has a search
);

/** undefined for an unknown name. */
export function driverOf(name: string): Driver | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** Name of its options in the description of the interface. */
export function driverOptionsName(name: string): string {
  return `${name}DriverOptions`;
}

/** The kinds of devices of a driver. */
export function kindsOf(driver: Driver): DeviceKind[] {
  return [
    ...(driver.input ? (['input'] as const) : []),
    ...(driver.output ? (['output'] as const) : []),
    ...(driver.isDisplay ? (['lcd'] as const) : []),
  ];
}
