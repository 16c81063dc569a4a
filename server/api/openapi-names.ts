import { z } from 'zod';
import { driverList } from '../contract/drivers/index.ts';
import * as contractModules from '../contract/modules.ts';

/** The contract's exported schemas with their names, which become those of the OpenAPI components. */
export function namedSchemas(): Map<string, z.ZodType> {
  const found = new Map<string, z.ZodType>();
  const searches = driverList.flatMap(([name, { search }]) =>
    search ? [[`${name}Probe`, search.query] as const, [`${name}Probed`, search.found] as const] : [],
  );
  for (const [name, value] of [
    ...Object.values<Readonly<Record<string, unknown>>>(contractModules).flatMap((module) => Object.entries(module)),
    ...searches,
  ]) {
    if (value instanceof z.ZodType && ![...found.values()].includes(value)) found.set(name, value);
  }
  return found;
}
