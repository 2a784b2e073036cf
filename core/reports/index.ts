/** The reports port: PDF, made here, without a browser and without anything from outside. */
import type { ErasureReport, Reports, SearchReport, SignatureReport } from '../domain/ports/reports.ts';
import type { InkPicture } from '../domain/ports/signatures.ts';
import { measuredSignatureRates, SIGNATURE_REASON_TEXT } from '../contracts/signatures.ts';
import { Sheet } from './sheet.ts';
import { ar, en, type Words } from './words.ts';

/** Side of an aligned face, pixels, as the pipeline cuts it. */
const CHIP = { width: 160, height: 160 };

export const pdfReports: Reports = {
  search: searchReport,
  signatures: signatureReport,
  erasure: erasureReport,
};

function begin(
  title: (words: Words) => string,
  report: SearchReport | SignatureReport | ErasureReport,
  lead = (words: Words) => words.decides,
) {
  const { language, made, operator, company } = report;
  const words = language === 'ar' ? ar : en;
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  const sheet = new Sheet({ title: title(words), direction, made });
  sheet.title(title(words), words.made(moment(made), apart(operator), apart(company)));
  sheet.paragraph(lead(words));
  return { words, sheet };
}

async function searchReport(report: SearchReport): Promise<Uint8Array> {
  const { words, sheet } = begin(({ search }) => search.title, report);
  const { search } = words;
  const { candidates, chosen, probe, watchlists } = report;
  sheet.heading(search.probe);
  sheet.facts([
    [words.file, apart(probe.fileName)],
    [words.sha256, probe.sha256],
    [words.pixels, apart(`${probe.width} × ${probe.height}`)],
    [search.face, search.faceOf(probe.face, probe.faces)],
    [words.quality, words.outOf100(probe.quality)],
    [words.model, report.pipelineId],
  ]);
  sheet.paragraph(search.kept, 'small');
  sheet.heading(search.settings);
  const total = watchlists.reduce((sum, { faces }) => sum + faces, 0);
  sheet.table(
    [
      [search.list, search.faces],
      ...watchlists.map(({ name, faces }) => [name ?? words.duplicate, count(faces)]),
      [search.all, count(total)],
    ],
    [0.7, 0.3],
  );
  sheet.facts([
    [search.threshold, search.thresholdText(report.possibleFrom, count(Math.round(1 / report.targetFmr)))],
    [search.strong, search.score(report.strongFrom)],
  ]);
  if (chosen?.chip !== undefined) {
    sheet.heading(search.side);
    sheet.pictures(
      [
        { content: probe.chip, caption: search.probe, ...CHIP },
        {
          content: chosen.chip,
          caption: `${apart(chosen.name)} · ${apart(chosen.list ?? words.duplicate)}`,
          ...CHIP,
        },
      ],
      170,
    );
    sheet.facts([
      [search.name, chosen.name],
      [search.scoreHead, `${chosen.reading.score} · ${search.band[chosen.reading.band]}`],
      [search.means, meaning(words, chosen.reading)],
      [words.sha256, chosen.sha256 ?? words.no],
    ]);
  }
  sheet.heading(search.candidates);
  if (candidates.length === 0) sheet.paragraph(search.none);
  else
    sheet.table(
      [
        [search.name, search.list, search.id, search.scoreHead, search.means, words.sha256],
        ...candidates.map(({ name, list, id, reading, sha256 }) => [
          name,
          list ?? words.duplicate,
          String(id),
          `${reading.score} · ${search.band[reading.band]}`,
          meaning(words, reading),
          sha256 ?? words.no,
        ]),
      ],
      [0.16, 0.15, 0.1, 0.13, 0.2, 0.26],
    );
  return sheet.end(words.foot(report.version), words.page);
}

async function signatureReport(report: SignatureReport): Promise<Uint8Array> {
  const { words, sheet } = begin(({ signatures }) => signatures.title, report);
  const { signatures } = words;
  const { comparedBy, pictures, record } = report;
  const { reasons, sha256, similarity, thresholds, verdict } = record;
  sheet.heading(`${signatures.record} ${record.id}`);
  sheet.facts([
    [signatures.verdict, signatures.verdicts[verdict]],
    [signatures.similarity, similarity === null ? signatures.nothing : words.outOf100(similarity)],
    [signatures.bands, signatures.bandsText(thresholds.possibleMatch, thresholds.match)],
    [signatures.compared, moment(record.at)],
    [signatures.by, comparedBy],
    [signatures.template, record.templateId],
    [signatures.verification, record.verificationId],
    [words.model, record.modelVersion],
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
          : [[`${label}: ${signatures.unusable}`, SIGNATURE_REASON_TEXT[reason]] as const]),
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
  return sheet.end(words.foot(report.version), words.page);
}

/** Everything that the receipt says: what is printed can be checked against the file. */
async function erasureReport(report: ErasureReport): Promise<Uint8Array> {
  const { receipt, signature, publicKey } = report.signed;
  const { words, sheet } = begin(
    ({ erasure }) => erasure.title,
    report,
    ({ erasure }) => erasure.lead,
  );
  const { erasure } = words;
  const { erased, files, proof } = receipt;
  const list = (values: readonly (string | number)[]) => (values.length === 0 ? words.no : values.join(', '));
  sheet.facts([
    [erasure.receipt, receipt.id],
    [erasure.begun, moment(new Date(receipt.at))],
    [erasure.finished, receipt.finishedAt === null ? words.no : moment(new Date(receipt.finishedAt))],
    [erasure.by, apart(report.by)],
    [erasure.why, erasure.reason[receipt.reason]],
  ]);
  sheet.heading(erasure.rows);
  sheet.facts([
    [erasure.validations, list(erased.validations.map(({ id }) => id))],
    [erasure.faces, list(erased.faces.map(({ id }) => id))],
    [erasure.goneFaces, list(erased.goneFaces)],
    [erasure.photos, list(erased.photos.map(({ uploadId, index }) => `${uploadId}:${index}`))],
    [erasure.comparisons, list(erased.comparisons.map(({ id }) => id))],
    [erasure.templates, list(erased.templates.map(({ pipeline, count: of }) => `${of} × ${pipeline}`))],
    [erasure.thumbnails, count(erased.thumbnails)],
    [erasure.screenings, count(erased.screenings)],
    [erasure.entries, count(erased.entries)],
    [erasure.history, count(erased.historyLines)],
    [erasure.names, count(erased.namesInEntries)],
    [erasure.snapshots, count(erased.gallerySnapshots)],
    [erasure.keys, count(erased.images.length)],
  ]);
  sheet.heading(erasure.files);
  sheet.facts([
    [erasure.images, count(files.images)],
    [erasure.journals, count(files.journalLines)],
    [erasure.copies, list(files.copies)],
  ]);
  sheet.heading(erasure.proof);
  sheet.paragraph(
    proof === null
      ? erasure.notSearched
      : erasure.searched(count(proof.sought), count(proof.pages), count(proof.found), count(proof.shared)),
  );
  sheet.heading(erasure.unreached);
  if (receipt.unreached.length === 0) sheet.paragraph(erasure.reachedAll);
  for (const { what, which } of receipt.unreached)
    sheet.paragraph(`${erasure.unreachedWhat[what]} (${apart(which)})`);
  sheet.heading(erasure.signature);
  sheet.paragraph(report.ours ? erasure.good : erasure.bad);
  sheet.facts([
    [erasure.signature, signature],
    [erasure.key, publicKey],
  ]);
  if (erased.images.length > 0) {
    sheet.heading(erasure.hashes);
    for (const hash of erased.images) sheet.paragraph(hash, 'small');
  }
  return sheet.end(words.foot(report.version), words.page);
}

function inkPicture({ png, width, height }: InkPicture, caption: string) {
  return { content: png, caption, width, height };
}

function meaning(
  { search }: Words,
  { oneIn, beyondMeasured }: SearchReport['candidates'][number]['reading'],
): string {
  if (oneIn === null) return search.unmeasured;
  if (oneIn < 2) return search.likely;
  // Two digits: more would claim a precision that no calibration has.
  const strangers = count(Number(oneIn.toPrecision(2)));
  return beyondMeasured ? search.lessThan(strangers) : search.oneIn(strangers);
}

const count = (value: number) => new Intl.NumberFormat('en-US').format(value);

/** To the second, UTC: a report is read elsewhere. */
function moment(at: Date): string {
  return apart(`${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
}

/** Inside a sentence of either direction a name, a code or a date keeps its own (FSI … PDI, UAX #9). */
function apart(text: string): string {
  return `\u2068${text}\u2069`;
}
