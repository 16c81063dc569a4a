import { allKinds, type ControllerWord } from '../../../server/contract/controller-kinds.ts';
import type { ControllerReference, ControllerSettings } from '../../../server/contract/controller-kind.ts';
import { groupOf } from '../devices/form/option-schema.ts';

/** A controller that can move a channel of an output. */
export interface Driver {
  word: ControllerWord;
  settings: ControllerSettings;
}

/** An output channel with every controller that can move it. */
export interface Driven {
  output_id: string;
  /** undefined is the lowest channel. */
  channel: number | undefined;
  drivers: Driver[];
}

/** What controllers drive, by output and channel; without outputs that they only read. */
export function drivenBy(listOf: (word: ControllerWord) => readonly ControllerSettings[]): Driven[] {
  const found = new Map<string, Driven>();
  for (const { word, stored } of allKinds)
    for (const settings of listOf(word))
      for (const reference of stored?.references(settings) ?? []) {
        if (reference.to !== 'output' || !moves(reference)) continue;
        const { id: output_id, channel } = reference;
        const key = `${output_id}:${channel ?? ''}`;
        const driven = found.get(key) ?? { output_id, channel, drivers: [] };
        if (driven.drivers.every((one) => one.settings !== settings)) driven.drivers.push({ word, settings });
        found.set(key, driven);
      }
  return [...found.values()];
}

/** It drives the output continuously, or an action commands it. */
function moves(reference: ControllerReference): boolean {
  return ('isDriven' in reference && reference.isDriven === true) || reference.path.startsWith('actions[');
}

/** How often a controller acts, s; null when it waits for a time or an event. */
export function periodOf(settings: ControllerSettings): number | null {
  const { period_s, options } = groupOf(settings);
  const own = period_s ?? groupOf(options)['period_s'];
  return typeof own === 'number' ? own : null;
}
