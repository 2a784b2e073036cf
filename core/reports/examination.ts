/** The report of an examination: the conclusion, the pictures with the marks of both examiners, and how it was reached. */
import { BAND_OF_VERDICT, pairSentences } from '../contracts/certainty.ts';
import { aspectsOf, CONCLUSIONS, EXAMINED, type ExaminedKind } from '../contracts/dashboard/examinations.ts';
import type { ExaminationReport } from '../domain/ports/reports.ts';
import { apart, beginReport, count, endReport, moment, type Page } from './frame.ts';

const PICTURE_HEIGHT = 230;

/** @returns the PDF of an examination that both examiners have concluded */
export async function examinationReport(report: ExaminationReport): Promise<Uint8Array> {
  const page = beginReport(report, ({ examination }) => examination.title, {
    number: String(report.examination.id),
    lead: ({ examination }) => examination.lead,
  });
  examinationPart(page, report);
  methodPart(page, [report.examination.kind]);
  return endReport(report, page);
}

type Examined = Pick<ExaminationReport, 'examination' | 'pictures'>;

/** The conclusion, the pictures with their marks, the limits, the findings and the score. */
export function examinationPart(page: Page, examined: Examined): void {
  conclusion(page, examined);
  pictures(page, examined);
  limits(page, examined);
  findings(page, examined);
  system(page, examined);
}

/** The procedure of examinations, and its limits. */
export function methodPart(
  { words: { examination: said }, sheet }: Page,
  kinds: readonly ExaminedKind[],
): void {
  const each = [...new Set(kinds)];
  sheet.heading(said.procedure);
  sheet.paragraph(said.procedureText);
  for (const kind of each) sheet.paragraph(said[`features_${kind}`]);
  sheet.heading(said.limitsOfMethod);
  sheet.paragraph(said.limitsText);
  for (const kind of each) sheet.paragraph(said[`limits_${kind}`]);
}

function conclusion({ words, sheet }: Page, { examination }: Examined): void {
  const { examination: said } = words;
  const { beganAt, kind, replaced, settlement, works } = examination;
  const labels = [said.firstExaminer, said.secondExaminer];
  const final = settlement ?? works[0]?.evaluation;
  sheet.heading(said.conclusion);
  if (final) sheet.paragraph(said[`${kind}_${final.conclusion}`], 'strong');
  const differed = settlement?.isThird === true ? said.differedThird : said.differed;
  sheet.paragraph(settlement === null ? said.agreed : differed);
  scale({ words, sheet }, examination);
  sheet.facts([
    ...works.flatMap(({ byName, evaluation }, index) =>
      evaluation === null
        ? []
        : ([
            [labels[index]!, said.concluded(apart(byName), moment(new Date(evaluation.at)))],
            [said.conclusion, said[`${kind}_${evaluation.conclusion}`]],
            [said.reasons, apart(evaluation.reasons)],
          ] as const),
    ),
    ...(settlement === null
      ? []
      : ([
          [
            settlement.isThird ? said.third : said.common,
            said.settled(apart(settlement.byName), moment(new Date(settlement.at))),
          ],
          [said.reasons, apart(settlement.reasons)],
        ] as const)),
    ...replaced.map(
      ({ byName, replacedByName, steps, at }) =>
        [
          said.replaced,
          said.replacedText(apart(byName), count(steps), apart(replacedByName), moment(new Date(at))),
        ] as const,
    ),
    [said.begun, moment(new Date(beganAt))],
  ]);
}

/** All conclusions in their order, with the ones that were reached. */
function scale({ words, sheet }: Page, { kind, settlement, works }: Examined['examination']): void {
  const { examination: said } = words;
  const settled =
    settlement === null ? [] : [[settlement.isThird ? said.third : said.common, settlement] as const];
  const reached = [
    ...works.map(
      ({ evaluation }, index) =>
        [index === 0 ? said.firstExaminer : said.secondExaminer, evaluation] as const,
    ),
    ...settled,
  ];
  const share = 0.6 / reached.length;
  sheet.table(
    [
      [said.scale, ...reached.map(([label]) => label)],
      ...CONCLUSIONS.map((step) => [
        said[`${kind}_${step}`],
        ...reached.map(([, stated]) => (stated?.conclusion === step ? '×' : '')),
      ]),
    ],
    [0.4, ...reached.map(() => share)],
  );
}

function pictures({ words, sheet }: Page, report: Examined): void {
  const { examination: said, scores } = words;
  const { kind, works, system: names } = report.examination;
  const label = (side: number) => (side === 0 ? said.first : said.second);
  sheet.heading(said.pictures);
  // The marks of each examiner by themselves: both mark the same places.
  for (const [examiner, { byName, findings: found }] of works.entries())
    sheet.pictures(
      report.pictures.map(({ content, width, height }, side) => ({
        ...{ content, width, height, without: scores.noPicture },
        caption: said.marked(
          label(side),
          apart(names?.names[side] ?? words.no),
          `${examiner === 0 ? said.firstExaminer : said.secondExaminer}, ${apart(byName)}`,
        ),
        points: found.flatMap(({ component, marks: { [side]: at } }) =>
          at == null ? [] : { label: String(EXAMINED[kind].components.indexOf(component) + 1), at },
        ),
      })),
      PICTURE_HEIGHT,
    );
  sheet.facts(
    report.pictures.flatMap(({ faceId, enrolledAt, sha256, width, height }, side) => [
      [
        label(side),
        `${faceId === null ? said.storedSignature : `${said.face} ${faceId}`} · ${moment(new Date(enrolledAt))}`,
      ] as const,
      [words.pixels, `${width} × ${height}`] as const,
      [words.sha256, sha256 ?? words.no] as const,
    ]),
  );
}

function limits({ words, sheet }: Page, { examination: { kind, works } }: Examined): void {
  const { examination: said } = words;
  sheet.heading(said.limits);
  sheet.table(
    [
      [
        said.picture,
        ...aspectsOf(kind).map((aspect) => said[`aspect_${aspect}`]),
        said[`age_${kind}`],
        said.supports,
      ],
      ...works.flatMap(({ byName, analyses }) =>
        analyses.map(({ limits: of, age, supports }, side) => [
          `${side === 0 ? said.first : said.second}\n${apart(byName)}`,
          ...aspectsOf(kind).map((aspect) => said[`limit_${of[aspect] ?? 'unknown'}`]),
          age === '' ? words.no : apart(age),
          apart(supports),
        ]),
      ),
    ],
    [0.16, 0.13, 0.12, 0.1, 0.1, 0.14, 0.25],
  );
}

function findings({ words, sheet }: Page, { examination: { kind, works } }: Examined): void {
  const { examination: said } = words;
  sheet.heading(said.results);
  sheet.table(
    [
      [said.component, ...works.map(({ byName }) => apart(byName))],
      ...EXAMINED[kind].components.map((component, index) => {
        const found = works.map(({ findings: all }) => all[index]);
        const differs = new Set(found.map((each) => each?.finding)).size > 1;
        return [
          `${index + 1}. ${said[`component_${component}`]}${differs ? ` (${said.differs})` : ''}`,
          ...found.map((each) => {
            if (each === undefined) return words.no;
            const finding = said[`finding_${each.finding}`];
            return each.note === '' ? finding : `${finding}\n${apart(each.note)}`;
          }),
        ];
      }),
    ],
    [0.3, 0.35, 0.35],
  );
}

function system({ words, sheet }: Page, { examination }: Examined): void {
  const { examination: said, scores } = words;
  const score = examination.system?.score ?? null;
  sheet.heading(said.systemScore);
  sheet.paragraph(said.afterwards);
  if (score?.similarity == null) {
    sheet.paragraph(scores.notCompared, 'strong');
    return;
  }
  const { certainty, pipelineId, similarity, thresholds, verdict } = score;
  const ofVerdict = verdict === 'INCONCLUSIVE' ? '' : scores.bands[BAND_OF_VERDICT[verdict]];
  const band = examination.kind === 'faces' ? ofVerdict : words.signatures.verdicts[verdict];
  sheet.facts([
    [said.systemScore, scores.similarity(String(similarity), band)],
    [words.signatures.bands, scores.thresholds(String(thresholds.possibleMatch), String(thresholds.match))],
    ...(certainty === null
      ? []
      : [[scores.means, pairSentences(scores, certainty, count).sentences.join(' ')] as const]),
    [words.model, pipelineId],
  ]);
}
