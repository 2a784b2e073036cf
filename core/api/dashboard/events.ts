import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../domain/ports/auditContext.ts';
import type { Bounds } from '../http/bounds.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { reportChanges } from './eventStream.ts';
import type { ChangeFeed } from '../../storage/engine/changes.ts';

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
  app.get(
    `${DASHBOARD}/events`,
    { config: requirePermission('session', { background: true }), schema: { hide: true } },
    (request, reply) => {
      const { companyId, actor } = operatorOf(request);
      reply.hijack();
      const { raw } = reply;
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
      raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      raw.write(': open\n\n');
    },
  );
  app.addHook('preClose', (done) => {
    for (const stream of open.keys()) stream.end();
    done();
  });
}
