/** The report of two compared faces. */
import { FAILURES } from '../contracts/errors/failures.ts';
import type { FaceComparisonReport } from '../domain/ports/reports.ts';
import { apart, beginReport, count, endReport, moment } from './frame.ts';

/** Side of an aligned face, pixels, as the pipeline cuts it. */
const CHIP = { width: 160, height: 160 };
const PICTURE_HEIGHT = 170;

/** @returns the PDF of two compared faces: both faces, similarity, verdict, error rate, hashes and author */
export async function faceComparisonReport(report: FaceComparisonReport): Promise<Uint8Array> {
  const page = beginReport(report, ({ faceComparison }) => faceComparison.title, {
    number: String(report.record.id),
  });
  const { words, sheet } = page;
  const { faceComparison, scores, signatures } = words;
  const { chips, comparedBy, falseMatchRate, record } = report;
  const { reasons, sha256, similarity, thresholds, verdict } = record;
  const sides = [
    ['image1', faceComparison.first, chips[0]],
    ['image2', faceComparison.second, chips[1]],
  ] as const;
  sheet.heading(`${signatures.record} ${record.id}`);
  sheet.facts([
    [signatures.verdict, signatures.verdicts[verdict]],
    [signatures.similarity, similarity === null ? signatures.nothing : words.outOf100(similarity)],
    [signatures.bands, signatures.bandsText(thresholds.possibleMatch, thresholds.match)],
    [
      faceComparison.rate,
      falseMatchRate === null || falseMatchRate <= 0
        ? faceComparison.unmeasured
        : faceComparison.rateText(count(Number((1 / falseMatchRate).toPrecision(2)))),
    ],
    [signatures.compared, moment(record.at)],
    [signatures.by, apart(comparedBy)],
    [faceComparison.reference, apart(record.verificationId)],
    [words.model, record.modelVersion],
  ]);
  sheet.heading(faceComparison.faces);
  sheet.pictures(
    sides.map(([, caption, content]) => ({ content, without: scores.noPicture, caption, ...CHIP })),
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
