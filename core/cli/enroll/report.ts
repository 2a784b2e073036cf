import { writeFileSync } from 'node:fs';
import { reasonOf } from '../terminal/inputFile.ts';
import { escapeUnprintable, CliError, EXIT } from '../terminal/output.ts';
import { CSV_START, csvLine } from '../../contracts/csv.ts';
import { FAILURES } from '../../contracts/errors/failures.ts';
import type { SkippedFile } from './plan.ts';
import type { Answer, EnrolState } from './run.ts';

const WIDTH = 30;
const DEFAULT_COLUMNS = 80;
/** On something that is no terminal a line is written this often, milliseconds. */
const PLAIN_INTERVAL = 10_000;

/** Where progress is shown: a terminal, or a file that is read afterwards. */
interface Screen {
  isTTY: boolean;
  columns?: number;
  write(text: string): boolean;
}

/**
 * One line: enrolled, failed, waiting, rate and time left. The rate is that of this run alone; what an earlier run
 * did is in the counts only.
 */
export class ProgressBar {
  readonly #out: Screen;
  readonly #started = Date.now();
  #lastPlain = 0;
  #note = '';
  #state: EnrolState | undefined;

  constructor(out: Screen) {
    this.#out = out;
  }

  update(state: EnrolState): void {
    this.#state = state;
    this.#note = '';
    this.#draw();
  }

  /** Why nothing moves, until the next progress. */
  note(text: string): void {
    this.#note = text;
    this.#draw();
  }

  /** Leaves the last state on the screen or in the file. */
  end(): void {
    if (this.#state === undefined) return;
    this.#out.write(this.#out.isTTY ? '\n' : `${this.#line(this.#state)}\n`);
  }

  #draw(): void {
    if (this.#state === undefined) return;
    const line = this.#line(this.#state);
    if (this.#out.isTTY) {
      this.#out.write(`\r\u001b[K${line.slice(0, (this.#out.columns ?? DEFAULT_COLUMNS) - 1)}`);
    } else if (Date.now() - this.#lastPlain >= PLAIN_INTERVAL) {
      this.#lastPlain = Date.now();
      this.#out.write(`${line}\n`);
    }
  }

  #line(state: EnrolState): string {
    const line = progressLine(state, (Date.now() - this.#started) / 1000);
    return this.#note === '' ? line : `${line}  (${this.#note})`;
  }
}

/** @param seconds since this run began */
export function progressLine(state: EnrolState, seconds: number): string {
  const done = state.enrolled + state.failed;
  const filled = state.total === 0 ? WIDTH : Math.floor((done / state.total) * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  const rate = seconds > 0 ? (done - state.before) / seconds : 0;
  const left = rate > 0 ? duration((state.total - done) / rate) : '–';
  return `${bar} ${done}/${state.total}  ${state.enrolled} enrolled, ${state.failed} failed  ${rate.toFixed(1)}/s  ${left} left`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

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

const CSV_COLUMNS = ['file', 'status', 'trustValidationId', 'failureCode', 'reason', 'remedy', 'sent'];

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
    writeFileSync(file, `${CSV_START}${text}`);
  } catch (cause) {
    throw new CliError(
      `${file} could not be written: ${reasonOf(cause)}. The results are kept. The same command with another --output writes them and sends nothing again.`,
      EXIT.failed,
    );
  }
}
