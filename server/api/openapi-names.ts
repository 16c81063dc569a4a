import { z } from 'zod';
import * as alarm from '../contract/alarm.ts';
import * as alarmLimits from '../contract/alarm-limits.ts';
import * as apiKey from '../contract/api-key.ts';
import * as audit from '../contract/audit.ts';
import * as auth from '../contract/auth.ts';
import * as controller from '../contract/controller.ts';
import * as commissioningAccuracy from '../contract/commissioning-accuracy.ts';
import * as commissioningFinding from '../contract/commissioning-finding.ts';
import * as commissioning from '../contract/commissioning.ts';
import * as commissioningEndpoints from '../contract/commissioning-endpoints.ts';
import * as dashboard from '../contract/dashboard.ts';
import * as daemon from '../contract/daemon.ts';
import * as design from '../contract/design.ts';
import * as device from '../contract/device.ts';
import * as driver from '../contract/driver.ts';
import { driverList } from '../contract/drivers/index.ts';
import * as envelope from '../contract/envelope.ts';
import * as errors from '../contract/errors.ts';
import * as facilityBinding from '../contract/facility-binding.ts';
import * as facilityCapacity from '../contract/facility-capacity.ts';
import * as facilityLive from '../contract/facility-live.ts';
import * as facility from '../contract/facility.ts';
import * as identifier from '../contract/identifier.ts';
import * as input from '../contract/input.ts';
import * as job from '../contract/job.ts';
import * as language from '../contract/language.ts';
import * as lcd from '../contract/lcd.ts';
import * as material from '../contract/material.ts';
import * as measurement from '../contract/measurement.ts';
import * as measurementAnalytics from '../contract/measurement-analytics.ts';
import * as measurementQuery from '../contract/measurement-query.ts';
import * as measurementSetting from '../contract/measurement-setting.ts';
import * as notificationTarget from '../contract/notification-target.ts';
import * as note from '../contract/note.ts';
import * as output from '../contract/output.ts';
import * as overlay from '../contract/overlay.ts';
import * as permission from '../contract/permission.ts';
import * as preset from '../contract/preset.ts';
import * as provider from '../contract/provider.ts';
import * as role from '../contract/role.ts';
import * as safety from '../contract/safety.ts';
import * as secret from '../contract/secret.ts';
import * as setting from '../contract/setting.ts';
import * as totp from '../contract/totp.ts';
import * as unit from '../contract/unit.ts';
import * as user from '../contract/user.ts';
import * as wmsLayer from '../contract/wms-layer.ts';

const modules: Record<string, unknown>[] = [
  alarm,
  alarmLimits,
  apiKey,
  audit,
  auth,
  controller,
  commissioning,
  commissioningAccuracy,
  commissioningFinding,
  commissioningEndpoints,
  dashboard,
  daemon,
  design,
  device,
  driver,
  envelope,
  errors,
  facilityBinding,
  facilityCapacity,
  facilityLive,
  facility,
  identifier,
  input,
  job,
  language,
  lcd,
  material,
  measurement,
  measurementAnalytics,
  measurementQuery,
  measurementSetting,
  note,
  notificationTarget,
  output,
  overlay,
  permission,
  preset,
  provider,
  role,
  safety,
  secret,
  setting,
  totp,
  unit,
  user,
  wmsLayer,
];

/** The contract's exported schemas with their names, which become those of the OpenAPI components. */
export function namedSchemas(): Map<string, z.ZodType> {
  const found = new Map<string, z.ZodType>();
  const searches = driverList.flatMap(([name, { search }]) =>
    search ? [[`${name}Probe`, search.query] as const, [`${name}Probed`, search.found] as const] : [],
  );
  for (const [name, value] of [...modules.flatMap((module) => Object.entries(module)), ...searches]) {
    if (value instanceof z.ZodType && ![...found.values()].includes(value)) found.set(name, value);
  }
  return found;
}
