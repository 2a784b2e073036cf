/** Matches in blacklists at the top of a report: the reader sees severity and reason before anything else. */
import { bySeverity, severityLevel, LISTING_TEXT_NAMES } from '../contracts/faceListing.ts';
import type { ReportedHit } from '../domain/ports/reports.ts';
import { apart, count, type Page } from './frame.ts';

/** Blocks of a report; the tables have every match. */
const SHOWN = 5;

export interface BlacklistHit extends ReportedHit {
  /** The searched face, where there are several. */
  of?: string;
}

/** Writes a block for each hit: the most severe first, then the most similar. */
export function blacklistHits({ words, sheet }: Page, hits: readonly BlacklistHit[]): void {
  const { listing: listed, scores, search } = words;
  const sorted = hits.toSorted(
    (one, other) =>
      bySeverity(one.listing.severity, other.listing.severity) || other.reading.score - one.reading.score,
  );
  for (const { id, list, listing, name, of, reading } of sorted.slice(0, SHOWN)) {
    const facts = [
      `${search.name}: ${apart(name)}`,
      `${search.id}: ${id}`,
      scores.similarity(String(reading.score), scores.bands[reading.band]),
    ];
    sheet.alert(
      severityLevel(listing.severity),
      listed.hit(listed.severities[listing.severity], apart(list)),
      [
        ...LISTING_TEXT_NAMES.map((field) => `${listed.texts[field]}: ${apart(listing[field] ?? words.no)}`),
        [...(of === undefined ? [] : [of]), ...facts].join(' · '),
      ],
    );
  }
  if (sorted.length > SHOWN) sheet.paragraph(listed.moreHits(count(sorted.length - SHOWN)), 'strong');
}
