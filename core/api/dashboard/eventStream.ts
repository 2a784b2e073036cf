import type { Writable } from 'node:stream';
import { EVENT_TOPICS, type EventTopic } from '../../contracts/dashboard/work.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { ChangeFeed } from '../../storage/engine/changes.ts';

/** From the first change after an event to the next event, milliseconds: a page receives at most four events a second. */
export const EVENT_GAP = 250;
/** Between two comments that keep the connection open, milliseconds. */
export const HEARTBEAT = 15_000;

/**
 * Writes server-sent events for the committed changes of a company; each names the topics that changed since the one before.
 * While the reader takes no data, only the names of the topics are kept, and a reader that takes none between two heartbeats
 * is cut off. The stream ends with the session of the reader.
 * @param recheck rejects when that session has ended
 * @returns ends the reporting
 */
export function reportChanges(
  stream: Writable,
  changes: Pick<ChangeFeed, 'subscribe'>,
  company: CompanyId,
  recheck: () => Promise<void>,
): () => void {
  const changed = new Set<EventTopic>();
  let next: NodeJS.Timeout | undefined;
  const send = () => {
    clearTimeout(next);
    next = undefined;
    // Where the reader is slow, the event `drain` follows.
    if (stream.writableEnded || stream.writableNeedDrain || changed.size === 0) return;
    const topics = EVENT_TOPICS.filter((topic) => changed.has(topic));
    changed.clear();
    stream.write(`data: ${JSON.stringify({ topics })}\n\n`);
  };
  const check = () => {
    recheck().catch(() => stream.end());
  };
  const unsubscribe = changes.subscribe(company, (topics) => {
    if (topics.has('access')) check();
    for (const topic of topics) if (topic !== 'access') changed.add(topic);
    if (changed.size > 0) next ??= setTimeout(send, EVENT_GAP);
  });
  stream.on('drain', send);
  const heartbeat = setInterval(() => {
    if (stream.writableEnded || stream.writableNeedDrain) stream.destroy();
    else stream.write(':\n\n');
    check();
  }, HEARTBEAT);
  return () => {
    unsubscribe();
    clearTimeout(next);
    clearInterval(heartbeat);
  };
}
