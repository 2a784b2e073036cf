import type { FastifyInstance } from 'fastify';
import createRouter from 'find-my-way';
import { ApiError } from './http/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The path of routes that have other methods than the request; null for all other requests. */
    pathOfOtherMethods: string | null;
  }
}

/** How the path of a request is compared with those of the routes. */
export const PATH_OPTIONS = {
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
  maxParamLength: 100,
} as const;

/**
 * Refuses requests to a path whose routes have other methods: 405 with `Allow`, where Fastify would answer 404. A route for
 * each of the other methods did the same, but made six times as many routes, and a third of the time until the service listened.
 * Call it after the hooks that may refuse a request for another reason, and before the routes are added.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  const router = createRouter(PATH_OPTIONS);
  const paths = new Map<string, Set<string>>();
  const pathOf = new Map<unknown, { url: string; methods: ReadonlySet<string> }>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.access === undefined) return;
    let methods = paths.get(url);
    if (methods === undefined) {
      methods = new Set();
      const handler = () => undefined;
      paths.set(url, methods);
      pathOf.set(handler, { url, methods });
      router.on('GET', url, handler);
    }
    for (const each of [method].flat()) methods.add(each);
  });
  app.decorateRequest('pathOfOtherMethods', null);
  // Before the body: a wrong method is reported also where the type of the body is wrong.
  app.addHook('onRequest', (request, reply, done) => {
    // Without a route for programs, the path belongs to no route or to the page that answers any address.
    const { access } = request.routeOptions.config;
    const path = access === undefined ? pathOf.get(router.find('GET', request.url)?.handler) : undefined;
    if (path === undefined) {
      done();
      return;
    }
    request.pathOfOtherMethods = path.url;
    void reply.header('allow', [...path.methods].sort().join(', '));
    done(new ApiError('METHOD_NOT_ALLOWED'));
  });
}
