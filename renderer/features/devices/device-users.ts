import { z } from 'zod';
import { isApiError } from '../../client/api-error.ts';

const deviceUser = z.object({
  kind: z.enum(['facility', 'feature', 'lcd']),
  unique_id: z.string(),
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
