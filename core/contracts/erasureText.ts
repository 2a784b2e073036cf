import { UNREACHED, type SignedReceipt, type Unreached } from './erasure.ts';

/** A receipt as text: the erased records, the places, the time, the operator, and the remaining tasks. */
export function receiptText({ receipt, signature, publicKey }: SignedReceipt): string {
  const { erased, files, proof } = receipt;
  const ids = (things: readonly { id: number }[]) => list(things.map(({ id }) => String(id)));
  const lines = [
    `Erasure ${receipt.id}`,
    `Company ${receipt.company}, by ${receipt.by}, ${receipt.reason === 'retention' ? 'by a retention rule' : 'on request'}`,
    `Started ${receipt.at}, finished ${receipt.finishedAt ?? 'not yet'}`,
    '',
    'In the database:',
    `  Trust Validations   ${ids(erased.validations)}`,
    `  faces               ${ids(erased.faces)}`,
    `  deleted before      ${list(erased.goneFaces.map(String))}`,
    `  uploaded photos     ${list(erased.photos.map(({ uploadId, index }) => `${uploadId}:${index}`))}`,
    `  comparisons         ${ids(erased.comparisons)}`,
    `  examinations        ${erased.examinations}`,
    `  case folder entries ${erased.caseEntries}`,
    `  persons             ${erased.persons} (decisions about who is shown: ${erased.decisions})`,
    `  templates           ${list(erased.templates.map(({ pipeline, count }) => `${count} of ${pipeline}`))}`,
    `  thumbnails          ${erased.thumbnails}`,
    `  signature specimens ${erased.specimens}`,
    `  screenings          ${erased.screenings} (matches: ${erased.entries})`,
    `  history entries     ${erased.historyLines}`,
    `  names removed from other records ${erased.namesInEntries}`,
    `  gallery snapshots   ${erased.gallerySnapshots}`,
    `  image keys          ${erased.images.length}`,
    '',
    'Files:',
    `  images removed      ${files.images}`,
    ...(files.bucket === null ? [] : [`  from the bucket     ${files.bucket}`]),
    `  keys destroyed      ${files.keys}`,
    `  journal entries     ${files.journalLines}`,
    `  copies of the data directory  ${list(files.copies)}`,
    '',
    'Images, by the SHA-256 of their random id:',
    ...(erased.images.length === 0 ? ['  none'] : erased.images.map((hash) => `  ${hash}`)),
    '',
    proof === null
      ? 'The database was not searched.'
      : `The database was searched. Fragments: ${proof.sought}. Pages: ${proof.pages}. Found${proof.rebuilt ? ' after a rebuild' : ''}: ${proof.found}. Also in other records: ${proof.shared}.`,
    '',
    'Not covered:',
    ...unreachedLines(receipt.unreached),
    '',
    `Signature (Ed25519) ${signature}`,
    `Key of the audit log ${publicKey}`,
  ];
  return `${lines.join('\n')}\n`;
}

function list(words: readonly string[]): string {
  return words.length === 0 ? 'none' : words.join(', ');
}

/** Grouped by what it is, because an installation has many backups. */
function unreachedLines(unreached: readonly { what: Unreached; which: string }[]): string[] {
  if (unreached.length === 0) return ['  no exceptions known to Vouch'];
  const kinds = [...new Set(unreached.map(({ what }) => what))];
  return kinds.map((kind) => {
    const which = unreached.filter(({ what }) => what === kind).map((one) => one.which);
    return `  ${UNREACHED[kind]} (${which.join(', ')})`;
  });
}
