import type { Actor } from '../../auth/actor.ts';
import type { AlarmService } from '../../services/alarm/alarm.ts';
import type { CommissioningService } from '../../services/commissioning/commissioning.ts';
import type { ControllerWord } from '../../contract/controller-kinds.ts';
import type { MethodService } from '../../services/device/method.ts';
import type { ClimateService } from '../../services/device/climate.ts';
import type { ClimateRehearsal } from '../../services/facility/rehearsal.ts';
import type { FunctionService } from '../../services/device/function.ts';
import type { PidDryRunService } from '../../services/device/pid-dry-run.ts';
import type { PidRehearsalService } from '../../services/device/pid-rehearsal.ts';
import type { PidService } from '../../services/device/pid.ts';
import type { DryRunService } from '../../services/device/dry-run.ts';
import type { RuleService } from '../../services/device/rule.ts';
import type { SettingsService } from '../../services/device/settings.ts';
import type { DeviceFileService } from '../../services/device/device-file.ts';
import type { DeviceService } from '../../services/device/device.ts';
import type { DriverService } from '../../services/device/driver.ts';
import type { EmergencyStopService } from '../../services/device/emergency-stop.ts';
import type { PresetService } from '../../services/device/preset.ts';
import { viewDaemon, type Supervisor } from '../../services/live/daemon-view.ts';
import type { EventService } from '../../services/live/event.ts';
import type { LiveCache } from '../../services/live/live.ts';
import type { DesignService } from '../../services/map/design.ts';
import type { ShapeFileService } from '../../services/map/shape-file.ts';
import type { AnalyticsService } from '../../services/measurement/analytics.ts';
import type { MeasurementService } from '../../services/measurement/measurement.ts';
import type { MeasurementSettingService } from '../../services/measurement/setting.ts';
import type { UnitService } from '../../services/measurement/unit.ts';
import type { NotificationTargetService } from '../../services/notification/target.ts';
import type { AuditService } from '../../services/record/audit.ts';
import type { DashboardService } from '../../services/record/dashboard.ts';
import type { LogService } from '../../services/record/log.ts';
import type { NoteService } from '../../services/record/note.ts';
import type { StorageService } from '../../services/record/storage.ts';
import type { TrendViewService } from '../../services/record/trend-view.ts';
import type { SettingService } from '../../services/setting/setting.ts';
import type { Route } from '../route.ts';
import { accountRoutes, type AccountServices } from './account.ts';
import { alarmRoutes } from './alarm.ts';
import { auditRoutes } from './audit.ts';
import { climateRoutes } from './climate.ts';
import { controllerRoutes } from './controller.ts';
import { controllerSettingsRoutes } from './controller-settings.ts';
import { conditionalRoutes } from './conditional.ts';
import { methodRoutes } from './method.ts';
import { pidRoutes } from './pid.ts';
import { daemonRoutes } from './daemon.ts';
import { backupRoutes, type BackupServices } from './backup.ts';
import { baseMapRoutes, type BaseMapServices } from './base-map.ts';
import { mapAreaRoutes, type MapAreaServices } from './map-area.ts';
import { cadastreRoutes, type CadastreServices } from './cadastre.ts';
import { commissioningRoutes } from './commissioning.ts';
import { dashboardRoutes } from './dashboard.ts';
import { designRoutes } from './design.ts';
import { deviceFileRoutes } from './device-file.ts';
import { siteFileRoutes } from './site-file.ts';
import type { SiteFileService } from '../../services/site-file/site-file.ts';
import { deviceRoutes } from './device.ts';
import { driverRoutes } from './driver.ts';
import { eventRoutes } from './event.ts';
import { facilityRoutes, type FacilityServices } from './facility.ts';
import { functionRoutes } from './function.ts';
import { healthRoutes } from './health.ts';
import { networkAddressRoutes } from './network-address.ts';
import { inputRoutes, type InputServices } from './input.ts';
import { jobRoutes } from './job.ts';
import { measurementAnalyticsRoutes } from './measurement-analytics.ts';
import { measurementSettingRoutes } from './measurement-setting.ts';
import { logRoutes } from './log.ts';
import { measurementRoutes } from './measurement.ts';
import { lcdRoutes, type LcdServices } from './lcd.ts';
import { noteRoutes } from './note.ts';
import { notificationTargetRoutes } from './notification-target.ts';
import { outputRoutes, type OutputServices } from './output.ts';
import { overlayRoutes, type OverlayServices } from './overlay.ts';
import { parcelRoutes, type ParcelServices } from './parcel.ts';
import { pipeRoutes, type PipeServices } from './pipe.ts';
import { presetRoutes } from './preset.ts';
import { proxyRoutes, type ProxyServices } from './proxy.ts';
import { unitRoutes } from './unit.ts';
import { safetyRoutes } from './safety.ts';
import { shapeFileRoutes } from './shape-file.ts';
import { settingRoutes } from './setting.ts';
import { trendViewRoutes } from './trend-view.ts';
import { triggerRoutes } from './trigger.ts';

export interface Services
  extends
    AccountServices,
    OverlayServices,
    ParcelServices,
    BackupServices,
    BaseMapServices,
    MapAreaServices,
    CadastreServices,
    ProxyServices,
    PipeServices,
    FacilityServices,
    InputServices,
    OutputServices,
    LcdServices {
  storage: StorageService;
  alarms: AlarmService;
  notificationTargets: NotificationTargetService;
  audits: AuditService;
  settings: SettingService;
  designs: DesignService;
  shapeFiles: ShapeFileService;
  commissioning: CommissioningService;
  measurements: MeasurementService;
  analytics: AnalyticsService;
  units: UnitService;
  measurementSettings: MeasurementSettingService;
  notes: NoteService;
  dashboards: DashboardService;
  trendViews: TrendViewService;
  logs: LogService;
  devices: DeviceService;
  deviceFile: DeviceFileService;
  siteFile: SiteFileService;
  storedSettings: ReadonlyMap<ControllerWord, SettingsService>;
  methods: MethodService;
  pids: PidService;
  pidDryRuns: PidDryRunService;
  pidRehearsals: PidRehearsalService;
  rules: RuleService;
  dryRuns: DryRunService;
  functions: FunctionService;
  climates: ClimateService;
  rehearsal: ClimateRehearsal;
  emergencyStop: EmergencyStopService;
  presets: PresetService;
  drivers: DriverService;
  events: EventService;
  live: LiveCache;
  supervision: () => Supervisor;
  startDaemon: (actor: Actor) => Promise<void>;
  /** Requests are served and the daemon answers. */
  isUp: () => boolean;
  /** Addresses of this machine in the local network. */
  networkAddresses: () => string[];
}

/** Every route of the REST interface. */
export function allRoutes(services: Services): Route[] {
  return [
    ...healthRoutes(services.isUp, services.storage),
    ...networkAddressRoutes(services.networkAddresses),
    ...accountRoutes(services),
    ...alarmRoutes(services.alarms),
    ...notificationTargetRoutes(services.notificationTargets),
    ...auditRoutes(services.audits),
    ...settingRoutes(services.settings),
    ...designRoutes(services.designs),
    ...overlayRoutes(services),
    ...proxyRoutes(services),
    ...backupRoutes(services),
    ...deviceFileRoutes(services.deviceFile),
    ...siteFileRoutes(services.siteFile),
    ...baseMapRoutes(services),
    ...mapAreaRoutes(services),
    ...parcelRoutes(services),
    ...pipeRoutes(services),
    ...cadastreRoutes(services),
    ...shapeFileRoutes(services.shapeFiles),
    ...facilityRoutes(services),
    ...commissioningRoutes(services.commissioning),
    ...measurementRoutes(services.measurements),
    ...measurementAnalyticsRoutes(services.analytics),
    ...unitRoutes(services.units),
    ...measurementSettingRoutes(services.measurementSettings),
    ...noteRoutes(services.notes),
    ...dashboardRoutes(services.dashboards),
    ...trendViewRoutes(services.trendViews),
    ...logRoutes(services.logs),
    ...jobRoutes(services.jobs),
    ...deviceRoutes(services.devices),
    ...inputRoutes(services),
    ...outputRoutes(services),
    ...safetyRoutes(services.emergencyStop),
    ...lcdRoutes(services),
    ...controllerSettingsRoutes(services.storedSettings),
    ...methodRoutes(services.methods),
    ...conditionalRoutes(services),
    ...triggerRoutes(services),
    ...climateRoutes(services),
    ...functionRoutes(services),
    ...pidRoutes(services),
    ...controllerRoutes(services.controllers),
    ...presetRoutes(services.presets),
    ...driverRoutes(services.drivers),
    ...eventRoutes(services.events),
    ...daemonRoutes({ ...services, view: () => viewDaemon(services.live, services.supervision()) }),
  ];
}
