import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Site } from '../domain/ports.ts';
import { ApiError } from './errors.ts';

/**
 * Counts the requests of each credential over all routes, in a window of one minute, after it has been recognised and
 * before any body is read. Answers 429 with `Retry-After` and the `X-RateLimit-*` headers of contract §1.
 */
export async function limitRates(app: FastifyInstance, site: Site): Promise<void> {
  await app.register(rateLimit, { global: false });
  const count = app.createRateLimit({
    timeWindow: 60_000,
    max: async () => (await site.settings()).requestsPerMinute,
    keyGenerator: (request) => request.caller?.credential ?? 'nobody',
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.caller === null) return;
    const limit = await count(request);
    if (limit.isAllowed) return;
    void reply.header('x-ratelimit-limit', limit.max).header('x-ratelimit-remaining', limit.remaining);
    if (!limit.isExceeded) return;
    void reply.header('retry-after', Math.max(1, limit.ttlInSeconds));
    throw new ApiError('TOO_MANY_ATTEMPTS');
  });
}
