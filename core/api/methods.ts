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
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.access === undefined) return;
    const methods = methodsOf.get(url) ?? new Set();
    methodsOf.set(url, methods);
    for (const each of [method].flat()) methods.add(each);
  });
  let router: ReturnType<typeof createRouter> | undefined;
  /** Made at the first use: it takes as long to make as the routes of the service. */
  const routerOfPaths = () => {
    if (router !== undefined) return router;
    router = createRouter(PATH_OPTIONS);
    for (const path of methodsOf.keys()) router.on('GET', path, () => undefined, path);
    return router;
  };
  app.decorateRequest('pathOfOtherMethods', null);
  // Before the body: a wrong method is reported also where the type of the body is wrong.
  app.addHook('onRequest', (request, reply, done) => {
    // Without a route for programs, the path belongs to no route or to the page that answers any address.
    const { access } = request.routeOptions.config;
    const path: unknown = access === undefined ? routerOfPaths().find('GET', request.url)?.store : undefined;
    if (typeof path !== 'string') {
      done();
      return;
    }
    request.pathOfOtherMethods = path;
    void reply.header('allow', [...(methodsOf.get(path) ?? [])].sort().join(', '));
    done(new ApiError('METHOD_NOT_ALLOWED'));
  });
}
