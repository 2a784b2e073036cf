import type { FastifyInstance } from 'fastify';
import { requirePermission } from './dashboard/access/guard.ts';
import { ApiError } from './http/errors.ts';

/**
 * Remembers the routes that are added from now on.
 * @returns adds to each of their paths an answer for the methods it does not have: 405 with `Allow`. Call it last.
 */
export function rememberMethods(app: FastifyInstance): { refuseOthers(): void } {
  const byPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.access === undefined) return;
    const methods = byPath.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    byPath.set(url, methods);
  });
  return {
    refuseOthers() {
      for (const [url, methods] of [...byPath]) {
        const allow = [...methods].sort().join(', ');
        app.route({
          url,
          method: app.supportedMethods.filter((method) => !methods.has(method)),
          config: requirePermission('none'),
          schema: { hide: true },
          // Checked before the body: a wrong method is reported also when the body type is wrong.
          onRequest: (_request, reply, done) => {
            void reply.header('allow', allow);
            done(new ApiError('METHOD_NOT_ALLOWED'));
          },
          handler: () => undefined,
        });
      }
    },
  };
}
