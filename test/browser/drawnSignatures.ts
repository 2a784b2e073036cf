/** Drawn signatures for pictures of the screens. */

export const INK_SIZE = { width: 600, height: 260 };
/** The strokes of an invented name. */
const SCRIBBLE = [
  'M60 180 C80 60 120 40 130 120 C136 170 110 200 150 150 C180 112 190 120 186 152 C184 176 204 172 220 146',
  'M220 146 C240 118 256 120 250 152 C248 172 268 170 284 148 C300 126 316 122 310 150 C306 172 330 170 352 140',
  'M352 140 C372 70 390 60 384 120 C380 160 372 190 396 168 C430 136 440 132 470 150 C500 166 520 160 546 138',
  'M120 214 C240 196 400 198 520 206',
];

/** The same name on another day: `variation` bends it a little. */
export function drawnSignature(variation: number, ink = '#1b2a4a', paper = '#f6f3ea'): string {
  const { width, height } = INK_SIZE;
  const bend = `translate(${variation * 10} ${variation * -8}) rotate(${variation * 2.5} 300 130) scale(${1 - variation * 0.03} ${1 + variation * 0.04})`;
  const paths = SCRIBBLE.map((d) => `<path d="${d}"/>`).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${paper}"/><g fill="none" stroke="${ink}" stroke-width="${4 + variation}" stroke-linecap="round" transform="${bend}">${paths}</g></svg>`;
}

/** The signature as a matcher shows it: clean strokes on white. */
export function drawnInk(variation = 0) {
  const svg = drawnSignature(variation, '#333', '#fff');
  return { url: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, ...INK_SIZE };
}
