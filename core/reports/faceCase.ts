/** The report of a case: a validation, its matches side by side, and the decision about it. */
import { ERASED_NAME } from '../contracts/erasure.ts';
import { SYSTEM_FLOW_NAME } from '../contracts/codes.ts';
import { TRUST_VALIDATION_STATUS, type TrustValidationStatus } from '../contracts/codes.ts';
import type { CaseReport, ReportedFace, ReportedMatch } from '../domain/ports/reports.ts';
import { blacklistHits } from './blacklistHits.ts';
import { scoreMeaning, thresholdMeaning } from '../contracts/certainty.ts';
import { facePair, thresholdFacts } from './facePair.ts';
import { verificationName } from '../contracts/verifications.ts';
import { bySeverity, LISTING_TEXT_NAMES } from '../contracts/faceListing.ts';
import { apart, beginReport, count, endReport, listed, moment, withPhotos, type Page } from './frame.ts';

const DECISIONS = ['verified', 'rejected', 'returned-to-review'] as const;

/** @returns the PDF of a case; matches that are not shown side by side stand in the table of all matches */
export async function caseReport(stored: CaseReport): Promise<Uint8Array> {
  const page = beginReport(stored, ({ faceCase }) => faceCase.title, { number: String(stored.id) });
  const report = withNames(page, stored);
  blacklistHits(page, report.hits);
  about(page, report);
  decision(page, report);
  const { matches, own, shown } = report;
  if (matches.length === 0 && own !== null) ownFace(page, own);
  // A match in a blacklist before a more similar duplicate.
  const ordered = shown.toSorted((one, other) =>
    bySeverity(matches[one]?.listing?.severity, matches[other]?.listing?.severity),
  );
  for (const position of ordered) {
    const match = matches[position];
    if (match !== undefined) pair(page, report, match, position + 1);
  }
  allMatches(page, report);
  history(page, report);
  return endReport(report, page);
}

/**
 * In the language of the report: a verification without a name of its own has its number as name, and an erased person is called
 * so.
 */
function withNames({ words }: Page, report: CaseReport): CaseReport {
  const named = <T extends { id: number; name: string }>(of: T): T => {
    if (of.name === ERASED_NAME) return { ...of, name: words.faceCase.erased };
    return of.name === verificationName(of.id) ? { ...of, name: words.faceCase.unnamed(of.id) } : of;
  };
  const matches = report.matches.map((match) => ({
    ...match,
    probe: named(match.probe),
    face: named(match.face),
  }));
  return named({ ...report, own: report.own && named(report.own), hits: report.hits.map(named), matches });
}

function about({ words, sheet }: Page, report: CaseReport): void {
  const { faceCase } = words;
  const { blacklists, duplicates, notScreened, photos, thresholds, at } = report.screening;
  const against = [...(duplicates ? [words.duplicate] : []), ...blacklists.map(apart)];
  sheet.heading(faceCase.number(report.id));
  sheet.facts([
    [faceCase.name, apart(report.name)],
    [faceCase.reference, report.reference == null ? words.no : apart(report.reference)],
    [
      faceCase.flow,
      report.trustFlowName === SYSTEM_FLOW_NAME ? faceCase.systemFlow : apart(report.trustFlowName),
    ],
    [faceCase.status, statusWord(faceCase, report, report.status)],
    [faceCase.created, moment(report.createdAt)],
    [faceCase.finalised, report.finalizedAt === null ? words.no : moment(report.finalizedAt)],
    [faceCase.screened, at === null ? faceCase.notScreened : moment(at)],
    ...(photos < 2 ? [] : [[faceCase.photos, count(photos)] as const]),
    [faceCase.against, listed(words, against)],
    ...thresholds.map(
      ({ list, ...threshold }) =>
        [
          `${faceCase.rate} · ${apart(list ?? words.duplicate)}`,
          thresholdMeaning(words.scores, threshold, count),
        ] as const,
    ),
    ...(notScreened.length === 0 ? [] : [[faceCase.missed, listed(words, notScreened.map(apart))] as const]),
  ]);
}

/** The last decision of a reviewer. A status that a Trust Flow set is never reported as one. */
function decision({ words, sheet }: Page, report: CaseReport): void {
  const { history: entries, matches } = report;
  const { faceCase } = words;
  sheet.heading(faceCase.decision);
  for (const { action, at, by, note, status } of entries.toReversed()) {
    const made = DECISIONS.find((each) => each === action);
    if (made === undefined) continue;
    const lists = new Set(matches.map(({ list }) => (list === null ? 'duplicate' : 'blacklist')));
    const [only] = lists;
    const of = only === undefined ? 'none' : lists.size > 1 ? 'both' : only;
    const named = faceCase.decidedAs[of][made];
    sheet.facts([
      [faceCase.decision, `${named} (${statusWord(faceCase, report, status)})`],
      [faceCase.reviewer, apart(by ?? faceCase.service)],
      [faceCase.at, moment(at)],
      [faceCase.note, note === null ? words.no : apart(note)],
    ]);
    return;
  }
  sheet.paragraph(faceCase.undecided);
}

function ownFace({ words, sheet }: Page, own: ReportedFace): void {
  const { faceCase, scores } = words;
  sheet.heading(faceCase.thisCase);
  sheet.pictures(
    [
      {
        content: own.thumbnail,
        without: scores.noPicture,
        caption: apart(own.name),
        width: 160,
        height: 160,
      },
    ],
    170,
  );
  sheet.facts(photoFacts(words, own));
}

function pair(
  page: Page,
  report: CaseReport,
  { face, list, listing, probe, rates, reading }: ReportedMatch,
  position: number,
): void {
  const { words, sheet } = page;
  const { faceCase } = words;
  sheet.heading(faceCase.pair(position, report.matches.length));
  const kind = list ?? words.duplicate;
  facePair(
    page,
    [
      { thumbnail: probe.thumbnail, caption: `${faceCase.thisCase} · ${apart(probe.name)}` },
      { thumbnail: face.thumbnail, caption: `${apart(kind)} · ${apart(face.name)}` },
    ],
    reading,
  );
  thresholdFacts(page, reading, rates);
  const other = photoFacts(words, face);
  sheet.table(
    [
      [faceCase.fact, faceCase.thisCase, faceCase.match],
      [faceCase.list, words.no, apart(kind)],
      ...(listing === null
        ? []
        : [
            [words.listing.severity, words.no, words.listing.severities[listing.severity]],
            ...LISTING_TEXT_NAMES.map((field) => [
              words.listing.texts[field],
              words.no,
              apart(listing[field] ?? words.no),
            ]),
          ]),
      ...photoFacts(words, probe).map(([label, value], row) => [label, value, other[row]?.[1] ?? words.no]),
    ],
    [0.2, 0.4, 0.4],
  );
}

/** The same rows for each photo, so that two photos stand side by side in one table. */
function photoFacts(words: Page['words'], face: ReportedFace): (readonly [string, string])[] {
  const { faceCase } = words;
  const { enrolledAt, id, name, person, pipelineId, quality, sha256, size } = face;
  return [
    [faceCase.name, apart(name)],
    [words.duplicates.person, apart(person ?? words.no)],
    [faceCase.id, String(id)],
    [faceCase.enrolled, enrolledAt === null ? words.no : moment(enrolledAt)],
    [words.pixels, size === null ? words.no : apart(`${count(size.width)} × ${count(size.height)}`)],
    [words.quality, quality === null ? words.no : words.outOf100(quality)],
    [words.model, pipelineId ?? words.no],
    [words.sha256, sha256 ?? words.no],
  ];
}

/** The blacklist with the severity of the face in it, or duplicate detection. */
function inList(words: Page['words'], list: string | null, listing: ReportedMatch['listing']): string {
  const name = apart(list ?? words.duplicate);
  return listing === null ? name : `${name} · ${words.listing.severities[listing.severity]}`;
}

function allMatches({ words, sheet }: Page, { matches, screening }: CaseReport): void {
  const { faceCase, scores } = words;
  sheet.heading(faceCase.matches);
  if (matches.length === 0) {
    sheet.paragraph(screening.at === null ? faceCase.unscreened : faceCase.noMatch);
    return;
  }
  sheet.table(
    [
      [faceCase.name, faceCase.list, faceCase.id, scores.scoreHead, scores.means],
      ...matches.map(({ face, list, listing, photos, reading }) => [
        withPhotos(words, photos, apart(face.name)),
        inList(words, list, listing),
        String(face.id),
        `${reading.score} · ${scores.bands[reading.band]}`,
        scoreMeaning(scores, reading, count),
      ]),
    ],
    [0.24, 0.2, 0.12, 0.16, 0.28],
  );
}

function history({ words, sheet }: Page, report: CaseReport): void {
  const { faceCase } = words;
  sheet.heading(faceCase.history);
  sheet.table(
    [
      [faceCase.at, faceCase.action, faceCase.by, faceCase.status, faceCase.note],
      ...report.history.map(({ action, at, by, note, status }) => [
        moment(at),
        faceCase.actions[action],
        apart(by ?? faceCase.service),
        statusWord(faceCase, report, status),
        note === null ? words.no : apart(note),
      ]),
    ],
    [0.24, 0.13, 0.17, 0.18, 0.28],
  );
}

/** A photo of enrolment was enrolled, not verified: only the public interface calls it so. */
function statusWord(
  { statuses, actions }: Page['words']['faceCase'],
  { source }: Pick<CaseReport, 'source'>,
  status: TrustValidationStatus,
): string {
  return source === 'enrolment' && status === TRUST_VALIDATION_STATUS.Verified
    ? actions.enrolled
    : statuses[status];
}
