/** Answers one image of the queue, as the dispatcher does for many. */
import type { ImageFiles } from '../../core/domain/ports/images.ts';
import type { EnrolledFace, ItemAnswer, LeasedItem } from '../../core/domain/ports/uploads.ts';
import type { WorkQueue } from '../../core/storage/enrolment/workQueue.ts';

type Enrolled = Extract<ItemAnswer, { enrolled: object }>['enrolled'];
type Failed = Extract<ItemAnswer, { failed: object }>['failed'];

export async function enrolItem(
  queue: WorkQueue,
  item: LeasedItem,
  enrolled: Enrolled,
  at: Date,
): Promise<EnrolledFace | undefined> {
  const [written] = await queue.commit(item.companyId, [{ item, enrolled }], at);
  return written === 'failed' ? undefined : written;
}

export async function failItem(
  { queue, images }: { queue: WorkQueue; images: Pick<ImageFiles, 'discard'> },
  item: LeasedItem,
  failed: Failed,
  at: Date,
): Promise<void> {
  const [written] = await queue.commit(item.companyId, [{ item, failed }], at);
  if (written === 'failed') await images.discard(item.companyId, [item.imageId]);
}
