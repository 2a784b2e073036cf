import { queryOptions } from '@tanstack/react-query';
import { demoState } from '../../core/contracts/dashboard/demo.ts';
import { uploadLimits } from '../../core/contracts/dashboard/work.ts';
import { requestJson } from './client.ts';
import { sendBatch } from './work.ts';

export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: ({ signal }) => requestJson('GET', '/demo', demoState, { signal }),
});

/** Erases all demo photos of the company with a receipt. */
export const removeDemo = () => requestJson('DELETE', '/demo', demoState);

/** Enrols demo photos as one run, in uploads of the size that the company allows. */
export async function sendDemo(photos: readonly { file: File; name: string }[]): Promise<void> {
  const { imagesPerUpload } = await requestJson('GET', '/uploads/limits', uploadLimits);
  const { signal } = new AbortController();
  const run = {
    id: crypto.randomUUID(),
    name: 'Demo photos',
    photos: photos.length,
    severalFaces: 'refuse' as const,
    fixes: null,
    demo: true as const,
  };
  for (let sent = 0; sent < photos.length; sent += imagesPerUpload) {
    const batch = photos.slice(sent, sent + imagesPerUpload);
    await sendBatch({ kind: 'duplicate' }, batch, crypto.randomUUID(), signal, run);
  }
}
