/** A folder that a desktop shell handed over, as the mock API server answers it. */
import { folderBatch, folderReceipt, offeredFolder } from '../../core/contracts/dashboard/folders.ts';

type Answer = [status: number, body: unknown];

export const GRANT_ID = '7b0c6d1e-2f3a-4b5c-8d9e-0a1b2c3d4e5f';
const FOLDER = offeredFolder.parse({
  name: 'camera',
  files: [
    ...['Ada Brandt.jpg', 'gate/Jonas Weil.jpg', 'gate/Mira Solis.jpg'].map((path) => ({
      path,
      bytes: 240_000,
      skip: null,
    })),
    { path: 'system', bytes: 0, skip: 'link' },
    { path: 'thumbs.db', bytes: 9_000, skip: 'notAnImage' },
  ],
});
const UPLOAD = '1e2d3c4b-5a69-4877-9687-a5b4c3d2e1f0';

/** @param accept receives the names of the files of an upload, as the service read them */
export function answerFolders(
  route: string,
  body: Buffer,
  accept: (uploadId: string, names: string[]) => void,
): Answer | undefined {
  if (route === `GET /folders/${GRANT_ID}`) return [200, FOLDER];
  if (route !== `POST /folders/${GRANT_ID}/uploads`) return undefined;
  const { files } = folderBatch.parse(JSON.parse(body.toString()));
  accept(
    UPLOAD,
    files.map((place) => FOLDER.files[place]?.path ?? ''),
  );
  return [202, folderReceipt.parse({ uploadId: UPLOAD })];
}
