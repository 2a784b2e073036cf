/** The report of the error rates of searches among the enrolled faces. */
import { LEAST_IN_GROUP, type GroupRates, type SearchShare } from '../contracts/calibration.ts';
import { LEAST_SEARCHES } from '../contracts/expectation.ts';
import type { SiteRatesReport } from '../domain/ports/reports.ts';
import { apart, beginReport, count, endReport, listed, type Page } from './frame.ts';

/** @returns the PDF of the error rates of a site */
export async function siteRatesReport(report: SiteRatesReport): Promise<Uint8Array> {
  const page = beginReport(report, ({ siteRates }) => siteRates.title, {
    lead: ({ siteRates }) => siteRates.lead,
  });
  ratesPart(page, report.rates);
  if (report.groups !== null) groupsPart(page, report.groups);
  return endReport(report, page);
}

/** The measured rates of the site, and what they do not cover. */
export function ratesPart(page: Page, rates: SiteRatesReport['rates']): void {
  const { sheet, words } = page;
  const { siteRates: site } = words;
  const { byLikeness, enrolled, mated, pipeline, rows, searches } = rates;
  sheet.facts([
    [words.model, pipeline],
    [site.enrolled, count(enrolled)],
    [site.searches, count(searches)],
    [site.mated, count(mated)],
  ]);
  sheet.heading(site.falseAlarms);
  sheet.table(
    [
      [site.fmr, site.flows, site.fpir, site.decided],
      ...rows.map(({ fmr, flows, fpir, decidedDifferent }) => [
        rateOf(page, fmr),
        flows.map(apart).join('\n'),
        shareOf(page, fpir),
        count(decidedDifferent),
      ]),
    ],
    [0.22, 0.26, 0.32, 0.2],
  );
  sheet.heading(site.misses);
  sheet.table(
    [
      [site.fmr, site.all, ...site.photos],
      ...rows.map(({ fmr, fnir, fnirByPhotos }) => [
        rateOf(page, fmr),
        ...[fnir, ...fnirByPhotos].map((share) => shareOf(page, share)),
      ]),
    ],
    [0.2, 0.2, 0.2, 0.2, 0.2],
  );
  if (byLikeness > 0) sheet.paragraph(site.byLikeness(count(byLikeness)));
  sheet.paragraph(site.terms);
  sheet.paragraph(site.notCovered);
}

/** Rates by groups, with the worst one named and the small ones listed. */
function groupsPart(page: Page, { rates, tooSmall, ungrouped }: GroupRates): void {
  const { sheet, words } = page;
  const { siteRates: site } = words;
  sheet.heading(site.groups);
  for (const { fmr, groups, worstFmr, worstFnmr } of rates) {
    if (groups.length === 0) continue;
    sheet.table(
      [
        [`${site.group} (${rateOf(page, fmr)})`, site.people, 'FMR', 'FNMR'],
        ...groups.map((row) => [
          apart(row.group),
          count(row.people),
          shareOf(page, row.fmr),
          shareOf(page, row.fnmr),
        ]),
      ],
      [0.28, 0.12, 0.3, 0.3],
    );
    for (const [kind, worst] of [
      ['FMR', worstFmr],
      ['FNMR', worstFnmr],
    ] as const)
      if (worst !== null)
        sheet.paragraph(
          `${site.worst(kind, apart(worst.group))} ${worst.isClear ? site.worstClear : site.worstChance}`,
        );
  }
  if (tooSmall.length > 0) {
    const named = listed(
      words,
      tooSmall.map(({ group, people }) => `${apart(group)} (${count(people)})`),
    );
    const { people, matedPairs } = LEAST_IN_GROUP;
    sheet.paragraph(site.groupsTooSmall(count(people), count(matedPairs), named));
  }
  if (ungrouped > 0) sheet.paragraph(site.ungrouped(count(ungrouped)));
  sheet.paragraph(site.groupTerms);
}

const rateOf = ({ words }: Page, fmr: number) =>
  words.siteRates.oneIn(count(Number((1 / fmr).toPrecision(2))));

function shareOf({ words }: Page, { errors, of, rate, low, high }: SearchShare): string {
  if (of < LEAST_SEARCHES) return words.siteRates.tooFew(count(of));
  // Rates of pairs can be far below those of searches.
  const percent = (part: number) =>
    part > 0 && part < 1e-4 ? (100 * part).toPrecision(2) : (100 * part).toFixed(2);
  const stated = apart(words.siteRates.interval(percent(rate), percent(low), percent(high)));
  return `${stated}\n${words.siteRates.errorsOf(count(errors), count(of))}`;
}
