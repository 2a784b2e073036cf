import { workApi, EVENT_TOPICS, type EventTopic } from '../../contracts/dashboard/work.ts';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../domain/ports/auditContext.ts';
import type { Bounds } from '../http/bounds.ts';
import { isClosed } from '../http/connections.ts';
import { serve } from './access/guard.ts';
import type { ChangeFeed } from '../../storage/engine/changes.ts';
import type { Writable } from 'node:stream';
import type { CompanyId } from '../../contracts/ids.ts';

/** From the first change after an event to the next event, milliseconds: a page receives at most four events a second. */
export const EVENT_GAP = 250;
/** Between two comments that keep the connection open, milliseconds. */
export const HEARTBEAT = 15_000;

/**
 * Writes server-sent events for the committed changes of a company; each names the topics that changed since the one before.
 * While the reader takes no data, only the names of the topics are kept, and a reader that takes none between two heartbeats
 * is cut off. The stream ends with the session of the reader, and when the role of the reader changes.
 * @param recheck rejects then
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

/**
 * Reports changes to open pages as server-sent events. A page reloads its data when the stream opens, which is after the
 * subscription, so it misses no change.
 */
export function eventRoutes(
  app: FastifyInstance,
  { changes, bounds }: { changes: ChangeFeed; bounds: Pick<Bounds, 'eventStreams'> },
): void {
  /** With the operator of each, the oldest first. */
  const open = new Map<ServerResponse, Actor>();
  serve(app, workApi.events, ({ companyId, actor, request, reply }) => {
    reply.hijack();
    const { raw } = reply;
    // The page was left while its session was looked up.
    if (isClosed(raw)) return reply;
    const recheck = async () => request.recheck?.();
    const stop = reportChanges(raw, changes, companyId, recheck);
    const own = [...open].filter(([, of]) => of === actor).map(([stream]) => stream);
    const oldest = own.length < bounds.eventStreams ? undefined : own[0];
    oldest?.end();
    if (oldest !== undefined) open.delete(oldest);
    open.set(raw, actor);
    raw.on('close', () => {
      stop();
      open.delete(raw);
    });
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, { 'content-type': 'text/event-stream' });
    raw.write(': open\n\n');
    return reply;
  });
  app.addHook('preClose', (done) => {
    for (const stream of open.keys()) stream.end();
    done();
  });
}
