import { writeFileSync } from 'node:fs';
import { reasonOf } from '../terminal/inputFile.ts';
import { escapeUnprintable } from '../terminal/escapeUnprintable.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import { csvLine } from '../../contracts/csv.ts';
import { FAILURES } from '../../contracts/errors/failures.ts';
import type { SkippedFile } from './plan.ts';
import type { Answer } from './run.ts';

type Skipped = Pick<SkippedFile, 'path' | 'reason'>;

/** How many photos of one reason are named before the rest is only counted. */
const NAMED_PER_REASON = 5;

/** The failures by reason, each with its remedy, and the totals. */
export function summaryLines(answers: readonly Answer[], skipped: readonly Skipped[]): string[] {
  const groups = new Map<string, string[]>();
  const add = (title: string, path: string) => groups.set(title, [...(groups.get(title) ?? []), path]);
  for (const answer of answers) if (answer.status !== 'enrolled') add(titleOf(answer), answer.path);
  for (const file of skipped) add(`Not sent: ${file.reason}`, file.path);
  const lines: string[] = [];
  for (const [title, paths] of [...groups].sort((a, b) => b[1].length - a[1].length)) {
    lines.push('', `${paths.length} × ${title}`);
    lines.push(...paths.slice(0, NAMED_PER_REASON).map((path) => `    ${escapeUnprintable(path)}`));
    if (paths.length > NAMED_PER_REASON)
      lines.push(`    … and ${paths.length - NAMED_PER_REASON} more (see the CSV)`);
  }
  const count = (...statuses: Answer['status'][]) =>
    answers.filter(({ status }) => statuses.includes(status)).length;
  const changed = count('changed');
  const again = answers.filter(({ sent }) => sent.startsWith('again')).length;
  if (again > 0)
    lines.push('', `Sent again: ${again}, because the photos changed or --retry-failed was given.`);
  lines.push(
    '',
    `${count('enrolled')} enrolled, ${count('failed', 'refused')} failed, ` +
      `${changed > 0 ? `${changed} changed since they were enrolled, ` : ''}${skipped.length} not sent.`,
  );
  return lines;
}

/** Photos of the list that an earlier run has enrolled: they are not sent, so the list does not name them. */
export function keptLines(answers: readonly Answer[], persons?: ReadonlyMap<string, unknown>): string[] {
  const kept = answers.filter(
    ({ path, status, sent }) => status === 'enrolled' && sent === 'before' && persons?.has(path) === true,
  ).length;
  if (kept === 0) return [];
  return [
    `Photos with a person that were enrolled before: ${kept}. Their persons were not changed. Edit them in the dashboard.`,
  ];
}

function titleOf(answer: Answer): string {
  if (answer.status === 'changed')
    return 'Changed since they were enrolled, and not sent (the CSV names the Trust Validations). Give a new photo another name to enrol it.';
  const remedy = answer.failureCode === null ? '' : ` ${FAILURES[answer.failureCode].remedy}`;
  return `${answer.reason ?? 'Not enrolled.'}${remedy}`;
}

const CSV_COLUMNS = ['file', 'status', 'trust_validation_id', 'failure_code', 'reason', 'remedy', 'sent'];

/** Every photo with its answer, one per line (RFC 4180). @throws {CliError} it cannot be written; the answers are kept */
export function writeCsv(file: string, answers: readonly Answer[], skipped: readonly Skipped[]): void {
  const rows = [
    ...answers.map((answer) => [
      answer.path,
      answer.status,
      answer.trustValidationId === null ? '' : String(answer.trustValidationId),
      answer.failureCode ?? '',
      answer.reason ?? '',
      answer.failureCode === null ? '' : FAILURES[answer.failureCode].remedy,
      answer.sent,
    ]),
    ...skipped.map(({ path, reason }) => [path, 'not sent', '', '', reason, '', 'never']),
  ];
  const text = [CSV_COLUMNS, ...rows].map(csvLine).join('');
  try {
    writeFileSync(file, `\ufeff${text}`);
  } catch (cause) {
    throw new CliError(
      `${file} could not be written: ${reasonOf(cause)}. The results are kept. The same command with another --output writes them and sends nothing again.`,
      EXIT.failed,
    );
  }
}
