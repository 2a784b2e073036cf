/**
 * Drawn people for pictures of the screens. A person is a number; another photo of them is another
 * framing, light and tilt. Everything follows from the two numbers, so pictures of the screens stay the same.
 */

export interface DrawnPhoto {
  width: number;
  height: number;
  box: { x: number; y: number; width: number; height: number };
  eyes: [{ x: number; y: number }, { x: number; y: number }];
  svg: string;
  /** The aligned face: eyes on one line, 160 by 160. */
  thumbnail: string;
}

const SKIN = ['#f2d2b8', '#e5b894', '#c98f66', '#a66f47', '#7d4f33', '#5b3823'];
const HAIR = ['#17120f', '#2e2019', '#4a3021', '#6e4a2a', '#8d8a88', '#a5713a'];
const CLOTH = ['#2f4858', '#5b3a4b', '#3c5a40', '#4d4d5e', '#7a5c3b', '#27435f'];
const WALL = ['#c9d3da', '#d8d2c6', '#bcc7c1', '#d5cdd6', '#c5cbd8'];
const SIZE = { width: 600, height: 760 };

/** A stream of numbers from 0 to 1 that is always the same for a seed (mulberry32). */
function stream(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = <T>(list: readonly T[], at: number): T => list[Math.floor(at * list.length) % list.length]!;

/** The head in its own coordinates: eyes at (±46, 0), chin near y = 140. */
function head(person: number): string {
  const next = stream(person * 7919 + 13);
  const skin = pick(SKIN, next());
  const hair = pick(HAIR, next());
  const cloth = pick(CLOTH, next());
  const wide = 96 + next() * 20;
  const long = 128 + next() * 18;
  const eye = 10 + next() * 4;
  const brow = -22 - next() * 7;
  const nose = 48 + next() * 14;
  const mouth = 84 + next() * 8;
  const lips = 26 + next() * 12;
  const style = Math.floor(next() * 4);
  const iris = pick(['#3b2a1c', '#4d6a7d', '#5b6b3e', '#2a1d14'], next());
  const beard = next() > 0.7 && style < 2;
  const glasses = next() > 0.78;
  const long1 = style > 1 ? 190 : 30;
  return `
  <path d="M-210 420 C-200 270 -110 235 -46 222 L46 222 C110 235 200 270 210 420 Z" fill="${cloth}"/>
  <path d="M${-wide - 22} ${long1} C${-wide - 40} -150 ${-wide * 0.6} -190 0 -188 C${wide * 0.6} -190 ${wide + 40} -150 ${wide + 22} ${long1} Z" fill="${hair}"/>
  <path d="M-46 120 L-50 236 Q0 270 50 236 L46 120 Z" fill="${skin}"/><path d="M-46 120 L-49 190 Q0 200 49 190 L46 120 Z" fill="#000" opacity=".16"/>
  <ellipse cx="${-wide}" cy="14" rx="14" ry="26" fill="${skin}"/><ellipse cx="${wide}" cy="14" rx="14" ry="26" fill="${skin}"/>
  <path d="M${-wide} -40 C${-wide} -150 ${wide} -150 ${wide} -40 C${wide + 4} 60 ${wide * 0.62} ${long + 22} 0 ${long + 24} C${-wide * 0.62} ${long + 22} ${-wide - 4} 60 ${-wide} -40 Z" fill="${skin}"/>
  <path d="M20 -110 C${wide} -110 ${wide} -20 ${wide - 4} 20 C${wide - 12} 90 ${wide * 0.5} ${long + 10} 12 ${long + 22} C60 80 60 -20 20 -110 Z" fill="#000" opacity=".07"/>
  ${beard ? `<path d="M${-wide + 2} 40 C${-wide * 0.8} ${long + 20} ${wide * 0.8} ${long + 20} ${wide - 2} 40 C${wide * 0.7} 76 ${lips} 66 0 68 C${-lips} 66 ${-wide * 0.7} 76 ${-wide + 2} 40 Z" fill="${hair}" opacity=".85"/>` : ''}
  <path d="M${-wide} -34 C${-wide * 0.9} -170 ${wide * 0.9} -170 ${wide} -34 C${wide * 0.7} ${-88 - style * 6} ${style % 2 === 0 ? 20 : -40} -104 ${-wide * 0.3} -92 C${-wide * 0.7} -82 ${-wide * 0.9} -60 ${-wide} -34 Z" fill="${hair}"/>
  ${[-46, 46]
    .map(
      (
        x,
      ) => `<ellipse cx="${x}" cy="0" rx="19" ry="${eye}" fill="#fbf8f4"/><circle cx="${x}" cy="0" r="${eye * 0.86}" fill="${iris}"/><circle cx="${x}" cy="0" r="${eye * 0.4}" fill="#0b0806"/><circle cx="${x + 3}" cy="-3" r="2.4" fill="#fff"/>
  <path d="M${x - 22} 1 Q${x} ${-eye * 1.9} ${x + 22} 1" fill="none" stroke="#23160f" stroke-width="4" stroke-linecap="round"/>
  <path d="M${x - 26} ${brow + 6} Q${x} ${brow - 10} ${x + 26} ${brow + 4}" fill="none" stroke="${hair}" stroke-width="8" stroke-linecap="round"/>`,
    )
    .join('')}
  <path d="M-8 6 Q-14 ${nose} -20 ${nose + 4} Q0 ${nose + 18} 20 ${nose + 4}" fill="none" stroke="#3a1f12" stroke-opacity=".4" stroke-width="5" stroke-linecap="round"/>
  <path d="M${-lips} ${mouth} Q0 ${mouth + 15} ${lips} ${mouth} Q0 ${mouth - 8} ${-lips} ${mouth} Z" fill="#a4524a"/>
  <path d="M${-lips} ${mouth} Q0 ${mouth + 5} ${lips} ${mouth}" fill="none" stroke="#5e2722" stroke-width="2.5"/>
  ${glasses ? `<g fill="none" stroke="#1b1b1f" stroke-width="5"><rect x="-76" y="-22" width="60" height="46" rx="16"/><rect x="16" y="-22" width="60" height="46" rx="16"/><path d="M-16 -4 Q0 -12 16 -4"/></g>` : ''}`;
}

/** A photo of a person; `photo` 0 is the plain one, others differ in framing, tilt and light. */
export function drawPhoto(person: number, photo = 0): DrawnPhoto {
  const next = stream(person * 31 + photo * 101 + 5);
  const loose = photo === 0 ? 0.25 : 1;
  const scale = 1.15 + (next() - 0.5) * 0.5 * loose;
  const tilt = (next() - 0.5) * 16 * loose;
  const centre = { x: 300 + (next() - 0.5) * 90 * loose, y: 320 + (next() - 0.5) * 70 * loose };
  const light = 1 + (next() - 0.5) * 0.5 * loose;
  const radians = (tilt * Math.PI) / 180;
  const place = (x: number, y: number) => ({
    x: centre.x + scale * (Math.cos(radians) * x - Math.sin(radians) * y),
    y: centre.y + scale * (Math.sin(radians) * x + Math.cos(radians) * y),
  });
  const face = head(person);
  const shade =
    light < 1
      ? `<rect width="600" height="760" fill="#000" opacity="${((1 - light) * 0.9).toFixed(2)}"/>`
      : '';
  const wall = pick(WALL, next());
  return {
    ...SIZE,
    box: { x: centre.x - 112 * scale, y: centre.y - 110 * scale, width: 224 * scale, height: 270 * scale },
    eyes: [place(-46, 0), place(46, 0)],
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="760" viewBox="0 0 600 760"><defs><linearGradient id="w" x2="1" y2="1"><stop stop-color="${wall}"/><stop offset="1" stop-color="${wall}" stop-opacity=".62"/></linearGradient></defs><rect width="600" height="760" fill="#8d99a3"/><rect width="600" height="760" fill="url(#w)"/><g transform="translate(${centre.x} ${centre.y}) rotate(${tilt}) scale(${scale})">${face}</g>${shade}</svg>`,
    thumbnail: `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="160" viewBox="-150 -122 300 300"><rect x="-150" y="-122" width="300" height="300" fill="${wall}"/>${face}</svg>`,
  };
}
