import { readdir, statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readKernelFile } from '../kernel-file.ts';

/**
 * The types of processor thermometers (Linux, Documentation/ABI/testing/sysfs-class-thermal: `type`), the most certain
 * first.
 */
const processorTypes = [/^x86_pkg_temp$/, /cpu/i, /soc/i, /core/i];

/**
 * Temperature of a thermal zone, C; the processor's when `zone` is undefined. Throws DriverError when there is none.
 */
export async function temperature(root: string, zone: number | undefined, signal: AbortSignal): Promise<number | null> {
  const folder = join(root, 'sys/class/thermal');
  const name = zone === undefined ? await processorZone(folder, signal) : `thermal_zone${zone}`;
  return name === undefined ? null : numberIn(await readKernelFile(join(folder, name, 'temp'), signal), 1 / 1000);
}

async function processorZone(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^thermal_zone\d+$/.test(name)).sort();
  const zones = await Promise.all(
    names.map(async (name) => ({ name, type: (await readKernelFile(join(folder, name, 'type'), signal)).trim() })),
  );
  const fitting = processorTypes.flatMap((wanted) => zones.filter(({ type }) => wanted.test(type)));
  return (fitting[0] ?? zones[0])?.name;
}

/** Load of the last minute, % of all processors: above 100 some processes wait (proc_loadavg(5)). */
export async function load(root: string, signal: AbortSignal): Promise<number | null> {
  return numberIn(await readKernelFile(join(root, 'proc/loadavg'), signal), 100 / availableParallelism());
}

/** Memory that is not available to new programs, % (proc_meminfo(5): MemAvailable, since Linux 3.14). */
export async function memoryUsed(root: string, signal: AbortSignal): Promise<number | null> {
  const text = await readKernelFile(join(root, 'proc/meminfo'), signal);
  const kB = (field: string): number => Number(new RegExp(`^${field}: +(\\d+) kB$`, 'm').exec(text)?.[1] ?? NaN);
  return finite(100 * (1 - kB('MemAvailable') / kB('MemTotal')));
}

/** Used part of a folder's disk, % of what programs may use, as `df` counts it. */
export async function diskUsed(folder: string): Promise<number | null> {
  const { blocks, bfree, bavail } = await statfs(folder);
  const used = blocks - bfree;
  return finite((100 * used) / (used + bavail));
}

function numberIn(text: string, factor: number): number | null {
  const number = /^\s*(-?\d+(?:\.\d+)?)/.exec(text)?.[1];
  return number === undefined ? null : Number(number) * factor;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
