/** The printed receipt of an erasure. */
import type { ErasureReport } from '../domain/ports/reports.ts';
import { apart, beginReport, count, endReport, listed, moment } from './frame.ts';

/** @returns the PDF of an erasure receipt, with all that the receipt states: the page can be checked against the file */
export async function erasureReport(report: ErasureReport): Promise<Uint8Array> {
  const { receipt, signature, publicKey } = report.signed;
  const page = beginReport(report, ({ erasure }) => erasure.title, {
    lead: ({ erasure }) => erasure.lead,
  });
  const { words, sheet } = page;
  const { erasure } = words;
  const { erased, files, proof } = receipt;
  const list = (values: readonly (string | number)[]) => listed(words, values);
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
    [erasure.examinations, count(erased.examinations)],
    [erasure.caseEntries, count(erased.caseEntries)],
    [erasure.persons, count(erased.persons)],
    [erasure.decisions, count(erased.decisions)],
    [erasure.templates, list(erased.templates.map(({ pipeline, count: of }) => `${of} × ${pipeline}`))],
    [erasure.thumbnails, count(erased.thumbnails)],
    [erasure.specimens, count(erased.specimens)],
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
    ...(files.bucket === null ? [] : [[erasure.bucket, apart(files.bucket)] as [string, string]]),
    [erasure.destroyed, count(files.keys)],
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
  return endReport(report, page);
}
