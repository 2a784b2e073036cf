/** Two faces side by side with their similarity: the same on every report that compares faces. */
import type { ScoreInterpretation } from '../contracts/dashboard/faceImages.ts';
import type { ReportedRates } from '../domain/ports/reports.ts';
import { count, type Page } from './frame.ts';
import type { Words } from './words.ts';

/** Side of an aligned face, pixels, as the pipeline cuts it. */
const THUMBNAIL = { width: 160, height: 160 };
/** The part of the scale that the dashboard draws, too: no match lies below. */
const SCALE = { from: 40, to: 100 };
const PICTURE_HEIGHT = 170;
/** Of the score, its scale and its meaning, which stand below the faces. */
const VERDICT_HEIGHT = 85;

/** One side of the pair. */
interface PairedFace {
  /** JPEG of the aligned face; undefined: none is stored. */
  thumbnail: Uint8Array | undefined;
  caption: string;
}

/** Draws both faces, the score in words and on the scale with both thresholds, and the meaning of the score. */
export function facePair(
  { words, sheet }: Page,
  faces: readonly [PairedFace, PairedFace],
  reading: ScoreInterpretation,
): void {
  const { scores } = words;
  const { band, possibleFrom, score, strongFrom } = reading;
  sheet.pictures(
    faces.map(({ thumbnail, caption }) => ({
      content: thumbnail,
      without: scores.noPicture,
      caption,
      ...THUMBNAIL,
    })),
    PICTURE_HEIGHT,
    VERDICT_HEIGHT,
  );
  const similarity = scores.similarity(String(score), scores.band[band]);
  sheet.paragraph(similarity, 'strong');
  sheet.scale({ ...SCALE, thresholds: [possibleFrom, strongFrom], value: score, text: similarity });
  sheet.paragraph(`${scores.means}: ${scoreMeaning(words, reading)}.`);
}

/** Both thresholds as scores, each with its false match rate. */
export function thresholdFacts(
  { words, sheet }: Page,
  { possibleFrom, strongFrom }: Pick<ScoreInterpretation, 'possibleFrom' | 'strongFrom'>,
  rates: ReportedRates,
): void {
  const { scores } = words;
  const inWords = (score: number, rate: number) =>
    scores.threshold(String(score), count(Math.round(1 / rate)));
  sheet.facts([
    [scores.possibleFrom, inWords(possibleFrom, rates.possible)],
    [scores.strongFrom, inWords(strongFrom, rates.strong)],
  ]);
}

/** The meaning of a score: how many other people would reach it among how many faces. */
export function scoreMeaning(
  { scores }: Words,
  { oneIn, beyondMeasured, gallerySize }: ScoreInterpretation,
): string {
  if (oneIn === null) return scores.unmeasured;
  const faces = count(gallerySize);
  if (oneIn < 2) return scores.likely(faces);
  // Two digits: more would claim a precision that no calibration has.
  const people = count(Number(oneIn.toPrecision(2)));
  return beyondMeasured ? scores.lessThan(people, faces) : scores.oneIn(people, faces);
}
