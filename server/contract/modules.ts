import * as action from './action.ts';
import * as alarm from './alarm.ts';
import * as alarmLimits from './alarm-limits.ts';
import * as apiKey from './api-key.ts';
import * as audit from './audit.ts';
import * as auth from './auth.ts';
import * as baseMap from './base-map.ts';
import * as cadastre from './cadastre.ts';
import * as climate from './climate.ts';
import * as climateLive from './climate-live.ts';
import * as climateSettings from './climate-settings.ts';
import * as commissioning from './commissioning.ts';
import * as commissioningAccuracy from './commissioning-accuracy.ts';
import * as commissioningEndpoints from './commissioning-endpoints.ts';
import * as commissioningFinding from './commissioning-finding.ts';
import * as cause from './cause.ts';
import * as conditional from './conditional.ts';
import * as controller from './controller.ts';
import * as controllerKind from './controller-kind.ts';
import * as daemon from './daemon.ts';
import * as dashboard from './dashboard.ts';
import * as design from './design.ts';
import * as device from './device.ts';
import * as driver from './driver.ts';
import * as envelope from './envelope.ts';
import * as errors from './errors.ts';
import * as event from './event.ts';
import * as facility from './facility.ts';
import * as facilityBinding from './facility-binding.ts';
import * as facilityCapacity from './facility-capacity.ts';
import * as facilityEndpoints from './facility-endpoints.ts';
import * as facilityLive from './facility-live.ts';
import * as functions from './function.ts';
import * as health from './health.ts';
import * as identifier from './identifier.ts';
import * as input from './input.ts';
import * as job from './job.ts';
import * as language from './language.ts';
import * as lcd from './lcd.ts';
import * as material from './material.ts';
import * as measurement from './measurement.ts';
import * as measurementAnalytics from './measurement-analytics.ts';
import * as measurementQuery from './measurement-query.ts';
import * as measurementSetting from './measurement-setting.ts';
import * as method from './method.ts';
import * as note from './note.ts';
import * as notificationTarget from './notification-target.ts';
import * as output from './output.ts';
import * as overlay from './overlay.ts';
import * as parcel from './parcel.ts';
import * as permission from './permission.ts';
import * as pid from './pid.ts';
import * as pidAutotune from './pid-autotune.ts';
import * as pipe from './pipe.ts';
import * as preset from './preset.ts';
import * as provider from './provider.ts';
import * as proxy from './proxy.ts';
import * as role from './role.ts';
import * as safety from './safety.ts';
import * as secret from './secret.ts';
import * as setting from './setting.ts';
import * as study from './study.ts';
import * as totp from './totp.ts';
import * as trigger from './trigger.ts';
import * as unit from './unit.ts';
import * as user from './user.ts';
import * as weatherFile from './weather-file.ts';
import * as wmsLayer from './wms-layer.ts';

/**
 * Every file of the contract that exports endpoints or schemas to be named: from here come the names in the description of the interface
 * and, for the tests, all endpoints that must be served.
 */
export const contractModules: readonly Readonly<Record<string, unknown>>[] = [
  action,
  alarm,
  alarmLimits,
  apiKey,
  audit,
  auth,
  cause,
  climate,
  climateLive,
  climateSettings,
  conditional,
  controller,
  baseMap,
  cadastre,
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
  functions,
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
  method,
  note,
  notificationTarget,
  output,
  overlay,
  parcel,
  permission,
  pid,
  pidAutotune,
  pipe,
  preset,
  provider,
  role,
  safety,
  secret,
  setting,
  totp,
  trigger,
  unit,
  user,
  weatherFile,
  wmsLayer,
  controllerKind,
  event,
  facilityEndpoints,
  health,
  proxy,
  study,
];
