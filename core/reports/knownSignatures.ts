/** The report of a questioned signature compared with several known ones. */
import { ratioText, shownRatio } from '../contracts/certainty.ts';
import {
  KNOWN_SET_RATES,
  KNOWN_ALTERNATIVES,
  overstatesSupport,
  type KnownAlternative,
  type KnownFindings,
} from '../contracts/knownSignatures.ts';
import type { EstimatedShare } from '../contracts/signatureCalibration.ts';
import type { KnownSetPictures, KnownSignatureReport } from '../domain/ports/reports.ts';
import { apart, beginReport, endReport, listed, moment, type Page } from './frame.ts';
import { colouredInk } from './inkColour.ts';

/** The colours of the overlays on the screen: the known signature, and the questioned one on it. */
const BLUE = [23, 92, 190] as const;
const ORANGE = [217, 98, 10] as const;
/** Known signatures beside each other in a row of pictures. */
const IN_A_ROW = 3;

/** @returns the PDF: propositions, findings with bounds and words, the received signatures, validation and its limits */
export async function knownSignatureReport(report: KnownSignatureReport): Promise<Uint8Array> {
  const { record } = report;
  const page = beginReport(report, ({ knownSignatures }) => knownSignatures.title, {
    number: String(record.id),
  });
  writeRecord(page, report);
  writePropositions(page);
  writeFindings(page, report);
  writeReceived(page, report);
  writeInk(page, report);
  writeOwnRates(page, report.ownRates);
  writeValidation(page);
  return endReport(report, page);
}

function writeRecord({ words, sheet }: Page, { record, comparedBy }: KnownSignatureReport): void {
  const { knownSignatures, signatures } = words;
  const { similarity, thresholds } = record;
  sheet.heading(`${signatures.record} ${record.id}`);
  sheet.facts([
    [signatures.compared, moment(record.at)],
    [signatures.by, apart(comparedBy)],
    [signatures.template, apart(record.templateId)],
    [signatures.verification, apart(record.verificationId)],
    [signatures.verdict, signatures.verdicts[record.verdict]],
    [signatures.similarity, similarity === null ? signatures.nothing : words.outOf100(similarity)],
    [signatures.bands, signatures.bandsText(thresholds.possibleMatch, thresholds.match)],
    [signatures.matcher, apart(record.modelVersion)],
    [knownSignatures.calibration, apart(record.known.calibrationId)],
  ]);
}

function writePropositions({ words: { knownSignatures: words }, sheet }: Page): void {
  sheet.heading(words.propositions);
  sheet.paragraph(words.first);
  for (const alternative of KNOWN_ALTERNATIVES) sheet.paragraph(words.alternatives[alternative]);
  sheet.paragraph(words.separate, 'small');
}

function writeFindings({ words: all, sheet }: Page, report: KnownSignatureReport) {
  const words = all.knownSignatures;
  const { findings, acrossMedia } = report.record.known;
  sheet.heading(words.findings);
  if (findings === null) {
    sheet.paragraph(words.notCompared);
    return;
  }
  const { ratios, agreement } = findings;
  if (ratios === null) {
    const [first = [], second = []] = agreement.groups ?? [];
    const numbers = (group: readonly number[]) =>
      listed(
        all,
        group.map((index) => index + 1),
      );
    sheet.paragraph(words.noRatios(numbers(first), numbers(second)), 'strong');
  } else {
    const rows = KNOWN_ALTERNATIVES.map((of) => {
      const { log10, bounds, support } = ratios[of];
      return [
        words.against[of],
        ratioText(log10),
        words.rangeText(ratioText(bounds.lowest), ratioText(bounds.highest)),
        words.support(support),
      ];
    });
    sheet.table([['', words.ratio, words.range, words.inWords], ...rows], [0.2, 0.18, 0.22, 0.4]);
    for (const of of KNOWN_ALTERNATIVES) {
      const { log10, support } = ratios[of];
      if (support.favours !== 'neither')
        sheet.paragraph(words.means(String(shownRatio(log10)), support.favours, of));
    }
    if (KNOWN_ALTERNATIVES.some((of) => overstatesSupport(ratios[of].log10)))
      sheet.paragraph(words.overstates);
    sheet.paragraph(words.bounded, 'small');
  }
  sheet.facts(factsOf(words, findings, acrossMedia));
}

function factsOf(
  words: Page['words']['knownSignatures'],
  findings: KnownFindings,
  acrossMedia: boolean,
): (readonly [string, string])[] {
  const { agreement, complexity, farthest, nearest, typicality, warnings } = findings;
  const { differing } = agreement;
  const rank = typicality === null ? words.noRank : words.rankText(typicality.closer, typicality.of);
  const bounded = ({ log10, bounds }: NonNullable<KnownFindings['ratios']>[KnownAlternative]) =>
    words.boundedRatio(ratioText(log10), ratioText(bounds.lowest), ratioText(bounds.highest));
  const texts = warnings.map((warning) =>
    warning === 'ONE_KNOWN_DIFFERS' && differing !== null
      ? words.differs(
          String(differing.index + 1),
          bounded(differing.ratiosWithout.imitation),
          bounded(differing.ratiosWithout.stranger),
        )
      : words.warning[warning],
  );
  return [
    [words.rank, rank],
    ...(agreement.similarity === null
      ? []
      : [[words.agreement, words.agreementText(agreement.similarity)] as const]),
    [words.nearest, words.specimen(nearest + 1)],
    [words.farthest, words.specimen(farthest + 1)],
    [words.complexity, words.complexities[complexity]],
    [words.mediaFact, acrossMedia ? words.severalMedia : words.oneMedium],
    ...texts.map((text, index) => [index === 0 ? words.warnings : '', text] as const),
  ];
}

function writeReceived({ words, sheet }: Page, { record: { known } }: KnownSignatureReport): void {
  const { knownSignatures, signatures } = words;
  const { findings, reasons, sha256 } = known;
  const images = [
    { name: knownSignatures.questioned, hash: sha256.questioned, reason: reasons.questioned },
    ...sha256.known.map((hash, index) => ({
      name: knownSignatures.specimen(index + 1),
      hash,
      reason: reasons.known[index] ?? null,
    })),
  ];
  sheet.heading(knownSignatures.received);
  sheet.facts(
    images.flatMap(({ name, hash, reason }) => [
      [`${name}, ${words.sha256}`, hash] as const,
      ...(reason === null ? [] : [[`${name}: ${signatures.unusable}`, signatures.reasons[reason]] as const]),
    ]),
  );
  if (findings === null) return;
  sheet.space(6);
  sheet.table(
    [
      ['', knownSignatures.toQuestioned, knownSignatures.toOthers, knownSignatures.complexity],
      ...findings.known.map(({ similarity, toOthers, complexity }, index) => [
        knownSignatures.specimen(index + 1),
        String(similarity),
        toOthers === null ? '–' : String(toOthers),
        knownSignatures.complexities[complexity],
      ]),
    ],
    [0.28, 0.27, 0.27, 0.18],
  );
}

function writeInk(page: Page, { pictures, record }: KnownSignatureReport): void {
  const { words, sheet } = page;
  const { knownSignatures, signatures } = words;
  sheet.heading(signatures.ink);
  if (pictures === null) {
    sheet.paragraph(signatures.noInk, 'small');
    return;
  }
  const shown = (picture: (typeof pictures)['questioned'], caption: string) => ({
    content: picture?.png,
    without: signatures.unusable,
    caption,
    width: picture?.width ?? 1,
    height: picture?.height ?? 1,
  });
  sheet.pictures([shown(pictures.questioned, knownSignatures.questioned)], 150);
  const known = pictures.known.map((picture, index) => shown(picture, knownSignatures.specimen(index + 1)));
  for (let from = 0; from < known.length; from += IN_A_ROW)
    sheet.pictures(known.slice(from, from + IN_A_ROW), 80);
  sheet.paragraph(signatures.inkNote, 'small');
  if (record.known.findings !== null) writeOverlays(page, pictures, record.known.findings);
}

/** The questioned ink on that of the nearest and of the farthest known signature. */
function writeOverlays(
  { words: { knownSignatures: words }, sheet }: Page,
  { questioned, known, alignments }: KnownSetPictures,
  { nearest, farthest }: KnownFindings,
): void {
  const ends = [
    [nearest, words.nearest],
    [farthest, words.farthest],
  ] as const;
  const shown = ends.flatMap(([index, name]) => {
    const [below, onto] = [known[index], alignments?.[index]];
    if (questioned === undefined || below === undefined || onto === undefined) return [];
    const over = { ...questioned, content: colouredInk(questioned.png, ORANGE), onto };
    const caption = `${name}: ${words.specimen(index + 1)}`;
    return [{ ...below, content: colouredInk(below.png, BLUE), caption, over }];
  });
  if (shown.length === 0) return;
  sheet.pictures(shown, 130);
  sheet.paragraph(words.overlayNote, 'small');
}

function writeOwnRates({ words, sheet }: Page, own: KnownSignatureReport['ownRates']): void {
  if (own === undefined) return;
  const { knownSignatures, signatures } = words;
  const measured = ({ share, low, high }: EstimatedShare) =>
    signatures.measured({ share, from: low, to: high });
  sheet.heading(knownSignatures.own);
  sheet.table(
    [
      [
        knownSignatures.ownCase,
        knownSignatures.ownGenuine,
        knownSignatures.ownOther,
        knownSignatures.writers,
      ],
      ...own.rates.map(({ of, known, genuine, other, writers }) => [
        knownSignatures.rate[of](known),
        measured(genuine),
        measured(other),
        String(writers),
      ]),
    ],
    [0.36, 0.26, 0.26, 0.12],
  );
  sheet.paragraph(knownSignatures.ownText, 'small');
}

function writeValidation({ words, sheet }: Page): void {
  const { knownSignatures, signatures } = words;
  sheet.heading(knownSignatures.validation);
  sheet.table(
    [
      [signatures.rateCase, signatures.ratePaper, signatures.rateMedia],
      ...KNOWN_SET_RATES.map(({ of, known, paper, media }) => [
        knownSignatures.rate[of](known),
        signatures.measured(paper),
        media === null ? knownSignatures.unmeasured : signatures.measured(media),
      ]),
    ],
    [0.46, 0.27, 0.27],
  );
  sheet.paragraph(knownSignatures.validationText, 'small');
  sheet.heading(knownSignatures.notCoveredTitle);
  sheet.paragraph(knownSignatures.notCovered);
}
