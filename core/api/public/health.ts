import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { readiness } from '../../contracts/nodes.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import type { PublicPorts } from '../ports.ts';
import { admitReader } from '../../domain/diagnostics/metricsAccess.ts';
import type { Metrics, MetricsText } from '../../domain/ports/metrics.ts';
import { bearerTokenOf } from '../http/credentials.ts';
import { ApiError } from '../http/errors.ts';

/** The text exposition format (prometheus.io/docs/instrumenting/exposition_formats). */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * `GET /metrics` for a monitoring system, with a credential of its own: 404 until an administrator turns it on. It is no
 * part of the interface for programs, so its description leaves it out.
 */
export function metricsRoutes(
  app: FastifyInstance,
  ports: PublicPorts & { metrics: Metrics & MetricsText },
): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    '/metrics',
    {
      // Not counted by address: any local program could use up the requests of the monitoring system with wrong tokens.
      config: { access: 'public' },
      schema: { hide: true, response: { 200: z.string() } },
    },
    async (request, reply) => {
      const admission = await admitReader(ports, bearerTokenOf(request));
      if (admission === 'off') throw new ApiError('NOT_FOUND');
      if (admission === 'refused') throw new ApiError('UNAUTHENTICATED');
      return reply.type(CONTENT_TYPE).send(await ports.metrics.text());
    },
  );
}

/** Reports each answer with its duration. */
export function measureAnswers(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.requestAnswered({
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      code: request.errorCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
}

const health = z.object({
  status: z.literal('ok'),
  paused: z.boolean().describe('enrolment is paused by an operator; uploads answer 503'),
});
const alive = z.object({ status: z.literal('ok') });

const SERVICE = { config: { access: 'public' } } as const;

/**
 * For supervisors and load balancers. `/health` answers 200 while the store can be read and written, else 503. `/health/live`
 * answers as long as the process does: a supervisor restarts one that does not. `/health/ready` answers 503 while requests
 * should go to another service. These two are no part of the interface for programs, so its description leaves them out.
 */
export function healthRoutes(app: FastifyInstance, ports: PublicPorts): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get(
    '/health',
    {
      ...SERVICE,
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the service works',
        tags: ['Service'],
        response: { 200: health.describe('The store can be read and written.') },
      },
    },
    async () => {
      if (!(await ports.readiness()).checks.store) throw new UnavailableError('The store does not work.');
      return { status: 'ok' as const, paused: (await ports.installation.settings()).paused };
    },
  );
  typed.get('/health/live', { ...SERVICE, schema: { hide: true, response: { 200: alive } } }, () => ({
    status: 'ok' as const,
  }));
  typed.get(
    '/health/ready',
    { ...SERVICE, schema: { hide: true, response: { 200: readiness, 503: readiness } } },
    async (_request, reply) => {
      const state = await ports.readiness();
      return reply.status(state.ready ? 200 : 503).send(state);
    },
  );
}
