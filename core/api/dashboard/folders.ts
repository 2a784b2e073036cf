import { folderApi } from '../../contracts/dashboard/folders.ts';
import { problem } from '../../contracts/errors/problem.ts';
import type { FastifyInstance } from 'fastify';
import { type WatchedFolders, PhotoGone } from '../../domain/enrolment/folderGrants.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import { serve } from './access/guard.ts';
import { retriedPhotos } from './enrolmentRuns.ts';
import { readListingEdit } from '../../domain/blacklists/faceListings.ts';
import { ApiError, invalidFields, existing } from '../http/errors.ts';
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
  serve(app, folderApi.read, ({ operator, params: { grantId } }) =>
    existing(folderGrants.folder(operator, grantId)),
  );
  serve(app, folderApi.send, async ({ operator, params: { grantId }, query, body, request }) => {
    const { files: places, blacklist, listing, persons } = body;
    const files = existing(folderGrants.photos(operator, grantId, places));
    const destination: UploadDestination =
      blacklist === undefined
        ? { kind: 'duplicate' }
        : {
            kind: 'blacklist',
            blacklistId: blacklist,
            listing: readListingEdit(listing ?? {}, clock.now()).listing,
          };
    const { companyId, actor: by } = operator;
    if (persons !== undefined && !mayRole(operator.role, 'persons:write'))
      throw new ApiError('PERSONS_NOT_ALLOWED');
    const run = runOf(query, 'dashboard');
    const fix = await retriedPhotos(runs, companyId, destination, query.fixes);
    try {
      const upload = { companyId, by, run, files, persons, fix, otherFormats: true };
      const { id } = await receiveImages(request, intake, destination, upload);
      accepted();
      return { uploadId: id };
    } catch (error) {
      if (!(error instanceof PhotoGone)) throw error;
      const key = imageKey(error.index);
      throw invalidFields({ [key]: [problem('IMAGE_GONE', { field: key })] });
    }
  });
  serve(app, folderApi.forget, ({ operator, params: { grantId } }) => {
    if (!folderGrants.forget(operator, grantId)) throw new ApiError('NOT_FOUND');
  });
}

/** The folders of the operator's company that `vouch watch` watches on this machine. */
function watchedFolderRoutes(app: FastifyInstance, watchedFolders: WatchedFolders): void {
  serve(app, folderApi.watched, ({ companyId }) => ({ items: watchedFolders.of(companyId) }));
}
