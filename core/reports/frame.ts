/** The frame that all reports share: title, head and foot of every page, and the forms of numbers and times. */
import type { ReportedPhotos, ReportFrame } from '../domain/ports/reports.ts';
import { Sheet } from './sheet.ts';
import { ar, en, type Words } from './words.ts';

/** A report in the making: the words of its language, and the sheet to write on. */
export interface Page {
  words: Words;
  sheet: Sheet;
}

/**
 * Opens a report with its title, its author and time, and the statement that a person decides.
 * @param options `number`: the number of the reported record, after the title; `lead`: replaces the statement
 */
export function beginReport(
  report: ReportFrame,
  titleOf: (words: Words) => string,
  options: { number?: string; lead?: (words: Words) => string } = {},
): Page {
  const { company, fontsFolder, language, made, operator } = report;
  const words = language === 'ar' ? ar : en;
  const title =
    options.number === undefined ? titleOf(words) : words.titled(titleOf(words), apart(options.number));
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  const sheet = new Sheet({ title, made, direction, ...(fontsFolder === undefined ? {} : { fontsFolder }) });
  sheet.title(title, words.made(moment(made), apart(operator), apart(company)));
  sheet.paragraph((options.lead ?? (({ decides }) => decides))(words));
  return { words, sheet };
}

/** Numbers the pages, and writes company and title above each and the statement of similarity below. @returns the PDF */
export async function endReport(
  { company, version }: ReportFrame,
  { words, sheet }: Page,
): Promise<Uint8Array> {
  await sheet.write();
  if (sheet.lacksLetters) sheet.paragraph(words.lettersMissing, 'small');
  return sheet.end({
    head: words.head(apart(company), sheet.titleText),
    foot: words.foot(version),
    pageOf: words.page,
  });
}

/** With English separators of thousands, in either language. */
export const count = (value: number) => new Intl.NumberFormat('en-US').format(value);

/** To the second, in UTC, because a report is read elsewhere; then on the clock of the installation, where it differs. */
export function moment(at: Date): string {
  const utc = at.toISOString().slice(0, 19).replace('T', ' ');
  const ahead = -at.getTimezoneOffset();
  if (ahead === 0) return apart(`${utc} UTC`);
  const local = new Date(at.getTime() + ahead * 60_000).toISOString();
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const day = local.slice(0, 10) === utc.slice(0, 10) ? '' : `${local.slice(0, 10)} `;
  return apart(`${utc} UTC (${day}${local.slice(11, 16)} ${ahead < 0 ? '-' : '+'}${hours}:${minutes})`);
}

/** Marks of direction, which would end the isolation of a name and order the text after it. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A person's name, how many of several photos match, and the remark that a copy of one was presented. */
export function withPhotos(
  words: Page['words'],
  { all, agreeing, samePicture }: ReportedPhotos,
  name: string,
): string {
  const counted = all < 2 ? name : `${name} (${words.photosMatch(count(agreeing), count(all))})`;
  return samePicture ? `${counted}\n${words.samePicture}` : counted;
}

/** Several values in one cell, or the word for none. */
export function listed({ comma, no }: Page['words'], values: readonly (string | number)[]): string {
  return values.length === 0 ? no : values.join(comma);
}

/** Inside a sentence of either direction a name, a code or a date keeps its own, on each line (FSI … PDI, UAX #9). */
export function apart(text: string): string {
  return text
    .replaceAll(DIRECTIONS, '')
    .split('\n')
    .map((line) => `\u2068${line}\u2069`)
    .join('\n');
}
