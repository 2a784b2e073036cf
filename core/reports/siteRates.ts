/** The report of the error rates of searches among the enrolled faces. */
import type { SearchShare } from '../contracts/calibration.ts';
import { LEAST_SEARCHES } from '../contracts/expectation.ts';
import type { SiteRatesReport } from '../domain/ports/reports.ts';
import { apart, beginReport, count, endReport, type Page } from './frame.ts';

/** @returns the PDF of the error rates of a site */
export async function siteRatesReport(report: SiteRatesReport): Promise<Uint8Array> {
  const page = beginReport(report, ({ siteRates }) => siteRates.title, {
    lead: ({ siteRates }) => siteRates.lead,
  });
  const { sheet, words } = page;
  const { siteRates: site } = words;
  const { byLikeness, enrolled, mated, pipeline, rows, searches } = report.rates;
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
  return endReport(report, page);
}

const rateOf = ({ words }: Page, fmr: number) =>
  words.siteRates.oneIn(count(Number((1 / fmr).toPrecision(2))));

function shareOf({ words }: Page, { errors, of, rate, low, high }: SearchShare): string {
  if (of < LEAST_SEARCHES) return words.siteRates.tooFew(count(of));
  const percent = (part: number) => (100 * part).toFixed(2);
  const stated = apart(words.siteRates.interval(percent(rate), percent(low), percent(high)));
  return `${stated}\n${words.siteRates.errorsOf(count(errors), count(of))}`;
}
