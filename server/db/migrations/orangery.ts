import type { Migration } from '../migration.ts';
import { accounts } from './orangery/0001-accounts.ts';
import { maps } from './orangery/0002-maps.ts';
import { devices } from './orangery/0003-devices.ts';
import { facilities } from './orangery/0004-facilities.ts';
import { rolesAndFactors } from './orangery/0005-roles-and-factors.ts';
import { notesAndDashboards } from './orangery/0006-notes-dashboards.ts';
import { measurementRetention } from './orangery/0007-measurement-retention.ts';
import { deviceOptions } from './orangery/0008-device-options.ts';
import { units } from './orangery/0009-units.ts';
import { cancelledJobs } from './orangery/0010-cancelled-jobs.ts';
import { notifications } from './orangery/0011-notifications.ts';
import { outputCycles } from './orangery/0012-output-cycles.ts';
import { saveAnswers } from './orangery/0013-save-answers.ts';
import { keyedAudit } from './orangery/0014-keyed-audit.ts';
import { heardEvents } from './orangery/0015-heard-events.ts';
import { controllers } from './orangery/0016-controllers.ts';
import { errands } from './orangery/0017-errands.ts';
import { outputMotors } from './orangery/0018-output-motors.ts';
import { featureVersions } from './orangery/0019-feature-versions.ts';
import { purgedMaps } from './orangery/0020-purged-maps.ts';
import { trendViews } from './orangery/0021-trend-views.ts';
import { channelResolution } from './orangery/0022-channel-resolution.ts';

/** orangery.db: configuration, geometry, users, audit. Written by the server, read by the daemon. */
export const orangeryMigrations: readonly Migration[] = [
  accounts,
  maps,
  devices,
  facilities,
  rolesAndFactors,
  notesAndDashboards,
  measurementRetention,
  deviceOptions,
  units,
  cancelledJobs,
  notifications,
  outputCycles,
  saveAnswers,
  keyedAudit,
  heardEvents,
  controllers,
  errands,
  outputMotors,
  featureVersions,
  purgedMaps,
  trendViews,
  channelResolution,
];
