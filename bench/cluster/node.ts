/** Part of `npm run bench -- cluster`: a service with a gallery that searches when its parent asks. */
import { openGallery } from '../../core/gallery/index.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { COMPANY, PIPELINE } from '../gallery/subject.ts';
import { randomFrom, spread } from '../gallery/templates.ts';

const [folder = '', dimensions = '', own = ''] = process.argv.slice(2);
const begun = performance.now();
const storage = await openStorage(openHome(folder), { now: () => new Date() });
const gallery = await openGallery({ pipelineId: PIPELINE }, storage, console);
process.send?.({ startedMs: performance.now() - begun, restored: gallery.restored });

const length = Number(dimensions);
const PROBES = 200;
const probes = spread(PROBES, length, [], 2 + Number(own));
const random = randomFrom(1 + Number(own));

/** Milliseconds of each search that `lines` callers do one after the other until the time is over. */
async function searchFor(milliseconds: number, lines: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  const line = async () => {
    for (let start = performance.now(); start < end; start = performance.now()) {
      const probe = Math.floor(random() * PROBES) * length;
      await gallery.search(COMPANY, {
        probe: { pipelineId: PIPELINE, vector: probes.slice(probe, probe + length) },
        watchlists: [{ kind: 'duplicate' }],
        limit: 20,
        maxDistance: 1,
      });
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: lines }, line));
  return times;
}

process.on('message', ({ milliseconds, lines }: { milliseconds: number; lines: number }) => {
  void searchFor(milliseconds, lines).then((times) => process.send?.({ times }));
});
