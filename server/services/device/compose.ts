import type { AuditSink } from '../../auth/actor.ts';
import type { Clock } from '../../auth/clock.ts';
import { contentVersion, type OtherCommits } from '../../db/content-version.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import type { Settings } from '../../contract/setting.ts';
import type { Database } from '../../db/open.ts';
import { AuditRepository } from '../../db/repositories/audit.ts';
import { FacilityRepository } from '../../db/repositories/facility.ts';
import { HeardEventsRepository } from '../../db/repositories/heard-events.ts';
import { InputRepository } from '../../db/repositories/input.ts';
import { LcdRepository } from '../../db/repositories/lcd.ts';
import { OutputRepository } from '../../db/repositories/output.ts';
import { PlacementRepository } from '../../db/repositories/placement.ts';
import { UnitRepository } from '../../db/repositories/unit.ts';
import { transactor } from '../../db/transaction.ts';
import { CommissioningAudit } from '../commissioning/audit.ts';
import { CommissioningService } from '../commissioning/commissioning.ts';
import { CommandPool } from '../live/command-pool.ts';
import { ControllerService } from './controller.ts';
import type { CommissioningControl, DaemonEventPort, DaemonPort, EmergencyStopPort } from '../live/daemon-port.ts';
import { DaemonSettings } from '../live/daemon-settings.ts';
import { DeviceService } from './device.ts';
import { EmergencyStopService } from './emergency-stop.ts';
import { DriverService } from './driver.ts';
import { FacilityCapacity } from '../facility/capacity.ts';
import { FacilityApply } from '../facility/apply.ts';
import { FacilityRuntime } from '../facility/runtime.ts';
import { FacilityStudy } from '../facility/study.ts';
import { FacilityService } from '../facility/facility.ts';
import { InputService } from './input.ts';
import { LcdService } from './lcd.ts';
import { LiveCache } from '../live/live.ts';
import { OutputCommander } from './output-command.ts';
import { OutputService } from './output.ts';
import { keepOutsideActivations } from './outside-activation.ts';
import { OutsideAudit } from './outside-audit.ts';
import { PresetService } from './preset.ts';

interface ComposeOptions {
  /** orangery.db, migrated. */
  db: Database;
  /** Of that connection; asked anew at every request when absent. */
  commits?: OtherCommits;
  clock: Clock;
  /** Monotonic ms, by which ages are counted; that of this process when absent. */
  elapsed?: Clock;
  /** By which old things are deleted. */
  trusted: Clock;
  audit: AuditSink;
  /** For passwords of devices; the daemon opens them. */
  secrets: Pick<SecretBox, 'seal'>;
  log: { warn(message: string): void };
  /** Makes one more connection to the daemon; it may connect at its first call. */
  connectDaemon: () => DaemonPort & DaemonEventPort & CommissioningControl & EmergencyStopPort;
  /** Where the site lies, what it is designed for, and from where readings raise alerts. */
  site: () => Pick<Settings, 'lat' | 'lng' | 'time_zone' | 'alarm_limits' | 'design_conditions' | 'safety'>;
}

export interface Devices {
  live: LiveCache;
  inputs: InputService;
  outputs: OutputService;
  lcds: LcdService;
  commander: OutputCommander;
  emergencyStop: EmergencyStopService;
  controllers: ControllerService;
  presets: PresetService;
  drivers: DriverService;
  devices: DeviceService;
  facilities: FacilityService;
  capacity: FacilityCapacity;
  study: FacilityStudy;
  runtime: FacilityRuntime;
  apply: FacilityApply;
  commissioning: CommissioningService;
  /** Begins to listen to the daemon, which may come later. */
  start: () => void;
  /** Ends that and closes the connections; before the database closes. */
  stop: () => Promise<void>;
}

/** Far more than there are checks in the time for which ends are looked up. */
const knownEnds = 1_000;

/** Joins what knows of devices, of the facilities that bind them and of the daemon that runs them. */
export function composeDevices(options: ComposeOptions): Devices {
  const { db, clock, elapsed = () => performance.now(), trusted, audit, secrets, log, connectDaemon, site } = options;
  const daemon = connectDaemon();
  const stopping = connectDaemon();
  const releasing = connectDaemon();
  const commands = new CommandPool(connectDaemon);
  const rows = {
    inputs: new InputRepository(db),
    outputs: new OutputRepository(db),
    lcds: new LcdRepository(db),
    facilities: new FacilityRepository(db),
    placements: new PlacementRepository(db),
    units: new UnitRepository(db),
    interlocks: () => site().safety.interlocks,
  };
  const live = new LiveCache({ daemon: connectDaemon(), clock, elapsed, log });
  const heard = new HeardEventsRepository(db);
  const outside = new OutsideAudit({ live, audit, heard, transact: transactor(db), clock, log });
  const commander = new OutputCommander({ daemon: commands, live, audit, clock });
  const settings = {
    ...rows,
    transact: transactor(db),
    audit,
    secrets,
    daemon: new DaemonSettings({ daemon, log }),
    live,
  };
  const facilities = new FacilityService({ ...settings, clock, trusted });
  const records = new AuditRepository(db);
  const known = () =>
    records.list({ kind: 'commissioning.end', limit: knownEnds }).flatMap(({ target }) => target ?? []);
  const checks = new CommissioningAudit({ live, daemon, facilities, audit, known, clock, log });
  const inputs = new InputService(settings);
  const outputs = new OutputService(settings);
  const lcds = new LcdService(settings);
  const capacity = new FacilityCapacity({ ...rows, site });
  const study = new FacilityStudy(capacity);
  const controllers = new ControllerService({ inputs, outputs, lcds, audit, daemon });
  keepOutsideActivations(live, controllers);
  return {
    live,
    inputs,
    outputs,
    lcds,
    commander,
    emergencyStop: new EmergencyStopService({ stopping, daemon: releasing, audit }),
    controllers,
    presets: new PresetService({ ...settings, site }),
    drivers: new DriverService({ daemon, connect: connectDaemon }),
    devices: new DeviceService({ ...rows, live }),
    facilities,
    capacity,
    study,
    runtime: new FacilityRuntime({
      ...rows,
      facilities,
      live,
      content: contentVersion(db, options.commits),
      clock,
      elapsed,
      alarmLimits: () => site().alarm_limits,
      elevation_m: () => site().design_conditions.elevation_m,
    }),
    commissioning: new CommissioningService({ daemon, facilities, audit, timeZone: () => site().time_zone }),
    apply: new FacilityApply({ ...rows, facilities, commander, live, audit }),
    start: () => {
      checks.start();
      outside.start();
      live.start();
    },
    stop: async () => {
      await live.stop();
      outside.stop();
      await checks.stop();
      await study.close();
      commands.close();
      stopping.close();
      releasing.close();
      daemon.close();
    },
  };
}
