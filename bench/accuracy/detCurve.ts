/** The detection error trade-off (DET, ISO/IEC 19795-1) as a drawing: false non-match rate over false match rate. */
import { detCurve, type DetPoint } from '../../core/domain/calibration/det.ts';
import type { Comparisons } from './comparisons.ts';

export interface Curve {
  name: string;
  /** Rising false match rate; both are shares. */
  points: readonly DetPoint[];
}

/** The curve of all comparisons. */
export function curveOf(name: string, { mated, nonMated }: Comparisons): Curve {
  return { name, points: detCurve(mated.distance, nonMated.distance.toSorted()).reverse() };
}

/** The drawing area, and the room around it for the words; all in units of the drawing. */
const AREA = { left: 70, top: 16, width: 540, height: 360 };
const SIZE = { width: 640, height: 430 };
/** Where the names of the curves begin: in the corner that no curve reaches. */
const KEY_LEFT = 256;
/** Decades that the axes show. */
const FMR_DECADES = [-6, -1] as const;
const FNMR_DECADES = [-3, 0] as const;
/** Told apart by tone and by dash, so that a print in grey shows them as well. */
const STROKES = [
  { colour: '#0b57a4', dash: 'none' },
  { colour: '#2b8a3e', dash: '9 4' },
  { colour: '#b3261e', dash: '2 4' },
] as const;

/** An SVG with both axes logarithmic; a curve ends where it would leave the area. At most three curves. */
export function drawDet(title: string, curves: readonly Curve[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${SIZE.width}" height="${SIZE.height}" fill="#fff"/>`,
    ...grid(),
    ...curves.map((curve, i) => line(curve, STROKES[i]!)),
    ...curves.map(({ name }, i) => key(name, i)),
    `<text x="${AREA.left + AREA.width / 2}" y="${SIZE.height - 12}" text-anchor="middle">false match rate</text>`,
    `<text transform="translate(18 ${AREA.top + AREA.height / 2}) rotate(-90)" text-anchor="middle">false non-match rate</text>`,
    '</svg>',
    '',
  ].join('\n');
}

function x(fmr: number): number {
  return AREA.left + (AREA.width * (Math.log10(fmr) - FMR_DECADES[0])) / (FMR_DECADES[1] - FMR_DECADES[0]);
}

function y(fnmr: number): number {
  const up = (Math.log10(fnmr) - FNMR_DECADES[0]) / (FNMR_DECADES[1] - FNMR_DECADES[0]);
  return AREA.top + AREA.height * (1 - up);
}

function grid(): string[] {
  const decades = ([from, to]: readonly [number, number]) =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const stroke = (decade: number, end: number) => (decade === end ? '#666' : '#ddd');
  return [
    ...decades(FMR_DECADES).flatMap((decade) => {
      const at = x(10 ** decade);
      return [
        `<path d="M${at} ${AREA.top}V${AREA.top + AREA.height}" stroke="${stroke(decade, FMR_DECADES[0])}"/>`,
        `<text x="${at}" y="${AREA.top + AREA.height + 18}" text-anchor="middle">10<tspan dy="-5" font-size="9">${decade}</tspan></text>`,
      ];
    }),
    ...decades(FNMR_DECADES).flatMap((decade) => {
      const at = y(10 ** decade);
      const percent = 100 * 10 ** decade;
      return [
        `<path d="M${AREA.left} ${at}H${AREA.left + AREA.width}" stroke="${stroke(decade, FNMR_DECADES[0])}"/>`,
        `<text x="${AREA.left - 8}" y="${at + 4}" text-anchor="end">${Number(percent.toPrecision(1))} %</text>`,
      ];
    }),
  ];
}

function line({ points }: Curve, { colour, dash }: (typeof STROKES)[number]): string {
  const shown = points.filter(({ fnmr }) => fnmr >= 10 ** FNMR_DECADES[0]);
  const path = shown.map(
    ({ fmr, fnmr }, i) => `${i === 0 ? 'M' : 'L'}${x(fmr).toFixed(1)} ${y(fnmr).toFixed(1)}`,
  );
  return `<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`;
}

function key(name: string, place: number): string {
  const top = AREA.top + 18 + 20 * place;
  const { colour, dash } = STROKES[place]!;
  return [
    `<path d="M${KEY_LEFT} ${top}h34" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`,
    `<text x="${KEY_LEFT + 42}" y="${top + 4}">${name}</text>`,
  ].join('');
}
