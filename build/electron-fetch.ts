import { electronBinary, fetchElectron } from './electron-binary.ts';

try {
  console.error(`Electron: ${electronBinary() ?? (await fetchElectron())}`);
} catch (error) {
  console.error(`Electron could not be fetched: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
