import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { readiness, type Readiness } from '../../contracts/nodes.ts';
import type { Installation } from '../../domain/ports/companies.ts';

const health = z.object({
  status: z.literal('ok'),
  paused: z.boolean().describe('enrolment is paused by an operator; uploads answer 503'),
});
const alive = z.object({ status: z.literal('ok') });

const SERVICE = { config: { access: 'public' } } as const;

interface HealthPorts {
  site: Installation;
  readiness: () => Promise<Readiness>;
}

/**
 * For supervisors and load balancers. `/health` answers 200 while the store can be read, else 503 (500 where the fault will not
 * pass). `/health/live` answers as long as the process does: a supervisor restarts one that does not. `/health/ready`
 * answers 503 while requests should go to another service.
 */
export function healthRoutes(app: FastifyInstance, ports: HealthPorts): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get(
    '/health',
    {
      ...SERVICE,
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the service works',
        tags: ['Service'],
        response: { 200: health.describe('The store can be read.') },
      },
    },
    async () => ({ status: 'ok' as const, paused: (await ports.site.settings()).paused }),
  );
  typed.get(
    '/health/live',
    {
      ...SERVICE,
      schema: {
        operationId: 'getLiveness',
        summary: 'Whether the process answers',
        tags: ['Service'],
        response: { 200: alive.describe('The process answers.') },
      },
    },
    () => ({ status: 'ok' as const }),
  );
  typed.get(
    '/health/ready',
    {
      ...SERVICE,
      schema: {
        operationId: 'getReadiness',
        summary: 'Whether requests should be sent to this service',
        tags: ['Service'],
        response: {
          200: readiness.describe('The service can answer.'),
          503: readiness.describe('Requests should go to another service. The body names the check that fails.'),
        },
      },
    },
    async (_request, reply) => {
      const state = await ports.readiness();
      return reply.status(state.ready ? 200 : 503).send(state);
    },
  );
}
