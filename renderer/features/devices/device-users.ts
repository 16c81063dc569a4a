import { z } from 'zod';
import { controllerWord } from '../../../server/contract/controller-kinds.ts';
import { isApiError } from '../../client/api-error.ts';

const deviceUser = z.object({
  kind: z.enum(['facility', 'feature', 'interlock', ...controllerWord.options]),
  unique_id: z.string().optional(),
  name: z.string(),
  map_name: z.string().optional(),
});
/** What keeps a device from being deleted. */
export type DeviceUser = z.infer<typeof deviceUser>;

const refusal = z.object({ users: z.array(deviceUser) });

/** Who uses it, of a refusal for that reason; none of any other. */
export function usersOfRefusal(error: unknown): DeviceUser[] {
  return refusal.safeParse(isApiError(error) ? error.problem : undefined).data?.users ?? [];
}
