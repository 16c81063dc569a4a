import { alarmEndpoints } from '../../server/contract/alarm.ts';
import { apiKeyEndpoints } from '../../server/contract/api-key.ts';
import { auditEndpoints } from '../../server/contract/audit.ts';
import { authEndpoints } from '../../server/contract/auth.ts';
import { controllerEndpoints } from '../../server/contract/controller.ts';
import { commissioningEndpoints } from '../../server/contract/commissioning-endpoints.ts';
import { dashboardEndpoints } from '../../server/contract/dashboard.ts';
import { daemonEndpoints } from '../../server/contract/daemon.ts';
import { designEndpoints } from '../../server/contract/design.ts';
import { deviceEndpoints } from '../../server/contract/device.ts';
import { driverEndpoints, driverSearchEndpoints } from '../../server/contract/driver.ts';
import type { Endpoint } from '../../server/contract/endpoint.ts';
import { eventEndpoints } from '../../server/contract/event.ts';
import { facilityEndpoints } from '../../server/contract/facility-endpoints.ts';
import { healthEndpoints } from '../../server/contract/health.ts';
import { inputEndpoints } from '../../server/contract/input.ts';
import { jobEndpoints } from '../../server/contract/job.ts';
import { measurementAnalyticsEndpoints } from '../../server/contract/measurement-analytics.ts';
import { measurementEndpoints } from '../../server/contract/measurement-query.ts';
import { lcdEndpoints } from '../../server/contract/lcd.ts';
import { measurementSettingEndpoints } from '../../server/contract/measurement-setting.ts';
import { noteEndpoints } from '../../server/contract/note.ts';
import { notificationTargetEndpoints } from '../../server/contract/notification-target.ts';
import { outputEndpoints } from '../../server/contract/output.ts';
import { overlayEndpoints } from '../../server/contract/overlay.ts';
import { presetEndpoints } from '../../server/contract/preset.ts';
import { proxyEndpoints } from '../../server/contract/proxy.ts';
import { roleEndpoints } from '../../server/contract/role.ts';
import { safetyEndpoints } from '../../server/contract/safety.ts';
import { settingEndpoints } from '../../server/contract/setting.ts';
import { studyEndpoints } from '../../server/contract/study.ts';
import { totpEndpoints } from '../../server/contract/totp.ts';
import { unitEndpoints } from '../../server/contract/unit.ts';
import { userEndpoints } from '../../server/contract/user.ts';

/** Every endpoint that the contract declares. */
export const contractEndpoints: readonly Endpoint[] = [
  alarmEndpoints,
  apiKeyEndpoints,
  auditEndpoints,
  authEndpoints,
  controllerEndpoints,
  commissioningEndpoints,
  dashboardEndpoints,
  daemonEndpoints,
  designEndpoints,
  deviceEndpoints,
  driverEndpoints,
  driverSearchEndpoints,
  eventEndpoints,
  facilityEndpoints,
  healthEndpoints,
  inputEndpoints,
  jobEndpoints,
  measurementAnalyticsEndpoints,
  measurementEndpoints,
  measurementSettingEndpoints,
  lcdEndpoints,
  noteEndpoints,
  notificationTargetEndpoints,
  outputEndpoints,
  overlayEndpoints,
  presetEndpoints,
  proxyEndpoints,
  roleEndpoints,
  safetyEndpoints,
  settingEndpoints,
  studyEndpoints,
  totpEndpoints,
  unitEndpoints,
  userEndpoints,
].flatMap((group) => Object.values<Endpoint>(group));
