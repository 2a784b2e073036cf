import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Installation } from '../../domain/ports/companies.ts';

const health = z.object({
  status: z.literal('ok'),
  paused: z.boolean().describe('enrolment is paused by an operator; uploads answer 503'),
});

/** For supervisors and load balancers: answers 200 while the store can be read, else 503 (500 where the fault will not pass). */
export function healthRoutes(app: FastifyInstance, ports: { site: Installation }): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    '/health',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the service works',
        tags: ['Service'],
        response: { 200: health.describe('The store can be read.') },
      },
    },
    async () => ({ status: 'ok' as const, paused: (await ports.site.settings()).paused }),
  );
}
