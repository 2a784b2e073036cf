import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { admitReader } from '../../domain/diagnostics/metricsAccess.ts';
import type { Metrics, MetricsText } from '../../domain/ports/metrics.ts';
import { bearerTokenOf } from '../http/credentials.ts';
import { ApiError } from '../http/errors.ts';
import type { PublicPorts } from '../ports.ts';

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
