/** The report of a search. */
import type { SearchReport } from '../domain/ports/reports.ts';
import { facePair, scoreMeaning, thresholdFacts } from './facePair.ts';
import { apart, beginReport, count, endReport } from './frame.ts';

/** @returns the PDF of a search: the probe, the searched watchlists, the chosen candidate and all others */
export async function searchReport(report: SearchReport): Promise<Uint8Array> {
  const page = beginReport(report, ({ search }) => search.title);
  const { words, sheet } = page;
  const { scores, search } = words;
  const { candidates, chosen, probe, watchlists } = report;
  sheet.heading(search.probe);
  sheet.facts([
    [words.file, apart(probe.fileName)],
    [words.sha256, probe.sha256],
    [words.pixels, apart(`${probe.width} × ${probe.height}`)],
    [search.face, search.faceOf(probe.face, probe.faces)],
    [words.quality, words.outOf100(probe.quality)],
    [words.model, report.pipelineId],
  ]);
  sheet.paragraph(search.kept, 'small');
  sheet.heading(search.settings);
  const total = watchlists.reduce((sum, { faces }) => sum + faces, 0);
  sheet.table(
    [
      [search.list, search.faces],
      ...watchlists.map(({ name, faces }) => [name ?? words.duplicate, count(faces)]),
      [search.all, count(total)],
    ],
    [0.7, 0.3],
  );
  thresholdFacts(page, report, report.rates);
  if (chosen?.chip !== undefined) {
    sheet.heading(search.side);
    facePair(
      page,
      [
        { chip: probe.chip, caption: search.probe },
        { chip: chosen.chip, caption: `${apart(chosen.name)} · ${apart(chosen.list ?? words.duplicate)}` },
      ],
      chosen.reading,
    );
    sheet.facts([
      [search.name, chosen.name],
      [words.sha256, chosen.sha256 ?? words.no],
    ]);
  }
  sheet.heading(search.candidates);
  if (candidates.length === 0) sheet.paragraph(search.none);
  else
    sheet.table(
      [
        [search.name, search.list, search.id, scores.scoreHead, scores.means, words.sha256],
        ...candidates.map(({ name, list, id, reading, sha256 }) => [
          name,
          list ?? words.duplicate,
          String(id),
          `${reading.score} · ${scores.band[reading.band]}`,
          scoreMeaning(words, reading),
          sha256 ?? words.no,
        ]),
      ],
      [0.16, 0.15, 0.1, 0.13, 0.2, 0.26],
    );
  return endReport(report, page);
}
