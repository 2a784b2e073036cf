/** The report of a case folder: its contents, each examination with its marked pictures, the error rates, and the chain of custody. */
import { CASE_ITEM_KINDS, type CaseEntry } from '../contracts/dashboard/caseFolders.ts';
import type { CaseFolderReport } from '../domain/ports/reports.ts';
import { examinationPart, methodPart } from './examination.ts';
import { apart, beginReport, count, endReport, moment, type Page } from './frame.ts';
import { ratesPart } from './siteRates.ts';

const PICTURE_HEIGHT = 200;

/** @returns the PDF of a case folder */
export async function caseFolderReport(report: CaseFolderReport): Promise<Uint8Array> {
  const { examinations, folder, rates } = report;
  const entryOf = new Map(folder.entries.map((entry) => [entry.examination, entry.position]));
  const page = beginReport(report, ({ caseFolder }) => caseFolder.report, {
    number: String(folder.id),
    lead: ({ caseFolder }) => caseFolder.lead,
  });
  const { words, sheet } = page;
  const { caseFolder: said } = words;
  if (report.sealed !== undefined) origin(page, report.sealed);
  contents(page, report);
  for (const examined of examinations) {
    const { id } = examined.examination;
    sheet.title(examinationName(words, id), said.entry(String(entryOf.get(id))));
    examinationPart(page, examined);
  }
  sheet.title(said.method, said.methodText);
  const kinds = examinations.map(({ examination: { kind } }) => kind);
  if (kinds.length > 0) methodPart(page, kinds);
  sheet.heading(said.rates);
  sheet.paragraph(said.ratesText);
  ratesPart(page, rates);
  chain(page, report);
  return endReport(report, page);
}

/** The installation that the folder comes from; its files are attached. */
function origin({ words, sheet }: Page, sealed: NonNullable<CaseFolderReport['sealed']>): void {
  const { caseFolder: said } = words;
  const { company, exportedAt, files, fingerprint, installation } = sealed;
  sheet.paragraph(said.sealed, 'strong');
  for (const file of files) sheet.attach(file);
  sheet.facts([
    [said.installation, `${apart(installation)}\n${fingerprint}`],
    [said.company, apart(company)],
    [said.exported, moment(new Date(exportedAt))],
    ...(files.length === 0
      ? []
      : [[said.attached, files.map(({ name }) => apart(name)).join('\n')] as const]),
  ]);
}

const isItem = (kind: CaseEntry['kind']) => (CASE_ITEM_KINDS as readonly string[]).includes(kind);

function contents({ words, sheet }: Page, { examinations, folder, photos }: CaseFolderReport): void {
  const { caseFolder: said } = words;
  const { entries, openedAt, reference, state, title } = folder;
  sheet.facts([
    [said.titled, apart(title)],
    [said.reference, reference === '' ? words.no : apart(reference)],
    [said.opened, moment(new Date(openedAt))],
    [said.state, said[`state_${state}`]],
    [said.note, entries[0]?.text ? apart(entries[0].text) : words.no],
  ]);
  sheet.heading(said.contents);
  const items = entries.filter((entry) => isItem(entry.kind) && entry.state !== 'removed');
  if (items.length === 0) sheet.paragraph(said.empty);
  else
    sheet.table(
      [
        [said.kind, said.content, said.by],
        ...items.map((entry) => [
          nameOf(words, entry),
          contentOf(words, entry),
          `${apart(entry.byName)}\n${moment(new Date(entry.at))}`,
        ]),
      ],
      [0.22, 0.46, 0.32],
    );
  const pictured = items.flatMap((entry) => {
    const photo = entry.face === null || entry.state !== 'kept' ? undefined : photos.get(entry.face.id);
    return photo === undefined ? [] : [{ entry, photo }];
  });
  for (let from = 0; from < pictured.length; from += 2)
    sheet.pictures(
      pictured.slice(from, from + 2).map(({ entry, photo: { content, width, height, box } }) => ({
        ...{ content, width, height, without: words.scores.noPicture },
        caption: `${nameOf(words, entry)}: ${apart(entry.face?.name ?? words.no)}`,
        marks: box === null ? [] : [{ label: String(entry.position), box, isMain: true }],
      })),
      PICTURE_HEIGHT,
    );
  const examined = new Set(examinations.flatMap(({ pictures }) => pictures.map(({ faceId }) => faceId)));
  const others = pictured.filter(({ entry }) => !examined.has(Number(entry.face?.id)));
  if (others.length > 0)
    sheet.paragraph(said.notExamined(others.map(({ entry }) => nameOf(words, entry)).join(said.and)));
}

const examinationName = (words: Page['words'], id: number) =>
  words.titled(words.caseFolder.kind_examination, apart(String(id)));

const nameOf = ({ caseFolder: said }: Page['words'], { kind, position }: CaseEntry) =>
  `${said[`kind_${kind}`]} (${position})`;

/** The content of an entry in words; of one that has changed also that it has. */
function contentOf(words: Page['words'], { examination, face, file, state, text }: CaseEntry): string {
  const { caseFolder: said } = words;
  const parts = [
    ...(state === 'kept' || state === null ? [] : [said[`content_${state}`]]),
    ...(face === null ? [] : [apart(face.name), `${words.examination.face} ${face.id}`]),
    ...(examination === null ? [] : [examinationName(words, examination)]),
    ...(text === '' ? [] : [apart(text)]),
    ...(file === null ? [] : [apart(file.name), `${count(file.bytes)} ${said.bytes}`]),
  ];
  return parts.length === 0 ? words.no : parts.join('\n');
}

function chain(
  { words, sheet }: Page,
  { folder: { entries, firstBad, newestHash }, sealed }: CaseFolderReport,
): void {
  const { caseFolder: said } = words;
  const changed = entries.filter(({ state }) => state === 'changed').map((entry) => nameOf(words, entry));
  sheet.title(said.chain, said.chainText);
  if (firstBad !== null) sheet.paragraph(said.broken(count(firstBad)), 'strong');
  if (changed.length > 0) sheet.paragraph(said.changed(changed.join(said.and)), 'strong');
  if (firstBad === null && changed.length === 0)
    sheet.paragraph(sealed === undefined ? said.whole : said.wholeSealed, 'strong');
  sheet.facts([[said.newest, newestHash]]);
  sheet.table(
    [
      ['#', said.kind, said.by, said.at, said.digest],
      ...entries.map(({ at, byName, digest, kind, position, state, target, text }) => [
        String(position),
        [
          `${said[`kind_${kind}`]}${target === null ? '' : ` (${target})`}`,
          ...(isItem(kind) || kind === 'opened' || text === '' ? [] : [apart(text)]),
        ].join('\n'),
        apart(byName),
        moment(new Date(at)),
        digest === null || state === null ? words.no : `${digest}\n${said[`content_${state}`]}`,
      ]),
    ],
    [0.05, 0.19, 0.14, 0.17, 0.45],
  );
}
