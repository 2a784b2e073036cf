/** Measures each part of a photo's time alone, with its floor. Runs in a process of its own, as a worker does. */
// First: it must be evaluated before the library is loaded.
import '../../core/vision/nets/noTelemetry.ts';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { thumbnailToImage } from '../../core/vision/alignment.ts';
import { openImage } from '../../core/vision/decode.ts';
import { alignedFace } from '../../core/vision/alignment.ts';
import { BLAZEFACE_SIZE, loadBlazeFace } from '../../core/vision/nets/blazeface.ts';
import {
  loadMobileFaceNet,
  loadRecognition,
  MOBILE_SIZE,
  RECOGNITION_SIZE,
} from '../../core/vision/nets/descriptors.ts';
import { FACEMESH_SIZE, loadFaceMesh } from '../../core/vision/nets/facemesh.ts';
import { central, createFaceFinder, MODELS, qualityOf } from '../vision/faceFinder.ts';
import { fastestRate } from './rate.ts';
import { timesOf, type Times } from './times.ts';

/** A part of the work, processor milliseconds. */
export interface Part {
  name: string;
  time: number;
  /** The least possible time; absent: not known, or the net multiplies bytes. */
  floor?: number;
}

export interface Parts {
  /** Million multiply-adds per millisecond that the floors of the nets are counted with. */
  rate: number;
  nets: Part[];
  /** Of each photo. */
  photos: { decode: Part; others: Part[] }[];
}

const rounds = Number(process.argv[2]);
process.on('message', (files: string[]) => {
  void measure(files).then((parts) => process.send?.(parts));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function measure(files: readonly string[]): Promise<Parts> {
  const nets: { name: string; times: Times; multiplyAdds?: number }[] = [];
  for (const { name, run, multiplyAdds } of await netWork())
    nets.push({ name, times: await timesOf(run, rounds), ...(multiplyAdds && { multiplyAdds }) });
  // The fastest run sets the floor, a run of the net included, so that no measured time is below it.
  const ownRates = nets.map(({ times, multiplyAdds = 0 }) => multiplyAdds / times.least);
  const rate = Math.max(await fastestRate(rounds), ...ownRates);
  const photos = [];
  for (const file of files) {
    const photo = await readFile(file);
    photos.push({ decode: await decoding(photo), others: await otherWork(photo) });
  }
  return {
    rate,
    nets: nets.map(({ name, times, multiplyAdds }) => ({
      name,
      time: times.median,
      ...(multiplyAdds && { floor: multiplyAdds / rate }),
    })),
    photos,
  };
}

/**
 * The nets as an enrolment runs them, with their multiply-adds in millions: two mesh fits, two views for each
 * descriptor. Counted from the layers: output pixels × filters × filter size × inputs. The 128-D net multiplies bytes.
 */
async function netWork(): Promise<{ name: string; run: () => Promise<unknown>; multiplyAdds?: number }[]> {
  const picture = (size: number, count = 1) => new Uint8Array(count * size * size * 3).fill(127);
  const [blazeFace, faceMesh] = [await loadBlazeFace(MODELS), await loadFaceMesh(MODELS)];
  const [recognition, mobile] = [await loadRecognition(MODELS), await loadMobileFaceNet(MODELS)];
  const crop = picture(FACEMESH_SIZE);
  return [
    { name: 'BlazeFace', run: () => blazeFace(picture(BLAZEFACE_SIZE), 0.5), multiplyAdds: 193.5 },
    {
      name: 'Face Mesh, twice',
      run: async () => [await faceMesh(crop), await faceMesh(crop)],
      multiplyAdds: 2 * 40.2,
    },
    { name: '128-D, two views', run: () => recognition(picture(RECOGNITION_SIZE, 2)) },
    { name: 'MobileFaceNet, two views', run: () => mobile(picture(MOBILE_SIZE, 2)), multiplyAdds: 2 * 213.9 },
  ];
}

/** As an enrolment decodes, beside the decoder's bare call for the same pixels: no orientation, alpha, colour space. */
async function decoding(photo: Buffer): Promise<Part> {
  const { raster, scale } = await (await openImage(photo)).overview();
  const { width, height } = raster;
  const bare = () => {
    const image = sharp(photo);
    const reduced = scale === 1 ? image : image.resize(width, height, { fit: 'fill', kernel: 'linear' });
    return reduced.raw().toBuffer();
  };
  const { least } = await timesOf(bare, rounds);
  const { median } = await timesOf(async () => (await openImage(photo)).overview(), rounds);
  return { name: 'decode', time: median, floor: least };
}

/** The parts of an enrolment beside decoding and the nets that can be run alone. */
async function otherWork(photo: Buffer): Promise<Part[]> {
  const finder = await createFaceFinder();
  const look = await finder.look(photo);
  const face = central(look);
  if (face === undefined) throw new Error('no face to measure on');
  const { view } = look;
  // The largest picture, with the smaller copies that it needs of this photo; the next ones find them made.
  const whole = thumbnailToImage(face, BLAZEFACE_SIZE, 4);
  const crops = [FACEMESH_SIZE, FACEMESH_SIZE, ...Array<number>(2).fill(RECOGNITION_SIZE)];
  const sample = () => {
    const sampled = view.withRaster(view.raster);
    sampled.sample(whole, BLAZEFACE_SIZE, BLAZEFACE_SIZE, 'black');
    for (const size of [...crops, MOBILE_SIZE, MOBILE_SIZE])
      sampled.sample(thumbnailToImage(face, size), size, size);
    return Promise.resolve();
  };
  const timed = async (name: string, work: () => Promise<unknown>): Promise<Part> => ({
    name,
    time: (await timesOf(work, rounds)).median,
  });
  return [
    await timed('sampling of seven pictures', sample),
    await timed('quality', () => Promise.resolve(qualityOf(look, face))),
    await timed('thumbnail', () => alignedFace(view, face.eyes)),
  ];
}
