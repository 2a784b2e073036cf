/** Altered photos of LFW as they may arrive, and how far each is from all untouched ones. */
import { readFile } from 'node:fs/promises';
import type { ExtractedFace, Quality } from '../../core/contracts/faces.ts';
import type { Engine } from '../../core/vision/pool/engine.ts';
import { fuse } from '../../core/vision/fusion.ts';
import fusion from '../../core/vision/fusion.json' with { type: 'json' };
import { euclidean } from '../accuracy/comparisons.ts';
import { describeSet, type Descriptions } from '../accuracy/describing.ts';
import { loadOurs, PARTS, partsOf } from '../accuracy/ours.ts';
import { lfw, type Photo } from '../accuracy/photos.ts';
import { arrived } from './arrivals.ts';
import { randomNumbers } from './pictures.ts';

/** A photo as it arrived. */
export interface Probe {
  /** The photo that it is made of. */
  photo: Photo;
  kind: string;
  vector: Float32Array;
  quality: Quality;
}

export interface ProbeComparison {
  probe: Probe;
  distance: number;
}

export interface ProbeComparisons {
  probes: readonly Probe[];
  /** With every untouched photo of the same person. */
  mated: readonly ProbeComparison[];
  /** Distances to every untouched photo of other people, rising. */
  nonMated: Float32Array;
}

/** Alters every `step`-th photo of LFW and compares it with all untouched ones, by the full pipeline. */
export async function compareProbes(engine: Engine, step: number): Promise<ProbeComparisons> {
  const set = lfw();
  const parts = await describeSet(set, loadOurs, PARTS);
  const originals = parts.map((each) => each && fuse(partsOf(each), fusion));
  const probes = await altered(engine, set.photos, step);
  return { probes, ...compare(probes, set.photos, originals) };
}

/** Photos in which no face is found any more have no score; the alteration table counts them. */
async function altered(engine: Engine, photos: readonly Photo[], step: number): Promise<Probe[]> {
  const random = randomNumbers(11);
  const probes: Probe[] = [];
  for (const photo of photos.filter((_, i) => i % step === 0)) {
    const bytes = await readFile(photo.path);
    const original = await middleFace(engine, bytes);
    if (original === undefined) continue;
    const arrival = await arrived({ bytes, eyes: original.eyes }, random);
    const face = await middleFace(engine, arrival.bytes);
    if (face === undefined) continue;
    probes.push({ photo, kind: arrival.kind, vector: face.template.vector, quality: face.quality });
  }
  return probes;
}

/** The face nearest to the middle of a photo. */
async function middleFace(engine: Engine, bytes: Uint8Array): Promise<ExtractedFace | undefined> {
  const analysis = await engine.search(bytes);
  if (analysis.kind !== 'faces') return undefined;
  const { width, height } = analysis.image;
  const offCentre = ({ box }: ExtractedFace) =>
    Math.hypot(box.x + (box.width - width) / 2, box.y + (box.height - height) / 2);
  return analysis.faces.toSorted((p, q) => offCentre(p) - offCentre(q))[0];
}

function compare(
  probes: readonly Probe[],
  photos: readonly Photo[],
  originals: Descriptions,
): { mated: ProbeComparison[]; nonMated: Float32Array } {
  const mated: ProbeComparison[] = [];
  const nonMated: number[] = [];
  for (const probe of probes) {
    for (const [i, photo] of photos.entries()) {
      const original = originals[i];
      if (original === undefined) continue;
      const distance = euclidean(probe.vector, original);
      if (photo.identity !== probe.photo.identity) nonMated.push(distance);
      // A visitor never arrives with the very photo that is on file.
      else if (photo !== probe.photo) mated.push({ probe, distance });
    }
  }
  return { mated, nonMated: Float32Array.from(nonMated).sort() };
}
