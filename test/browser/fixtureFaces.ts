/** The faces of the mock API server: their drawn pictures, the details of a photo, and the search hits of the palette. */
import { drawnSignature } from './drawnSignatures.ts';
import { findAnswer } from '../../core/contracts/dashboard/paletteSearch.ts';
import type { BlacklistFace } from '../../core/contracts/dashboard/blacklists.ts';
import { PORTRAIT_COMPONENTS, portraitChecks } from '../../core/contracts/portrait.ts';
import { enrolledFace } from '../../core/contracts/dashboard/faceImages.ts';
import { drawPhoto } from './drawnFaces.ts';
import {
  at,
  BLACKLISTS,
  blacklistFaceOf,
  drawnFace,
  EXAMPLE_UPLOAD,
  FIRST_LISTED,
  FIRST_PERSON,
  faceImageOf,
  personName,
  PERSONS,
  rowOf,
  thumbnailOf,
} from './fixtures.ts';

type Answer = [status: number, body: unknown];

/** How many rows the palette's question looks through. */
const MAX_ROWS_READ = 400;
const MAX_HITS = 5;

/** SVG of the photo or the aligned face at this path; undefined: it is no picture. */
export function drawnPicture(path: string): string | undefined {
  const specimen = /\/specimens\/(\d+)\/image$/.exec(path)?.[1];
  if (specimen !== undefined) return drawnSignature(Number(specimen) - 1);
  const [, examination, examined] = /^\/examinations\/(\d+)\/picture\?picture=([01])$/.exec(path) ?? [];
  if (examined !== undefined)
    return [6, 7].includes(Number(examination))
      ? drawnSignature(Number(examined))
      : drawPhoto(21, Number(examined)).svg;
  const [, id, what] = /^\/faces\/(\d+)\/(image|thumbnail)$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  const photo = drawPhoto(...drawnFace(Number(id)));
  return what === 'thumbnail' ? photo.thumbnail : photo.svg;
}

/** Checks of every size: values near 0, in the middle and at 100, native values below 1 and in pixels and degrees. */
const PORTRAIT = {
  refused: null,
  checks: PORTRAIT_COMPONENTS.map((component, index) => ({
    component,
    native: index % 4 === 0 ? -12.35 : index % 4 === 1 ? 92.6 : 0.0723 * index,
    value: (index * 37) % 101,
  })),
};

export function answerFaces(
  site: { behaviour: { rows: number } },
  route: string,
  query: URLSearchParams,
): Answer | undefined {
  const [, id] = /^GET \/faces\/(\d+)$/.exec(route) ?? [];
  if (id !== undefined)
    return [
      200,
      enrolledFace.parse({
        id: Number(id),
        faceImage: faceImageOf(...drawnFace(Number(id))),
        ...listedOf(Number(id)),
        ...(Number(id) % 3 === 0 ? OF_RECORD : { original: null, remarks: [] }),
      }),
    ];
  if (/^GET \/faces\/\d+\/portrait$/.test(route)) return [200, portraitChecks.parse(PORTRAIT)];
  if (route !== 'GET /find') return undefined;
  const text = (query.get('text') ?? '').toLowerCase();
  const holds = (name: string, number: number | null) =>
    (text.length > 2 && name.toLowerCase().includes(text)) || String(number) === text;
  const list = BLACKLISTS[0];
  const looked = Array.from({ length: Math.min(site.behaviour.rows, MAX_ROWS_READ) }, (_, index) => index);
  const validations = looked
    .map((index) => rowOf(index))
    .filter(({ id: number, name }) => holds(name, number))
    .slice(0, MAX_HITS);
  return [
    200,
    findAnswer.parse({
      validations,
      persons: Array.from({ length: PERSONS }, (_, index) => FIRST_PERSON + index)
        .filter((number) => holds(personName(number), number))
        .slice(0, MAX_HITS)
        .map((number) => ({
          id: number,
          name: personName(number),
          photos: 2 + (number % 3),
          thumbnailUrl: thumbnailOf(number),
        })),
      faces: looked
        .map(blacklistFaceOf)
        .filter(({ id: number, name }) => number !== null && holds(name, number))
        .slice(0, MAX_HITS)
        .map((face) => ({ ...face, severity: 'caution', blacklistId: list?.id, blacklistName: list?.name })),
      uploads:
        text.length > 3 && EXAMPLE_UPLOAD.startsWith(text)
          ? [{ uploadId: EXAMPLE_UPLOAD, numberOfImages: 50, blacklistName: null, createdAt: at(-300) }]
          : [],
      comparisons: [],
      partial: site.behaviour.rows > MAX_ROWS_READ && validations.length < MAX_HITS,
    }),
  ];
}

/** A face that was enrolled from a passport whose record contradicts the picture. */
const OF_RECORD = {
  original: {
    kind: 'face record',
    sha256: 'a'.repeat(64),
    record: {
      standard: 'ISO/IEC 39794-5:2019',
      container: 'EF.DG2',
      face: 1,
      faces: 2,
      image: 'jpeg2000',
      size: { width: 572, height: 731 },
      eyes: null,
      pose: null,
      captured: '2024-01-20',
      qualities: [],
      creator: null,
      created: null,
    },
  },
  remarks: ['size'],
};

/** The listing of a face of the first blacklist. */
function listedOf(id: number): Pick<BlacklistFace, 'listing' | 'expired'> {
  const index = id - FIRST_LISTED;
  if (index < 0) return { listing: null, expired: false };
  const { listing, expired } = blacklistFaceOf(index);
  return { listing, expired };
}
