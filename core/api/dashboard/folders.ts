import { problem } from '../../contracts/errors/problem.ts';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  folderBatch,
  folderReceipt,
  offeredFolder,
  watchedFolderList,
} from '../../contracts/dashboard/folders.ts';
import { retryDeclaration, runDeclaration } from '../../contracts/dashboard/enrolmentRuns.ts';
import { type WatchedFolders, PhotoGone } from '../../domain/enrolment/folderGrants.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { retriedPhotos } from './enrolmentRuns.ts';
import { newListingOf } from './faceListing.ts';
import { ApiError, invalidFields } from '../http/errors.ts';
import { receiveImages, runOf } from '../http/uploadForm.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { imageKey } from '../../domain/enrolment/incomingFile.ts';
import type { UploadDestination } from '../../domain/enrolment/intake.ts';

/** Photos that are read where they lie. Which folder a grant is of was said by the desktop shell, never by the page. */
export function folderRoutes(
  app: FastifyInstance,
  { folderGrants, intake, runs, accepted, clock, watchedFolders }: DashboardRoutePorts,
): void {
  watchedFolderRoutes(app, watchedFolders);
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/folders/:grantId`;
  const config = requirePermission('uploads:create');
  const params = z.object({ grantId: z.uuid() });
  routes.get(
    path,
    { config, schema: { hide: true, params, response: { 200: offeredFolder } } },
    (request) => {
      const folder = folderGrants.folder(operatorOf(request), request.params.grantId);
      if (folder === undefined) throw new ApiError('NOT_FOUND');
      return folder;
    },
  );
  routes.post(
    `${path}/uploads`,
    {
      config,
      schema: {
        hide: true,
        params,
        querystring: runDeclaration.extend(retryDeclaration.shape),
        body: folderBatch,
        response: { 202: folderReceipt },
      },
    },
    async (request, reply) => {
      const operator = operatorOf(request);
      const { files: places, blacklist, listing, persons } = request.body;
      const files = folderGrants.photos(operator, request.params.grantId, places);
      if (files === undefined) throw new ApiError('NOT_FOUND');
      const destination: UploadDestination =
        blacklist === undefined
          ? { kind: 'duplicate' }
          : { kind: 'blacklist', blacklistId: blacklist, listing: newListingOf(listing ?? {}, clock.now()) };
      const { companyId, actor: by } = operator;
      if (persons !== undefined && !mayRole(operator.role, 'persons:write'))
        throw new ApiError('PERSONS_NOT_ALLOWED');
      const run = runOf(request.query, 'dashboard');
      const fix = await retriedPhotos(runs, companyId, destination, request.query.fixes);
      try {
        const upload = { companyId, by, run, files, persons, fix };
        const { id } = await receiveImages(request, intake, destination, upload);
        accepted();
        return await reply.code(202).send({ uploadId: id });
      } catch (error) {
        if (!(error instanceof PhotoGone)) throw error;
        const key = imageKey(error.index);
        throw invalidFields({ [key]: [problem('IMAGE_GONE', { field: key })] });
      }
    },
  );
  routes.delete(path, { config, schema: { hide: true, params } }, async (request, reply) => {
    if (!folderGrants.forget(operatorOf(request), request.params.grantId)) throw new ApiError('NOT_FOUND');
    return reply.code(204).send();
  });
}

/** The folders of the operator's company that `vouch watch` watches on this machine. */
function watchedFolderRoutes(app: FastifyInstance, watchedFolders: WatchedFolders): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    `${DASHBOARD}/watched-folders`,
    {
      config: requirePermission('uploads:read', { background: true }),
      schema: { hide: true, response: { 200: watchedFolderList } },
    },
    (request) => ({ items: watchedFolders.of(operatorOf(request).companyId) }),
  );
}
