import { totpEndpoints } from '../../contract/totp.ts';
import type { TotpService } from '../../services/account/totp.ts';
import { defineRoute, type Route } from '../route.ts';

export function totpRoutes(factors: TotpService): Route[] {
  return [
    defineRoute(totpEndpoints.get, ({ actor }) => factors.state(actor)),
    defineRoute(totpEndpoints.enrol, ({ body, actor }) => factors.enrol(body.password, actor)),
    defineRoute(totpEndpoints.confirm, ({ body, actor }) => factors.confirm(body.code, actor)),
    defineRoute(totpEndpoints.renewCodes, ({ body, actor }) => factors.renewRecoveryCodes(body.password, actor)),
    defineRoute(totpEndpoints.disable, async ({ body, actor }) => {
      await factors.disable(body.password, actor);
      return { is_enabled: false as const };
    }),
  ];
}
