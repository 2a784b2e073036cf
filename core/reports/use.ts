/** The report of use: each use of a period, how often an alarm was right, and who used the system. */
import { VERDICTS } from '../contracts/signatures.ts';
import type { TrustValidationStatus } from '../contracts/codes.ts';
import { shareOf } from '../domain/values/share.ts';
import type { Alarms, Use, UseReport } from '../domain/ports/reports.ts';
import { apart, beginReport, count, endReport, listed, moment, type Page } from './frame.ts';

/** @returns the PDF of the uses of a period */
export async function useReport(report: UseReport): Promise<Uint8Array> {
  const page = beginReport(report, ({ use }) => use.title, { lead: ({ use }) => use.lead });
  const { words, sheet } = page;
  const { use } = words;
  const { from, to, total, uses } = report;
  sheet.facts([
    [use.period, `${from === null ? use.since : moment(from)} – ${moment(to)}`],
    [use.uses, count(total)],
  ]);
  alarms(page, report);
  users(page, report);
  sheet.heading(use.uses);
  sheet.paragraph(total === 0 ? use.none : use.kept);
  if (uses.length < total) sheet.paragraph(use.shown(count(uses.length), count(total)));
  if (uses.length > 0)
    sheet.table(
      [
        [use.start, use.what, use.database, use.input, use.verified],
        ...uses.map((each) => cellsOf(page, report, each)),
      ],
      [0.23, 0.2, 0.2, 0.18, 0.19],
    );
  return endReport(report, page);
}

function cellsOf({ words }: Page, { names, lists }: UseReport, made: Use): string[] {
  const { use } = words;
  const { by, end, faces, input, kind, start, verified, watchlists } = made;
  const nameOf = (account: string) => apart(names.get(account) ?? account);
  const searched = watchlists.map((id) =>
    id === null ? words.duplicate : apart(lists.get(id) ?? `blacklist:${id}`),
  );
  const database = searched.length === 0 ? [use.noList] : [listed(words, searched)];
  return [
    `${moment(start)}\n${moment(end)}`,
    [use.kinds[kind], use.by(nameOf(by)), resultOf(words, made)].filter((line) => line !== '').join('\n'),
    [...database, ...(faces === null ? [] : [use.faces(count(faces))])].join('\n'),
    input === null ? use.photo : apart(input),
    verified.length === 0
      ? use.unverified
      : verified
          .map(({ by: account, status }) =>
            status === null
              ? nameOf(account)
              : `${nameOf(account)}: ${words.faceCase.statuses[status as TrustValidationStatus]}`,
          )
          .join('\n'),
  ];
}

function resultOf({ scores, signatures, use }: Page['words'], { result }: Use): string {
  if (result === null) return '';
  if (typeof result === 'number') return use.matches(count(result));
  const verdict = VERDICTS.find((each) => each === result);
  return verdict === undefined
    ? scores.bands[result as keyof typeof scores.bands]
    : signatures.verdicts[verdict];
}

function alarms({ words, sheet }: Page, { alarms: found }: UseReport): void {
  const { use } = words;
  sheet.heading(use.alarms);
  sheet.paragraph(use.alarmsNote);
  sheet.table(
    [
      [use.alarm, use.all, use.right, use.wrong, use.open, use.share],
      ...(['blacklist', 'duplicate'] as const).map((kind) => {
        const { all, right, wrong } = found[kind];
        const numbers = [all, right, wrong, all - right - wrong].map(count);
        return [use.alarmKinds[kind], ...numbers, shareRight(words, found[kind])];
      }),
    ],
    [0.27, 0.12, 0.12, 0.14, 0.12, 0.23],
  );
}

function shareRight({ no, use }: Page['words'], { right, wrong }: Alarms): string {
  if (right + wrong === 0) return no;
  const { rate, low, high } = shareOf(right, right + wrong);
  const percent = (part: number) => (100 * part).toFixed(1);
  return apart(use.interval(percent(rate), percent(low), percent(high)));
}

function users({ words, sheet }: Page, { names, users: all }: UseReport): void {
  const { use } = words;
  if (all.length === 0) return;
  sheet.heading(use.users);
  sheet.table(
    [
      [use.account, use.uses, use.decisions, use.exports, use.entries, use.last],
      ...all.map(({ by, decisions, entries, exports, last, uses }) => [
        apart(names.get(by) ?? by),
        ...[uses, decisions, exports, entries].map(count),
        moment(last),
      ]),
    ],
    [0.24, 0.12, 0.12, 0.12, 0.14, 0.26],
  );
}
