/** The report of two compared faces. */
import { FAILURES } from '../contracts/errors/failures.ts';
import { faceMeaningOf } from '../contracts/faceComparisons.ts';
import type { FaceComparisonReport } from '../domain/ports/reports.ts';
import { apart, beginReport, count, endReport, moment } from './frame.ts';
import type { Words } from './words.ts';

/** Side of an aligned face, pixels, as the pipeline cuts it. */
const THUMBNAIL = { width: 160, height: 160 };
const PICTURE_HEIGHT = 170;

/** @returns the PDF of two compared faces: both faces, similarity, verdict, error rate, hashes and author */
export async function faceComparisonReport(report: FaceComparisonReport): Promise<Uint8Array> {
  const page = beginReport(report, ({ faceComparison }) => faceComparison.title, {
    number: String(report.record.id),
  });
  const { words, sheet } = page;
  const { faceComparison, scores, signatures } = words;
  const { thumbnails, comparedBy, record } = report;
  const { reasons, sha256, similarity, thresholds, verdict } = record;
  const sides = [
    ['image1', faceComparison.first, thumbnails[0]],
    ['image2', faceComparison.second, thumbnails[1]],
  ] as const;
  sheet.heading(`${signatures.record} ${record.id}`);
  sheet.facts([
    [signatures.verdict, signatures.verdicts[verdict]],
    [signatures.similarity, similarity === null ? signatures.nothing : words.outOf100(similarity)],
    [signatures.bands, signatures.bandsText(thresholds.possibleMatch, thresholds.match)],
    [scores.means, faceComparison.means[faceMeaningOf(verdict, similarity)]],
    [faceComparison.rate, rateInWords(words, report)],
    [signatures.compared, moment(record.at)],
    [signatures.by, apart(comparedBy)],
    [faceComparison.reference, apart(record.verificationId)],
    [words.model, record.modelVersion],
  ]);
  sheet.heading(faceComparison.faces);
  sheet.pictures(
    sides.map(([, caption, content]) => ({ content, without: scores.noPicture, caption, ...THUMBNAIL })),
    PICTURE_HEIGHT,
  );
  sheet.facts(
    sides.flatMap(([key, label]) => {
      const reason = reasons[key];
      return [
        [`${label}, ${words.sha256}`, sha256[key]] as const,
        ...(reason === undefined
          ? []
          : [[`${label}: ${faceComparison.unusable}`, FAILURES[reason].sentence] as const]),
      ];
    }),
  );
  return endReport(report, page);
}

/** The false match rate, by the rule of the dashboard: a match lies beyond the last measured rate, which is then a bound. */
function rateInWords(
  { faceComparison }: Words,
  { falseMatchRate, record }: Pick<FaceComparisonReport, 'falseMatchRate' | 'record'>,
): string {
  if (falseMatchRate === null || falseMatchRate <= 0) return faceComparison.unmeasured;
  const oneIn = 1 / falseMatchRate;
  if (oneIn < 2) return faceComparison.rateCommon;
  // Two digits: more would claim a precision that no calibration has.
  const pairs = count(Math.round(Number(oneIn.toPrecision(2))));
  return record.verdict === 'MATCH' ? faceComparison.rateLess(pairs) : faceComparison.rateText(pairs);
}
