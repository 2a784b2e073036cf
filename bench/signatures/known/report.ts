/** Error rates and likelihood ratios of known sets on both development sets and on the invented writers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawChart } from '../../chart.ts';
import type { Axis } from '../../chart.ts';
import { table } from '../../report.ts';
import { KNOWN_CALIBRATION } from '../../../core/signatures/known/calibration.ts';
import { differingOne, twoGroups } from '../../../core/signatures/known/agreement.ts';
import { ratiosOf } from '../../../core/signatures/known/ratios.ts';
import type { KnownCalibration } from '../../../core/signatures/known/ratios.ts';
import { KNOWN_ALTERNATIVES } from '../../../core/contracts/knownSignatures.ts';
import type { KnownAlternative } from '../../../core/contracts/knownSignatures.ts';
import { intervalOf } from '../accuracy.ts';
import type { Scored } from '../accuracy.ts';
import { errorRates } from '../rates.ts';
import { drawnCases, logitOfValues } from './draws.ts';
import type { Case } from './draws.ts';
import { measuredGroups } from './measured.ts';
import type { MeasuredGroup } from './measured.ts';
import { scaleTable } from './scale.ts';
import { misleading, monotone, ratioCost } from './rates.ts';
import type { Ratios } from './rates.ts';
import { percent } from '../../statistics.ts';

const SETS = ['cedar', 'crossmedia', 'invented'] as const;
const SIZES = [1, 3, 5, 10];
const LOGIT_40 = Math.log(0.4 / 0.6);
const LOGIT_70 = Math.log(0.7 / 0.3);

/** The rule without its bounds, to rank cases. */
const UNBOUNDED: KnownCalibration = {
  ...KNOWN_CALIBRATION,
  ratios: {
    imitation: { ...KNOWN_CALIBRATION.ratios.imitation, bound: Infinity, boundOfMore: Infinity },
    stranger: { ...KNOWN_CALIBRATION.ratios.stranger, bound: Infinity, boundOfMore: Infinity },
  },
};

function ratiosIn(cases: readonly Case[], alternative: KnownAlternative): Ratios {
  const of = (kind: string) =>
    cases
      .filter((one) => one.kind === kind)
      .map(({ likeness }) => ratiosOf(likeness, KNOWN_CALIBRATION)[alternative].log10);
  return { genuine: of('genuine'), other: of(alternative) };
}

function eerOf(scored: readonly Scored[], alternative: KnownAlternative): number {
  const of = (kind: string) => scored.filter((one) => one.kind === kind).map(({ similarity }) => similarity);
  const [genuine, other] = [of('genuine'), of(alternative)];
  return genuine.length > 0 && other.length > 0 ? errorRates(genuine, other).eer : NaN;
}

function row(name: string, cases: readonly Case[], alternative: KnownAlternative): string[] {
  const scored = cases.map(({ kind, writer, likeness }) => ({
    kind,
    writer,
    similarity: ratiosOf(likeness, UNBOUNDED)[alternative].log10,
  }));
  const ratios = ratiosIn(cases, alternative);
  const { cllr, least } = ratioCost(ratios);
  const wrong = misleading(ratios);
  return [
    name,
    percent(eerOf(scored, alternative)),
    intervalOf(scored, (drawn) => eerOf(drawn, alternative)),
    cllr.toFixed(3),
    least.toFixed(3),
    (cllr - least).toFixed(3),
    percent(wrong.other),
    percent(wrong.genuine),
  ];
}

/** Shares of pairs of different people at both fixed points of the scale. */
function strangersRow(name: string, groups: readonly MeasuredGroup[]): string[] {
  const logits = groups.flatMap(({ strangers }) => strangers.flat().map(logitOfValues));
  const from = (limit: number) => percent(logits.filter((logit) => logit >= limit).length / logits.length);
  return [name, String(logits.length), from(LOGIT_40), from(LOGIT_70)];
}

/** How often the rule names a genuine known signature as differing, or finds two groups, in sets of one writer. */
function agreementRow(name: string, cases: readonly Case[]): string[] {
  const sets = cases.filter((one, i) => one.likeness.among !== cases[i - 1]?.likeness.among);
  const share = (found: (one: Case) => boolean) => percent(sets.filter(found).length / sets.length);
  return [
    name,
    String(sets.length),
    share(({ likeness }) => differingOne(likeness, KNOWN_CALIBRATION) !== null),
    share(({ likeness }) => twoGroups(likeness.among) !== null),
  ];
}

const TITLES: Record<KnownAlternative, string> = {
  imitation: 'Against imitation',
  stranger: 'Against another person’s signature',
};

/** @param writers how many invented writers to measure */
export async function knownReport(writers: number): Promise<string> {
  const groups = Object.fromEntries(
    await Promise.all(SETS.map(async (set) => [set, await measuredGroups(set, writers)] as const)),
  ) as Record<(typeof SETS)[number], MeasuredGroup[]>;
  const cases = SETS.flatMap((set) =>
    SIZES.map((size) => ({ set, size, cases: drawnCases(groups[set], size) })),
  ).filter((one) => one.cases.length > 0);
  const ratios = KNOWN_ALTERNATIVES.flatMap((alternative) => [
    `**${TITLES[alternative]}**`,
    table(
      [
        'set, known',
        'EER',
        '95 %',
        'Cllr',
        'Cllr_min',
        'Cllr_cal',
        'LR > 10, other writer',
        'LR < 0.1, genuine',
      ],
      cases.map(({ set, size, cases: of }) => row(`${set}, ${size}`, of, alternative)),
    ),
  ]);
  drawPictures(cases);
  return [
    'Known sets: seeded draws, one threshold for all writers, intervals over writers. In the set across media a writer signs each name four times, on different media, so that at most three are known.',
    ...ratios,
    '**Pairs of different people on the scale of two images**',
    scaleTable([strangersRow('cedar', groups.cedar), strangersRow('crossmedia', groups.crossmedia)]),
    '**False findings about the known signatures of one writer**',
    table(
      ['set, known', 'sets', 'one named as differing', 'two groups'],
      cases
        .filter(({ size }) => size >= 5)
        .map(({ set, size, cases: of }) => agreementRow(`${set}, ${size}`, of)),
    ),
  ].join('\n\n');
}

const { bound } = KNOWN_CALIBRATION.ratios.imitation;
const ratioAxis = (title: string): Axis => ({
  title,
  share: (value) => (value + 2) / 4,
  ticks: [-2, -1, 0, 1, 2].map((value) => ({ value, label: String(10 ** value) })),
});

/** Tippett and calibration plots of CEDAR with five known signatures, for the documentation. */
function drawPictures(cases: readonly { set: string; size: number; cases: Case[] }[]): void {
  const of = (set: string, size: number) =>
    cases.find((one) => one.set === set && one.size === size)?.cases ?? [];
  const five = of('cedar', 5);
  const imitation = ratiosIn(five, 'imitation');
  const stranger = ratiosIn(five, 'stranger');
  const above = (values: readonly number[]) =>
    Array.from({ length: 81 }, (_, i) => (i - 40) / 20).map((x) => ({
      x,
      y: values.filter((value) => value >= x).length / values.length,
    }));
  const shares = {
    title: 'share of cases with this likelihood ratio or more',
    share: (value: number) => value / 1.25,
    ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: `${value * 100} %` })),
  };
  save(
    'signatures-tippett',
    drawChart('Tippett plot: CEDAR, five known signatures', { x: ratioAxis('likelihood ratio'), y: shares }, [
      { name: 'genuine, against imitation', points: above(imitation.genuine) },
      { name: 'imitations', points: above(imitation.other) },
      { name: 'other people, against another person', points: above(stranger.other) },
    ]),
  );
  const calibrated = (set: string, size: number) =>
    monotone(ratiosIn(of(set, size), 'imitation')).points.filter(({ y }) => Math.abs(y) <= 2);
  save(
    'signatures-calibration',
    drawChart(
      'Calibration of the likelihood ratio against imitation',
      { x: ratioAxis('stated likelihood ratio'), y: ratioAxis('likelihood ratio that the data show') },
      [
        { name: 'perfect', points: [-bound, bound].map((value) => ({ x: value, y: value })) },
        { name: 'CEDAR, five', points: calibrated('cedar', 5) },
        { name: 'across media, three', points: calibrated('crossmedia', 3) },
      ],
    ),
  );
}

function save(name: string, drawing: string): void {
  writeFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures', `${name}.svg`), drawing);
}
