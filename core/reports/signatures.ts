/** The report of two compared signatures. */
import { measuredSignatureRates } from '../contracts/signatures.ts';
import type { SignatureReport } from '../domain/ports/reports.ts';
import { apart, beginReport, endReport, moment } from './frame.ts';
import type { InkPicture } from '../domain/ports/signatures.ts';

/** @returns the PDF of two compared signatures: verdict, hashes, drawn ink and measured error rates */
export async function signatureReport(report: SignatureReport): Promise<Uint8Array> {
  const page = beginReport(report, ({ signatures }) => signatures.title, {
    number: String(report.record.id),
  });
  const { words, sheet } = page;
  const { signatures } = words;
  const { comparedBy, pictures, record } = report;
  const { reasons, sha256, similarity, thresholds, verdict } = record;
  sheet.heading(`${signatures.record} ${record.id}`);
  sheet.facts([
    [signatures.verdict, signatures.verdicts[verdict]],
    [signatures.similarity, similarity === null ? signatures.nothing : words.outOf100(similarity)],
    [signatures.bands, signatures.bandsText(thresholds.possibleMatch, thresholds.match)],
    [signatures.compared, moment(record.at)],
    [signatures.by, apart(comparedBy)],
    [signatures.template, apart(record.templateId)],
    [signatures.verification, apart(record.verificationId)],
    [signatures.matcher, apart(record.modelVersion)],
  ]);
  sheet.heading(signatures.images);
  const sides = [
    ['image1', signatures.first],
    ['image2', signatures.second],
  ] as const;
  sheet.facts(
    sides.flatMap(([key, label]) => {
      const reason = reasons[key];
      return [
        [`${label}, ${words.sha256}`, sha256[key]] as const,
        ...(reason === undefined
          ? []
          : [[`${label}: ${signatures.unusable}`, signatures.reasons[reason]] as const]),
      ];
    }),
  );
  sheet.heading(signatures.ink);
  const shown = sides.flatMap(([key, caption]) => {
    const picture = pictures[key];
    return picture === undefined ? [] : [inkPicture(picture, caption)];
  });
  if (shown.length > 0) sheet.pictures(shown, 150);
  sheet.paragraph(shown.length > 0 ? signatures.inkNote : signatures.noInk, 'small');
  sheet.heading(signatures.rates);
  if (report.calibration === undefined) {
    sheet.table(
      [
        [signatures.rateCase, signatures.ratePaper, signatures.rateMedia],
        ...measuredSignatureRates().map(({ of, score, paper, media }) => [
          signatures.rate[of](score),
          signatures.measured(paper),
          signatures.measured(media),
        ]),
      ],
      [0.46, 0.27, 0.27],
    );
    sheet.paragraph(signatures.ratesText, 'small');
  } else {
    const { rates, writers } = report.calibration;
    sheet.table(
      [
        [signatures.rateCase, signatures.rateOwn],
        ...rates.map(({ of, score, own, shipped }) => {
          const { share, low, high } = own ?? shipped;
          return [
            signatures.rate[of === 'forgery' ? 'skilledForgeries' : of](score),
            signatures.measured({ share, from: low, to: high }),
          ];
        }),
      ],
      [0.6, 0.4],
    );
    sheet.paragraph(signatures.ownRatesText(writers), 'small');
  }
  return endReport(report, page);
}

function inkPicture({ png, width, height }: InkPicture, caption: string) {
  return { content: png, caption, width, height };
}
