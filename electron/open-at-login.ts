import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';

/** A start at log-in opens no window: the tray is enough. */
export const hiddenArgument = '--hidden';

/** Linux has no interface for this: a file of the XDG autostart specification, which all desktops read. */
function autostartFile(): string {
  return join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'autostart', 'orangery.desktop');
}

export function opensAtLogin(): boolean {
  if (process.platform === 'linux') return existsSync(autostartFile());
  return app.getLoginItemSettings({ args: [hiddenArgument] }).openAtLogin;
}

/** Throws the disk's error. */
export function setOpensAtLogin(isWanted: boolean): void {
  if (process.platform !== 'linux') app.setLoginItemSettings({ openAtLogin: isWanted, args: [hiddenArgument] });
  else if (isWanted) writeAutostart(autostartFile());
  else rmSync(autostartFile(), { force: true });
}

function writeAutostart(file: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  // An AppImage runs from a different folder each time.
  const program = process.env['APPIMAGE'] ?? process.execPath;
  const command = [program, ...(app.isPackaged ? [] : [app.getAppPath()]), hiddenArgument];
  writeFileSync(
    file,
    `[Desktop Entry]\nType=Application\nName=Orangery\nExec=${command.map(quoted).join(' ')}\nX-GNOME-Autostart-enabled=true\n`,
  );
}

/** As the Desktop Entry Specification quotes an argument of Exec. */
function quoted(argument: string): string {
  return `"${argument.replaceAll(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`;
}
