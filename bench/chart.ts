/** Curves in a frame, as an SVG for the documentation. */

export interface Axis {
  title: string;
  /** Where a value lies between the ends of the axis, 0 to 1. */
  share: (value: number) => number;
  /** Lines of the grid, rising; the first is the end where the axes meet. `label` is the inside of an SVG text. */
  ticks: readonly { value: number; label: string }[];
}

export interface Line {
  name: string;
  points: readonly { x: number; y: number }[];
}

/** The drawing area, and the room around it for the words; all in units of the drawing. */
const AREA = { left: 70, top: 16, width: 540, height: 360 };
const SIZE = { width: 640, height: 430 };
/** Where the names of the curves begin: in the corner that no curve reaches. */
const KEY_LEFT = 256;
/** Told apart by tone and by dash, so that a print in grey shows them as well. */
const STROKES = [
  { colour: '#0b57a4', dash: 'none' },
  { colour: '#2b8a3e', dash: '9 4' },
  { colour: '#b3261e', dash: '2 4' },
] as const;

/** At most three lines. Points under the horizontal axis are left out. */
export function drawChart(title: string, { x, y }: { x: Axis; y: Axis }, lines: readonly Line[]): string {
  const across = (value: number) => AREA.left + AREA.width * x.share(value);
  const down = (value: number) => AREA.top + AREA.height * (1 - y.share(value));
  const path = ({ points }: Line) =>
    points
      .filter((point) => y.share(point.y) >= 0)
      .map((point, i) => `${i === 0 ? 'M' : 'L'}${across(point.x).toFixed(1)} ${down(point.y).toFixed(1)}`)
      .join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${SIZE.width}" height="${SIZE.height}" fill="#fff"/>`,
    ...x.ticks.flatMap(({ value, label }, i) => [
      `<path d="M${across(value)} ${AREA.top}V${AREA.top + AREA.height}" stroke="${gridTone(i)}"/>`,
      `<text x="${across(value)}" y="${AREA.top + AREA.height + 18}" text-anchor="middle">${label}</text>`,
    ]),
    ...y.ticks.flatMap(({ value, label }, i) => [
      `<path d="M${AREA.left} ${down(value)}H${AREA.left + AREA.width}" stroke="${gridTone(i)}"/>`,
      `<text x="${AREA.left - 8}" y="${down(value) + 4}" text-anchor="end">${label}</text>`,
    ]),
    ...lines.map((line, i) => `<path d="${path(line)}" fill="none" ${stroke(i)}/>`),
    ...lines.map(({ name }, i) => key(name, i)),
    `<text x="${AREA.left + AREA.width / 2}" y="${SIZE.height - 12}" text-anchor="middle">${x.title}</text>`,
    `<text transform="translate(18 ${AREA.top + AREA.height / 2}) rotate(-90)" text-anchor="middle">${y.title}</text>`,
    '</svg>',
    '',
  ].join('\n');
}

function gridTone(tick: number): string {
  return tick === 0 ? '#666' : '#ddd';
}

function stroke(line: number): string {
  const { colour, dash } = STROKES[line]!;
  return `stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"`;
}

function key(name: string, line: number): string {
  const top = AREA.top + 18 + 20 * line;
  return [
    `<path d="M${KEY_LEFT} ${top}h34" ${stroke(line)}/>`,
    `<text x="${KEY_LEFT + 42}" y="${top + 4}">${name}</text>`,
  ].join('');
}
