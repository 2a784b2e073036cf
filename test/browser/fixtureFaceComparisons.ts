/** Comparisons of faces on the mock API server. */
import type { Verdict } from '../../core/contracts/signatures.ts';
import { certaintyOf } from '../../core/domain/search/faceComparison.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { drawPhoto } from './drawnFaces.ts';
import { at } from './fixtures.ts';
import {
  faceComparisonAnswer,
  faceComparisonPage,
  faceComparisonRequest,
  faceComparisonRow,
} from '../../core/contracts/faceComparisons.ts';

type Answer = [status: number, body: unknown];
/** The part of the mock API server that these answers depend on. */
interface MockSite {
  behaviour: { rows: number; faces: string };
}

const SIMILARITY: [Verdict, number | null][] = [
  ['POSSIBLE_MATCH', 81.2],
  ['NO_MATCH', 22.4],
  ['MATCH', 97.1],
  ['INCONCLUSIVE', null],
];
const ACTORS = [
  { credential: 'operator:1', operator: 'Maren Holt' },
  { credential: 'token:2', operator: null },
];
const PAGE = 200;

/** Record 1 is the newest. */
function comparison(id: number) {
  const [verdict, similarity] = SIMILARITY[(id - 1) % 4] ?? ['NO_MATCH', 0];
  const byProgram = id % 3 === 0;
  return {
    id,
    at: at(-id * 3),
    templateId: 'faces',
    verificationId: `Visitor ${11 + id}`,
    credential: byProgram ? 'token:2' : 'operator:1',
    operator: byProgram ? null : 'Maren Holt',
    similarity,
    verdict,
    reasons: verdict === 'INCONCLUSIVE' ? { image2: 'NO_FACE' } : {},
    thresholds: { match: 85, possibleMatch: 70 },
    modelVersion: 'vouch-face-1',
    certainty: certaintyOf(CALIBRATIONS.full, similarity),
    sha256: { image1: '1f'.repeat(32), image2: '2e'.repeat(32) },
  };
}

/** Compares two photos of the same drawn person; while a photo shows several faces, one must be chosen. */
export function answerFaceComparisons(
  { behaviour }: MockSite,
  route: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  const one = /^GET \/face-comparisons\/(\d+)$/.exec(route)?.[1];
  if (one !== undefined) return [200, faceComparisonRow.parse(comparison(Number(one)))];
  if (route === 'GET /face-comparisons') return [200, pageOf(behaviour.rows, query)];
  if (route !== 'POST /face-comparisons') return undefined;
  const { face2 } = faceComparisonRequest.parse(JSON.parse(body.toString()));
  const { box, eyes } = drawPhoto(21, 2);
  const face = { box, eyes: [eyes[0], eyes[1]], quality: 81 };
  const size = { width: 600, height: 760 };
  const several = behaviour.faces === 'several';
  const other = { ...face, box: { ...box, x: 0, y: 300 }, quality: 64 };
  const chosen = several ? (face2 ?? null) : 0;
  return [
    200,
    faceComparisonAnswer.parse({
      photos: [
        { size, faces: [face], unclear: [], chosen: 0 },
        { size, faces: several ? [face, other] : [face], unclear: [], chosen },
      ],
      comparison: chosen === null ? null : comparison(1),
    }),
  ];
}

function pageOf(rows: number, query: URLSearchParams) {
  const matching = (row: ReturnType<typeof comparison>) =>
    (
      [
        ['template_id', row.templateId],
        ['verification_id', row.verificationId],
        ['verdict', row.verdict],
        ['credential', row.credential],
      ] as const
    ).every(([key, value]) => (query.get(key) ?? value) === value);
  const all = rows === 0 ? [] : Array.from({ length: 340 }, (_, n) => comparison(n + 1)).filter(matching);
  const from = Number(query.get('cursor') ?? 0);
  return faceComparisonPage.parse({
    items: all.slice(from, from + PAGE),
    nextCursor: from + PAGE < all.length ? String(from + PAGE) : null,
    total: all.length,
    actors: ACTORS,
  });
}
