import { installationOf, newestGood } from './folder.ts';
import { folderOf, readPlan } from './plan-file.ts';

/** What to do where the configuration is lost, with the latest backup that was found sound. */
export function wayBack(directory: string): string {
  try {
    const found = newestGood(folderOf(directory, readPlan(directory).plan), installationOf(directory));
    if (found !== undefined) return `"orangery restore --newest" puts back ${found}`;
  } catch {
    // a folder or a plan that cannot be read has no backup to name
  }
  return 'put it back from a backup by "orangery restore FILE"';
}
