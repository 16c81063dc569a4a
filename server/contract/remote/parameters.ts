import { z } from 'zod';
import { channelNumber } from '../identifier.ts';
import { optional, type OptionalParameter } from './method.ts';

/** Identifiers compare in lower case. */
export const id = z.string().min(1).max(200).toLowerCase();

/** The name of every program that commands the daemon past the service. */
export const outsideActor = 'pyro';

const actorName = z.string().min(1).max(200).nullable();
/** On whose behalf a call is made: the service names its user, any other program acts as itself. */
export const byActor: OptionalParameter<'actor', typeof actorName> = {
  ...optional('actor', actorName, outsideActor),
  isForService: true,
};

/** Absent means the lowest channel. */
export const outputChannel = optional('output_channel', channelNumber.nullish(), null);

/** 0 and what was done, or 1 and why not. */
export const statusPair = z.tuple([z.int(), z.string()]);
export type StatusPair = z.infer<typeof statusPair>;

export const success = z.literal('success');
