import { installationOf, newestGood } from './folder.ts';
import { folderOf, readPlan } from './plan-file.ts';

/** What to do when the configuration is lost, with the latest sound backup. */
export function wayBack(directory: string): string {
  try {
    const found = newestGood(folderOf(directory, readPlan(directory).plan), installationOf(directory));
    if (found !== undefined) return `"orangery restore --newest" puts back ${found}`;
  } catch {
    // An unreadable folder or plan has no backup to name.
  }
  return 'put it back from a backup by "orangery restore FILE"';
}
