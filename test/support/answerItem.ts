/** Answers one image of the queue, as the dispatcher does for many. */
import type { EnrolledFace, ItemAnswer, LeasedItem, WorkQueue } from '../../core/domain/ports/uploads.ts';

type Enrolled = Extract<ItemAnswer, { enrolled: object }>['enrolled'];
type Failed = Extract<ItemAnswer, { failed: object }>['failed'];

export async function enrolItem(
  queue: WorkQueue,
  item: LeasedItem,
  enrolled: Enrolled,
  at: Date,
): Promise<EnrolledFace | undefined> {
  return (await queue.commit(item.companyId, [{ item, enrolled }], at))[0];
}

export async function failItem(queue: WorkQueue, item: LeasedItem, failed: Failed, at: Date): Promise<void> {
  await queue.commit(item.companyId, [{ item, failed }], at);
}
