/** The command line as data: the source of its help, its parsing, the completion of shells and the man page. */

interface OptionSpec {
  type: 'string' | 'boolean';
  /** Placeholder of its value in the help. */
  value?: string;
  /** The equivalent environment variable. */
  variable?: string;
  /** Its values, if they are few. */
  choices?: readonly string[];
  does: string;
}

export const commandOptions = {
  'data-dir': { type: 'string', value: 'DIR', variable: 'ORANGERY_DATA_DIR', does: 'where everything is kept' },
  json: { type: 'boolean', does: 'print the answer, or what went wrong, as one line of JSON' },
  help: { type: 'boolean', does: 'print what a command does' },
  'https-port': { type: 'string', value: 'PORT', variable: 'ORANGERY_HTTPS_PORT', does: '8443 when absent' },
  host: {
    type: 'string',
    value: 'ADDRESS',
    variable: 'ORANGERY_HOST',
    does: 'all addresses once an administrator exists, loopback before, when absent',
  },
  'daemon-port': { type: 'string', value: 'PORT', variable: 'ORANGERY_DAEMON_PORT', does: '9080 when absent' },
  'daemon-network-host': {
    type: 'string',
    value: 'ADDRESS',
    variable: 'ORANGERY_DAEMON_NETWORK_HOST',
    does: 'none when absent: only this machine reaches the daemon',
  },
  'daemon-network-port': {
    type: 'string',
    value: 'PORT',
    variable: 'ORANGERY_DAEMON_NETWORK_PORT',
    does: '9081 when absent',
  },
  'log-level': {
    type: 'string',
    value: 'LEVEL',
    variable: 'ORANGERY_LOG_LEVEL',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    does: 'info when absent',
  },
  'tls-names': {
    type: 'string',
    value: 'NAMES',
    variable: 'ORANGERY_TLS_NAMES',
    does: 'more names and addresses of this machine, with commas between',
  },
  username: { type: 'string', value: 'NAME', does: 'whose account it is' },
  'password-stdin': { type: 'boolean', does: 'read the password from standard input' },
  name: { type: 'string', value: 'NAME', does: 'what the key is called' },
  scope: { type: 'string', value: 'SCOPE', choices: ['full', 'readonly'], does: 'what the key may do' },
  sha256: { type: 'string', value: 'HASH', does: 'the hash that is printed on paper' },
  folder: { type: 'string', value: 'DIR', does: 'folder of the backups; that of the plan when absent' },
  'passphrase-stdin': { type: 'boolean', does: 'read the passphrase of the backup from standard input' },
  newest: { type: 'boolean', does: 'the latest sound backup of this machine' },
  undo: { type: 'boolean', does: 'what the last restore put aside' },
  history: { type: 'boolean', does: 'alarms, checks and measurements too' },
  'key-stdin': { type: 'boolean', does: 'read the API key from standard input instead of ORANGERY_API_KEY' },
  influx: { type: 'string', value: 'URL', does: 'InfluxDB 1 or 2 of the other program, e.g. http://pi:8086' },
  'influx-username': {
    type: 'string',
    value: 'NAME',
    does: 'who logs in to InfluxDB 1; none with a token of InfluxDB 2',
  },
  'influx-password-stdin': { type: 'boolean', does: 'read the password or the token of InfluxDB from standard input' },
  database: { type: 'string', value: 'NAME', does: 'its database or bucket; mycodo_db when absent' },
  'dry-run': { type: 'boolean', does: 'only tell what would be made' },
  copies: { type: 'boolean', does: 'of a whole site: make also what is here already, with ids of its own' },
  'replace-settings': { type: 'boolean', does: 'of a whole site: its settings replace those that were set here' },
} as const satisfies Record<string, OptionSpec>;

export type CommandOption = keyof typeof commandOptions;

/** Options of every command. */
export const commonOptions: readonly CommandOption[] = ['data-dir', 'json', 'help'];

interface CommandSpec {
  does: string;
  /** The one word after its name; optional if an option may replace it. */
  operand?: { name: string; isOptional?: boolean; choices?: readonly string[] };
  options?: readonly CommandOption[];
}

const backupOptions = ['folder', 'passphrase-stdin'] as const;

/** The first is the default. */
const exportable = ['devices', 'site'] as const;

export const shells = ['bash', 'zsh', 'fish'] as const;

export const commandList = {
  serve: {
    does: 'start the service without a window',
    options: [
      'https-port',
      'host',
      'daemon-port',
      'daemon-network-host',
      'daemon-network-port',
      'log-level',
      'tls-names',
    ],
  },
  'admin create': { does: 'make an administrator', options: ['username', 'password-stdin'] },
  'admin api-key': { does: 'make an API key and print it, this once', options: ['username', 'name', 'scope'] },
  'admin password': {
    does: "set a user's password, which ends the user's sessions",
    options: ['username', 'password-stdin'],
  },
  'admin totp-off': { does: 'take away the second factor of a user who lost it', options: ['username'] },
  'commissioning verify': {
    does: 'look whether a report of a check is whole',
    operand: { name: 'FILE' },
    options: ['sha256'],
  },
  client: { does: 'command the control daemon; see orangery client --help' },
  doctor: { does: 'look whether databases, audit, certificates and disk are sound' },
  salvage: { does: 'make orangery.db of what is left of it, while the service is stopped' },
  'measurements rebuild': { does: 'compute all rollups anew from the samples, while the service is stopped' },
  'measurements import': {
    does: 'bring what Mycodo or AoT measured from its InfluxDB to the inputs of the same names, while the service runs',
    operand: { name: 'FILE' },
    options: ['influx', 'database', 'influx-username', 'influx-password-stdin', 'daemon-port'],
  },
  backup: { does: 'make a backup and rehearse its restore, also while the service runs', options: backupOptions },
  'backup list': { does: 'list the backups', options: ['folder'] },
  'backup check': {
    does: 'rehearse the restore of a backup',
    operand: { name: 'FILE' },
    options: ['passphrase-stdin'],
  },
  restore: {
    does: 'put a backup in the place of what is there, while the service is stopped',
    operand: { name: 'FILE', isOptional: true },
    options: ['newest', 'undo', 'history', ...backupOptions],
  },
  fingerprint: { does: 'print the SHA-256 fingerprint of the certificate authority' },
  export: {
    does: 'print all devices and what controls by them, or the whole site, of the running service as one file',
    operand: { name: 'WHAT', isOptional: true, choices: exportable },
    options: ['https-port', 'key-stdin'],
  },
  import: {
    does: 'make what such a file holds, or the settings database of Mycodo or AoT, in the running service',
    operand: { name: 'FILE' },
    options: ['dry-run', 'copies', 'replace-settings', 'https-port', 'key-stdin'],
  },
  completion: {
    does: 'print the completion of a shell, to be read by it at its start',
    operand: { name: 'SHELL', choices: shells },
  },
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof commandList;

export const commandNames = Object.keys(commandList) as CommandName[]; // the keys of the list

export function specOf(name: CommandName): CommandSpec {
  return commandList[name];
}

/** Its own options, then those of every command. */
export function optionsOf(name: CommandName): CommandOption[] {
  return [...(specOf(name).options ?? []), ...commonOptions];
}

export function optionSpec(option: CommandOption): OptionSpec {
  return commandOptions[option];
}

/** The exit codes of a command; their meaning never changes. */
export const exitCodes = {
  0: 'done, and nothing was found wrong',
  1: 'failed, or something was found wrong: one line on standard error says what',
  2: 'the command line was not understood',
  3: 'the control daemon, or the service, cannot be reached',
} as const;
export type ExitCode = keyof typeof exitCodes;

/** Codes of errors that end with 3. */
export const unreachableCodes: ReadonlySet<string> = new Set([
  'unreachable',
  'connection_failed',
  'handshake_refused',
  'timeout',
]);
