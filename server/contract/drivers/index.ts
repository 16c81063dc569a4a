import type { z } from 'zod';
import type { DeviceKind, Driver, DriverSearch } from './driver.ts';
import { drivers } from './list.ts';

export { drivers };
export type DriverName = keyof typeof drivers;
export type OptionsOf<Name extends DriverName> = z.infer<(typeof drivers)[Name]['options']>;

/** Those that look for devices. */
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

/** undefined for a name that is none. */
export function driverOf(name: string): Driver | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** Name of its options in the description of the interface. */
export function driverOptionsName(name: string): string {
  return `${name}DriverOptions`;
}

/** What devices a driver has. */
export function kindsOf(driver: Driver): DeviceKind[] {
  return [
    ...(driver.input ? (['input'] as const) : []),
    ...(driver.output ? (['output'] as const) : []),
    ...(driver.isDisplay ? (['lcd'] as const) : []),
  ];
}
