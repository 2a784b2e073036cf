import { skipOfNames, type FolderSkip } from '../../../core/contracts/dashboard/folders.ts';
import type { UploadLimits } from '../../../core/contracts/dashboard/work.ts';
import { imageKind } from '../../components/imageKind.ts';
import {
  convertibleFormat,
  readableImage,
  UnreadableImage,
  type ConvertibleFormat,
} from '../../components/readableImage.ts';
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
    const judged = await Promise.all(some.map((each) => judge(each, limits.bytesPerImage)));
    for (const [index, each] of some.entries()) {
      const is = judged[index] ?? 'unreadable';
      if (typeof is === 'string') plan.skipped.push({ path: each.path, reason: is });
      else {
        plan.files.push(is);
        plan.bytes += is.file.size;
      }
    }
  }
  return plan;
}

/** Formats that this browser has converted. */
const converts = new Set<ConvertibleFormat>();

/** The photo as it will be sent, or why it is not sent. */
async function judge(found: FoundFile, most: number): Promise<FoundFile | FolderSkip> {
  const { path, file } = found;
  if (!(file instanceof File)) return file.skip ?? found;
  const skip = skipOfNames(path);
  if (skip !== null) return skip;
  if (file.size === 0) return 'empty';
  try {
    if ((await imageKind(file)) !== null) return file.size > most ? 'tooLarge' : found;
    const format = await convertibleFormat(file);
    if (format === null) return 'notAnImage';
    // Every photo is converted when it is sent. A folder of conversions would be too large to keep, and slow to plan.
    if (!converts.has(format)) await readableImage(file);
    converts.add(format);
    return { ...found, convertedFrom: format };
  } catch (error) {
    // Else removed, or no permission.
    return error instanceof UnreadableImage ? 'notAnImage' : 'unreadable';
  }
}
