import { skipOfNames, type FolderSkip } from '../../../core/contracts/dashboard/folders.ts';
import type { UploadLimits } from '../../../core/contracts/dashboard/work.ts';
import { imageKind } from '../../components/imageKind.ts';
import type { FoundFile } from './droppedFiles.ts';

/** The photos that will be sent and the skipped files with their reasons, shown before the start. */
export interface Plan {
  files: FoundFile[];
  bytes: number;
  skipped: { path: string; reason: FolderSkip }[];
}

/** Files looked into at once. */
const CONCURRENCY = 16;

/** Decides by content, as the service does: a file name proves nothing. */
export async function planOf(found: readonly FoundFile[], limits: UploadLimits): Promise<Plan> {
  const plan: Plan = { files: [], bytes: 0, skipped: [] };
  for (let from = 0; from < found.length; from += CONCURRENCY) {
    const some = found.slice(from, from + CONCURRENCY);
    const reasons = await Promise.all(some.map((each) => whySkipped(each, limits.bytesPerImage)));
    for (const [index, each] of some.entries()) {
      const reason = reasons[index];
      if (reason == null) {
        plan.files.push(each);
        plan.bytes += each.file.size;
      } else plan.skipped.push({ path: each.path, reason });
    }
  }
  return plan;
}

async function whySkipped({ path, file }: FoundFile, most: number): Promise<FolderSkip | null> {
  if (!(file instanceof File)) return file.skip;
  const skip = skipOfNames(path);
  if (skip !== null) return skip;
  if (file.size === 0) return 'empty';
  try {
    if ((await imageKind(file)) === null) return 'notAnImage';
  } catch {
    // Removed, or no permission.
    return 'unreadable';
  }
  return file.size > most ? 'tooLarge' : null;
}
