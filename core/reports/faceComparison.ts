/** The report of two compared faces. */
import { BAND_OF_VERDICT, pairSentences, type FaceCertainty } from '../contracts/certainty.ts';
import { FAILURES } from '../contracts/errors/failures.ts';
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
  const { certainty, thumbnails, comparedBy, record } = report;
  const { reasons, sha256, similarity, thresholds, verdict } = record;
  const sides = [
    ['image1', faceComparison.first, thumbnails[0]],
    ['image2', faceComparison.second, thumbnails[1]],
  ] as const;
  sheet.heading(`${signatures.record} ${record.id}`);
  sheet.facts([
    [
      signatures.similarity,
      verdict === 'INCONCLUSIVE' || similarity === null
        ? scores.notCompared
        : scores.similarity(String(similarity), scores.bands[BAND_OF_VERDICT[verdict]]),
    ],
    [signatures.bands, scores.thresholds(String(thresholds.possibleMatch), String(thresholds.match))],
    ...(certainty === null ? [] : supportFacts(words, certainty)),
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

/** The support for one person or for two, and the sentences that say what it rests on. */
function supportFacts({ faceComparison, scores }: Words, certainty: FaceCertainty): [string, string][] {
  const { support, sentences } = pairSentences(scores, certainty, count);
  return [
    ...(support === null ? [] : [[faceComparison.support, support] as [string, string]]),
    [scores.means, sentences.join(' ')],
  ];
}
