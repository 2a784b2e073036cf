/** Two faces side by side with their similarity: the same on every report that compares faces. */
import { scoreMeaning } from '../contracts/certainty.ts';
import type { ScoreInterpretation } from '../contracts/dashboard/faceImages.ts';
import type { ReportedRates } from '../domain/ports/reports.ts';
import { count, type Page } from './frame.ts';

/** Side of an aligned face, pixels, as the pipeline cuts it. */
const THUMBNAIL = { width: 160, height: 160 };
/** The part of the scale that the dashboard draws, too: every threshold lies above its start. */
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
  const similarity = scores.similarity(String(score), scores.bands[band]);
  sheet.paragraph(similarity, 'strong');
  sheet.scale({ ...SCALE, thresholds: [possibleFrom, strongFrom], value: score, text: similarity });
  sheet.paragraph(scoreMeaning(scores, reading, count));
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
