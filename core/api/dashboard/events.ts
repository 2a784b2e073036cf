import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ChangeFeed } from '../../domain/ports/changes.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { reportChanges } from './eventStream.ts';

/**
 * Reports changes to open pages as server-sent events. A page reloads its data when the stream opens, which is after the
 * subscription, so it misses no change.
 */
export function eventRoutes(app: FastifyInstance, { changes }: { changes: ChangeFeed }): void {
  const open = new Set<ServerResponse>();
  app.get(
    `${DASHBOARD}/events`,
    { config: requirePermission('session', { background: true }), schema: { hide: true } },
    (request, reply) => {
      const { companyId } = operatorOf(request);
      reply.hijack();
      const { raw } = reply;
      const stop = reportChanges(raw, changes, companyId);
      open.add(raw);
      raw.on('close', () => {
        stop();
        open.delete(raw);
      });
      raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      raw.write(': open\n\n');
    },
  );
  app.addHook('preClose', (done) => {
    for (const stream of open) stream.end();
    done();
  });
}
