/** The report of a search: what the operator saw of it, with the pictures. */
import { DEFAULT_VIEW, scoreAtRate, thresholdOf } from '../contracts/dashboard/searchView.ts';
import type { ReportedCandidate, SearchReport } from '../domain/ports/reports.ts';
import { blacklistHits, type BlacklistHit } from './blacklistHits.ts';
import { scoreMeaning } from '../contracts/certainty.ts';
import { facePair } from './facePair.ts';
import { apart, beginReport, count, endReport, moment, withPhotos, type Page } from './frame.ts';
import { LISTING_TEXT_NAMES } from '../contracts/faceListing.ts';

const PHOTO_HEIGHT = 270;

/** @returns the PDF of a search: the photo with its faces, the settings, and the candidates of one face */
export async function searchReport(report: SearchReport): Promise<Uint8Array> {
  const page = beginReport(report, ({ search }) => search.title);
  blacklistHits(page, hitsOf(page, report));
  photoPart(page, report);
  settingsPart(page, report);
  facePart(page, report);
  return endReport(report, page);
}

/** Each match in a blacklist once: those that the operator's view hides, the best of each face, and the listed ones. */
function hitsOf({ words: { search } }: Page, report: SearchReport): BlacklistHit[] {
  const { candidates, face: reported, faces, matches } = report;
  const found = [
    ...(report.hits ?? []),
    ...faces.flatMap(({ best }, face) => (best === null ? [] : [{ ...best, face }])),
    ...candidates.slice(0, matches).map((candidate) => ({ ...candidate, face: reported })),
  ];
  const hits = new Map<string, BlacklistHit>();
  for (const { face, id, list, listing, name, reading } of found) {
    if (list === null || listing === null) continue;
    const of = search.faceOf(face + 1, faces.length);
    hits.set(`${face} ${id}`, { id, list, listing, name: name ?? search.erased, reading, of });
  }
  return [...hits.values()];
}

function photoPart({ words, sheet }: Page, report: SearchReport): void {
  const { search, scores } = words;
  const { faces, pipelineId, probe, searchedAt } = report;
  sheet.heading(search.probe);
  const { width, height, picture } = probe;
  const marks = faces.map(({ box }, index) => ({
    box,
    label: String(index + 1),
    isMain: index === report.face,
  }));
  sheet.pictures([{ content: picture, caption: search.boxes, width, height, marks }], PHOTO_HEIGHT);
  sheet.facts([
    [search.searchedAt, moment(searchedAt)],
    [words.file, apart(probe.fileName)],
    [words.sha256, probe.sha256],
    [words.pixels, apart(`${width} × ${height}`)],
    [words.model, pipelineId],
  ]);
  sheet.paragraph(search.kept, 'small');
  sheet.heading(search.facesFound);
  sheet.table(
    [
      [search.number, search.best, search.list, scores.scoreHead, words.quality],
      ...faces.map(({ best, quality }, index) => [
        String(index + 1),
        best === null ? search.none : nameOf(best, search.erased),
        best === null ? '' : inList(words, best),
        best === null ? '' : `${best.reading.score} · ${scores.bands[best.reading.band]}`,
        words.outOf100(quality),
      ]),
    ],
    [0.1, 0.28, 0.24, 0.2, 0.18],
  );
}

function settingsPart({ words, sheet }: Page, report: SearchReport): void {
  const { search, scores } = words;
  const { scale, view, watchlists } = report;
  const named = watchlists.find(({ id }) => id === view.list)?.name;
  const lists = typeof view.list === 'number' ? apart(named ?? String(view.list)) : search.lists[view.list];
  const { rate, persons, alarms, isOutOfReach } = thresholdOf(report, view);
  const score = String(scoreAtRate(scale, rate));
  const isStandard = view.per === DEFAULT_VIEW.per && view.oneIn === DEFAULT_VIEW.oneIn;
  sheet.heading(search.settings);
  sheet.facts([
    [
      search.threshold,
      view.per === 'search'
        ? search.perSearch(score, count(view.oneIn), count(persons))
        : scores.threshold(score, count(view.oneIn)),
    ],
    ...(isOutOfReach ? [[search.threshold, search.outOfReach] as const] : []),
    [search.thresholdOrigin, isStandard ? search.standard : search.chosenThreshold],
    [search.expected, search.falseMatches(String(Number(alarms.toPrecision(2))))],
    [search.filter, lists],
    [search.below, view.below ? search.belowShown : search.belowHidden(count(report.belowCount))],
  ]);
  const total = watchlists.reduce((sum, { faces }) => sum + faces, 0);
  sheet.table(
    [
      [search.searched, search.faces],
      ...watchlists.map(({ name, faces }) => [name ?? words.duplicate, count(faces)]),
      [search.all, count(total)],
    ],
    [0.7, 0.3],
  );
}

function facePart(page: Page, report: SearchReport): void {
  const { words, sheet } = page;
  const { search } = words;
  const { candidates, thumbnail, face, faces } = report;
  const chosen = candidates.find(({ isChosen }) => isChosen);
  const title = search.faceOf(face + 1, faces.length);
  if (chosen !== undefined) {
    sheet.heading(`${title}: ${search.side}`);
    const caption = `${personOf(words, chosen, nameOf(chosen, search.erased))} · ${apart(chosen.list ?? words.duplicate)}`;
    facePair(
      page,
      [
        { thumbnail, caption: title },
        { thumbnail: chosen.thumbnail, caption },
      ],
      chosen.reading,
    );
    const { listing } = chosen;
    if (listing !== null)
      sheet.facts([
        [words.listing.severity, words.listing.severities[listing.severity]],
        ...LISTING_TEXT_NAMES.map(
          (field) => [words.listing.texts[field], apart(listing[field] ?? words.no)] as const,
        ),
      ]);
  }
  sheet.heading(`${title}: ${search.candidates}`);
  if (report.matches === 0) sheet.paragraph(search.none);
  if (candidates.length > 0) candidateTable(page, candidates);
  if (report.mayBeMore) sheet.paragraph(search.more);
  if (candidates.some(({ reading }) => reading.band === 'none')) sheet.paragraph(search.belowNote);
}

function candidateTable({ words, sheet }: Page, candidates: SearchReport['candidates']): void {
  const { scores, search } = words;
  sheet.table(
    [
      ['', search.name, search.list, search.id, scores.scoreHead, scores.means, words.sha256],
      ...candidates.map((each) => [
        '',
        withPhotos(words, each.photos, personOf(words, each, nameOf(each, search.erased))),
        inList(words, each),
        String(each.id),
        `${each.reading.score} · ${scores.bands[each.reading.band]}`,
        scoreMeaning(scores, each.reading, count),
        each.sha256 ?? words.no,
      ]),
    ],
    [0.1, 0.15, 0.13, 0.09, 0.13, 0.17, 0.23],
    { pictures: candidates.map(({ thumbnail }) => thumbnail) },
  );
}

/** The blacklist with the severity of the face in it, or duplicate detection. */
function inList(words: Page['words'], { list, listing }: ReportedCandidate): string {
  const name = apart(list ?? words.duplicate);
  return listing === null ? name : `${name} · ${words.listing.severities[listing.severity]}`;
}

/** The name of a photo with the person in it. */
function personOf({ duplicates }: Page['words'], { person }: ReportedCandidate, name: string): string {
  return person === null ? name : `${name} (${duplicates.person}: ${apart(person)})`;
}

const nameOf = ({ name }: ReportedCandidate, erased: string) => (name === null ? erased : apart(name));
