import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { EVENT_TOPICS } from '../../contracts/dashboard/work.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { ChangeMarks, DashboardQueries } from '../../domain/ports/dashboard.ts';
import type { Logger } from '../../domain/ports/machine.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';

/** Between two looks at what has changed, milliseconds; a look is four index reads. */
const LOOK = 1_000;
/** A stream ends after this long, so that the browser's reconnection is checked for its session; milliseconds. */
const LIFE = 5 * 60_000;

/** Tells open screens what has changed, as server-sent events: they need not ask. */
export function eventRoutes(app: FastifyInstance, ports: { views: DashboardQueries; log: Logger }): void {
  const open = new Set<ServerResponse>();
  app.get(
    `${DASHBOARD}/events`,
    { config: requirePermission('session', { background: true }), schema: { hide: true } },
    (request, reply) => {
      const { companyId } = operatorOf(request);
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      raw.write(': open\n\n');
      open.add(raw);
      const stop = tellChanges(raw, ports, companyId);
      raw.on('close', () => {
        stop();
        open.delete(raw);
      });
    },
  );
  app.addHook('preClose', (done) => {
    for (const stream of open) stream.end();
    done();
  });
}

/** @returns ends the looking */
function tellChanges(
  stream: ServerResponse,
  { views, log }: { views: DashboardQueries; log: Logger },
  company: CompanyId,
): () => void {
  let before: ChangeMarks | undefined;
  const look = async () => {
    const now = await views.marks(company);
    const last = before;
    before = now;
    if (last === undefined) return;
    const topics = EVENT_TOPICS.filter((topic) => last[topic] !== now[topic]);
    if (topics.length > 0) stream.write(`data: ${JSON.stringify({ topics })}\n\n`);
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => {
      log.warn({ err: error }, 'an open screen could not be told what changed');
      stream.end();
    });
  }, LOOK);
  const end = setTimeout(() => stream.end(), LIFE);
  return () => {
    clearInterval(timer);
    clearTimeout(end);
  };
}
