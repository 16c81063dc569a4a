import { z } from 'zod';
import { controllerWord } from '../../../server/contract/controller-kinds.ts';
import { isApiError } from '../../client/api-error.ts';

const deviceUser = z.object({
  kind: z.enum(['facility', 'feature', 'interlock', ...controllerWord.options]),
  unique_id: z.string().optional(),
  name: z.string(),
  map_name: z.string().optional(),
});
/** What prevents a device from being deleted. */
export type DeviceUser = z.infer<typeof deviceUser>;

const refusal = z.object({ users: z.array(deviceUser) });

/** The users named by a refusal for that reason; empty for other errors. */
export function usersOfRefusal(error: unknown): DeviceUser[] {
  return refusal.safeParse(isApiError(error) ? error.problem : undefined).data?.users ?? [];
}
