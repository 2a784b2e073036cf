import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Site } from '../domain/ports.ts';
import { callerOf } from './credentials.ts';
import { ApiError } from './errors.ts';

/**
 * Counts the requests of each credential in a window of one minute, after it has been recognised and before any body
 * is read. Answers 429 with `Retry-After` and the `X-RateLimit-*` headers of contract §1.
 */
export async function limitRates(app: FastifyInstance, site: Site): Promise<void> {
  // Before the plugin's own: it looks at what this one writes.
  app.addHook('onRoute', (route) => {
    const { access } = route.config ?? {};
    if (access !== undefined && access !== 'public') route.config = { ...route.config, rateLimit: {} };
  });
  await app.register(rateLimit, {
    global: false,
    timeWindow: 60_000,
    max: async () => (await site.settings()).requestsPerMinute,
    keyGenerator: (request) => callerOf(request).credential,
    errorResponseBuilder: () => new ApiError('TOO_MANY_ATTEMPTS'),
  });
}
