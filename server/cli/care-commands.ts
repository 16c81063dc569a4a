import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkReport } from '../contract/commissioning-endpoints.ts';
import { parseJson } from '../contract/json-body.ts';
import { acquireInstanceLock } from '../db/instance-lock.ts';
import { rebuildRollups } from '../measurement/sqlite/rebuild.ts';
import { faultOfReport } from '../services/commissioning/chain.ts';
import { directoryOf, UsageError, type Answer, type Command, type Options } from './asked.ts';
import { shells } from '../commands/command-list.ts';
import { completionOf } from '../commands/completion.ts';
import { examine } from '../commands/doctor.ts';
import { salvageConfiguration } from '../commands/salvage.ts';
import type { Terminal } from '../commands/terminal.ts';

export const careCommands = {
  doctor,
  salvage,
  'measurements rebuild': rebuildMeasurements,
  'commissioning verify': verifyReport,
  fingerprint: printFingerprint,
  completion: printCompletion,
} satisfies Record<string, Command>;

function doctor(given: Options, terminal: Terminal): Answer {
  const directory = directoryOf(given, terminal);
  if (!existsSync(directory)) throw new Error(`there is no ${directory} yet: the first start of the service makes it`);
  const findings = examine({ directory, now: new Date() });
  const lines = findings.map(({ state, subject, text: found }) => `${state.padEnd(7)}  ${subject}: ${found}`);
  const faults = findings.filter((finding) => finding.state === 'fault').length;
  const fault = `${faults} ${faults === 1 ? 'fault' : 'faults'} in ${directory}`;
  return { lines, data: { findings }, ...(faults > 0 && { fault }) };
}

function salvage(given: Options, terminal: Terminal): Answer {
  const directory = directoryOf(given, terminal);
  if (!existsSync(directory)) throw new Error(`there is no ${directory} yet: the first start of the service makes it`);
  const lines = salvageConfiguration(directory);
  return { lines, data: { done: lines } };
}

/** Only the daemon writes measurements.db while it runs. */
function rebuildMeasurements(given: Options, terminal: Terminal): Answer {
  const directory = directoryOf(given, terminal);
  const file = join(directory, 'measurements.db');
  if (!existsSync(file)) throw new Error(`there is no ${file} yet: the first start of the service makes it`);
  const lock = acquireInstanceLock(join(directory, 'daemon.lock'));
  try {
    const { series, days } = rebuildRollups(file);
    return { lines: [`rollups of ${series} series computed anew, ${days} days`], data: { series, days } };
  } finally {
    lock.release();
  }
}

function verifyReport({ sha256 }: Options, _terminal: Terminal, file: string): Answer {
  if (file === '') throw new UsageError('commissioning verify needs the name of a file');
  const report = parseJson(readFileSync(file));
  const fault = faultOfReport(report);
  if (fault !== null) throw new Error(`${file}: ${fault}`);
  const whole = checkReport.parse(report);
  if (sha256 !== undefined && sha256.toLowerCase() !== whole.sha256) {
    throw new Error(`${file}: it is whole, but its hash is ${whole.sha256}`);
  }
  const data = { check_id: whole.check_id, links: whole.links.length, sha256: whole.sha256 };
  return { lines: [`whole: check ${data.check_id}, ${data.links} links, SHA-256 ${data.sha256}`], data };
}

function printFingerprint(given: Options, terminal: Terminal): Answer {
  const file = join(directoryOf(given, terminal), 'tls', 'ca.crt');
  if (!existsSync(file)) throw new Error(`there is no ${file} yet: the first start of the service makes it`);
  const { fingerprint256 } = new X509Certificate(readFileSync(file));
  return { lines: [fingerprint256], data: { fingerprint256 } };
}

function printCompletion(_given: Options, _terminal: Terminal, operand: string): Answer {
  const shell = shells.find((one) => one === operand);
  if (shell === undefined) throw new UsageError(`completion needs one of ${shells.join(', ')}`);
  const script = completionOf(shell);
  return { lines: [script.trimEnd()], data: { shell, script } };
}
