import { allKinds, type ControllerWord, type SettingsOf } from '../contract/controller-kinds.ts';
import type { Database } from '../db/open.ts';
import { ControllerRepository } from '../db/repositories/controller.ts';
import { ControllerService } from '../services/device/controller.ts';
import type { SiteForecast } from '../services/proxy/site-forecast.ts';
import { settingsAt } from '../services/device/audited-settings.ts';
import { controlJudges } from '../services/device/control-judges.ts';
import { DeviceFileService } from '../services/device/device-file.ts';
import { DeviceService } from '../services/device/device.ts';
import { DriverService } from '../services/device/driver.ts';
import { EmergencyStopService } from '../services/device/emergency-stop.ts';
import { inputRules } from '../services/device/input.ts';
import { LcdService } from '../services/device/lcd.ts';
import { MethodService } from '../services/device/method.ts';
import { OutputCommander } from '../services/device/output-command.ts';
import { OutputService } from '../services/device/output.ts';
import { keepOutsideActivations } from '../services/device/outside-activation.ts';
import { OutsideAudit } from '../services/device/outside-audit.ts';
import { ClimateService } from '../services/device/climate.ts';
import { FunctionService } from '../services/device/function.ts';
import { PidDryRunService } from '../services/device/pid-dry-run.ts';
import { PidRehearsalService } from '../services/device/pid-rehearsal.ts';
import { PidService } from '../services/device/pid.ts';
import { RuleService } from '../services/device/rule.ts';
import { PresetService } from '../services/device/preset.ts';
import { ErrandIntake } from '../services/errand/intake.ts';
import { NoteService } from '../services/record/note.ts';
import { SettingsService, type SettingsOptions } from '../services/device/settings.ts';
import { storedRules } from '../services/device/stored-settings.ts';
import type { DaemonConnections } from './daemon-connections.ts';
import type { ServiceParts } from './parts.ts';

/** Composes devices: their settings, their commands, and the record of what others did with them. */
export function composeDevices(parts: ServiceParts & DaemonConnections & { forecast: SiteForecast }) {
  const { repositories, daemon, daemonSettings, live, commands, connect, connectDaemon, audit, settings } = parts;
  const shared = {
    ...parts,
    ...repositories,
    daemon: daemonSettings,
    interlocks: () => settings().safety.interlocks,
    site: settings,
    place: () => settings(),
    now: parts.clock,
    targetKind: (id: string) => repositories.notifications.target(id)?.settings.options.kind,
  };
  const inputs = new SettingsService(inputRules(shared), shared);
  const [outputs, lcds] = [new OutputService(shared), new LcdService(shared)];
  const storedSettings = composeStored({
    ...shared,
    judges: controlJudges({ ...shared, kinds: repositories.kinds }),
    earlier: (word, id, revision) => settingsAt(repositories.auditRecords, { kind: `${word}.change`, id, revision }),
  });
  // The service of a kind returns settings of that kind.
  const drafted = <Word extends ControllerWord>(word: Word, sent: object, unique_id?: string): SettingsOf<Word> =>
    storedSettings.get(word)?.drafted(sent, unique_id) as SettingsOf<Word>;
  const keepers = [inputs, outputs, lcds, ...storedSettings.values()];
  const keepersByWord = new Map<ControllerWord, SettingsService>([
    ['input', inputs],
    ['output', outputs],
    ['lcd', lcds],
    ...storedSettings,
  ]);
  const controllers = new ControllerService({ inputs, lcds, keepers, audit, daemon });
  keepOutsideActivations(live, controllers);
  const outsideAudit = new OutsideAudit({ ...parts, heard: repositories.heardEvents, taskOf: intakeOf(parts).taskOf });
  parts.begun.defer(() => outsideAudit.stop());
  const pidRehearsals = new PidRehearsalService(repositories);
  parts.begun.defer(() => pidRehearsals.close());
  const emergencyStop = new EmergencyStopService({
    stopping: connect(),
    daemon: connect(),
    audit,
    owed: parts.owedStop,
  });
  parts.begun.defer(() => emergencyStop.close());
  return {
    inputs,
    outputs,
    lcds,
    controllers,
    storedSettings,
    methods: new MethodService({ ...shared, kinds: repositories.kinds, draft: (sent) => drafted('method', sent) }),
    climates: new ClimateService({
      ...shared,
      settings: storedSettings.get('climate'),
      kinds: repositories.kinds,
      auditRecords: repositories.auditRecords,
    }),
    functions: new FunctionService({ ...shared, daemon }),
    rules: new RuleService(shared),
    pids: new PidService({ ...shared, daemon }),
    pidRehearsals,
    pidDryRuns: new PidDryRunService({ ...shared, live, drafted }),
    drafted,
    outsideAudit,
    commander: new OutputCommander({ ...parts, daemon: commands }),
    emergencyStop,
    presets: new PresetService(shared),
    drivers: new DriverService({ daemon, connect: connectDaemon }),
    devices: new DeviceService(shared),
    deviceFile: new DeviceFileService({ ...parts, keepers: keepersByWord }),
  };
}

/** Takes what controllers hand over; their notes refer to nothing. */
function intakeOf(parts: ServiceParts): ErrandIntake {
  const { repositories } = parts;
  const notes = new NoteService({ ...parts, rows: repositories.notes, referenceExists: () => true });
  return new ErrandIntake({ ...parts, ...repositories, notes, site: parts.settings });
}

/** The settings services of the kinds that have none of their own. */
function composeStored(options: SettingsOptions & Parameters<typeof storedRules>[2] & { db: Database }) {
  const services = allKinds.flatMap((kind) => {
    const { stored } = kind;
    if (stored === undefined) return [];
    const rules = storedRules({ ...kind, stored }, new ControllerRepository(options.db, kind), options);
    return [[kind.word, new SettingsService(rules, options)] as const];
  });
  return new Map(services);
}

export type Devices = ReturnType<typeof composeDevices>;
