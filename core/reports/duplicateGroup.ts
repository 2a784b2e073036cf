/** The report of a group of possible duplicates: its least similar pair, its photos and pairs, and the decisions about it. */
import { certaintyPercent } from '../contracts/dashboard/duplicates.ts';
import type { DuplicateGroupReport } from '../domain/ports/reports.ts';
import { facePair } from './facePair.ts';
import { apart, beginReport, count, endReport, moment, type Page } from './frame.ts';

/** Pairs that the table lists, the least similar first. */
const PAIRS = 50;

/** @returns the PDF of a group */
export async function duplicateGroupReport(report: DuplicateGroupReport): Promise<Uint8Array> {
  const page = beginReport(report, ({ duplicates }) => duplicates.title, {
    number: String(report.group.id),
  });
  about(page, report);
  leastSimilar(page, report);
  photos(page, report);
  pairs(page, report);
  decisions(page, report);
  return endReport(report, page);
}

function about({ words, sheet }: Page, { group }: DuplicateGroupReport): void {
  const { duplicates } = words;
  sheet.heading(duplicates.number(group.id));
  sheet.facts([
    [duplicates.state, duplicates.states[group.state]],
    [duplicates.photos, count(group.size)],
    [
      duplicates.certainty,
      group.identical ? duplicates.identical : duplicates.certaintyMeans(certaintyPercent(group.certainty)),
    ],
    [duplicates.found, moment(new Date(group.createdAt))],
  ]);
}

function leastSimilar(page: Page, { group, thumbnails }: DuplicateGroupReport): void {
  const { words, sheet } = page;
  const [pair] = group.pairs;
  if (pair === undefined) return;
  const side = (id: number) => ({
    thumbnail: thumbnails.get(id),
    caption: apart(group.faces.find((face) => face.id === id)?.name ?? String(id)),
  });
  sheet.heading(words.duplicates.leastSimilar);
  facePair(page, [side(pair.first), side(pair.second)], pair.reading);
}

function photos({ words, sheet }: Page, { group, thumbnails }: DuplicateGroupReport): void {
  const { duplicates } = words;
  sheet.heading(duplicates.photos);
  sheet.table(
    [
      ['', duplicates.name, duplicates.list, duplicates.source, duplicates.enrolled, duplicates.person],
      ...group.faces.map(({ blacklist, enrolledAt, name, person, runName, source }) => [
        words.no,
        apart(name),
        apart(blacklist?.name ?? words.duplicate),
        runName === null ? duplicates.sources[source] : `${duplicates.sources[source]} · ${apart(runName)}`,
        moment(new Date(enrolledAt)),
        person === null ? words.no : apart(person.name),
      ]),
    ],
    [0.1, 0.24, 0.18, 0.18, 0.16, 0.14],
    { pictures: group.faces.map(({ id }) => thumbnails.get(id)) },
  );
}

function pairs({ words, sheet }: Page, { group }: DuplicateGroupReport): void {
  const { duplicates, scores } = words;
  const names = new Map(group.faces.map(({ id, name }) => [id, name]));
  const shown = group.pairs.slice(0, PAIRS);
  sheet.heading(duplicates.pairs);
  if (group.pairCount > shown.length)
    sheet.paragraph(duplicates.someOf(count(shown.length), count(group.pairCount)), 'small');
  sheet.table(
    [
      [duplicates.first, duplicates.second, scores.scoreHead, duplicates.decision],
      ...shown.map(({ decision, first, reading, second }) => [
        apart(names.get(first) ?? String(first)),
        apart(names.get(second) ?? String(second)),
        `${reading.score} · ${scores.bands[reading.band]}`,
        decision === null ? words.no : duplicates.decisions[decision],
      ]),
    ],
    [0.32, 0.32, 0.18, 0.18],
  );
}

function decisions({ words, sheet }: Page, { group }: DuplicateGroupReport): void {
  const { duplicates } = words;
  sheet.heading(duplicates.history);
  if (group.history.length === 0) {
    sheet.paragraph(duplicates.undecided);
    return;
  }
  sheet.table(
    [
      [
        duplicates.at,
        duplicates.decision,
        duplicates.by,
        duplicates.photos,
        duplicates.scoreThen,
        duplicates.reason,
      ],
      ...group.history.map(({ at, by, byName, decision, faces, measured, reason, undoneAt }) => [
        moment(new Date(at)),
        undoneAt === null
          ? duplicates.decisions[decision]
          : `${duplicates.decisions[decision]} (${duplicates.undone})`,
        apart(byName ?? by),
        count(faces.length),
        measured?.score == null ? words.no : String(measured.score),
        reason === null ? words.no : apart(reason),
      ]),
    ],
    [0.18, 0.2, 0.16, 0.1, 0.12, 0.24],
  );
}
