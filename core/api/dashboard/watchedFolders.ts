import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { watchedFolderList } from '../../contracts/dashboard/watchedFolders.ts';
import type { WatchedFolders } from '../../domain/enrolment/watchedFolders.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';

/** The folders of the operator's company that `vouch watch` watches on this machine. */
export function watchedFolderRoutes(
  app: FastifyInstance,
  { watchedFolders }: { watchedFolders: WatchedFolders },
): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    `${DASHBOARD}/watched-folders`,
    {
      config: requirePermission('uploads:read', { background: true }),
      schema: { hide: true, response: { 200: watchedFolderList } },
    },
    (request) => ({ items: watchedFolders.of(operatorOf(request).companyId) }),
  );
}
