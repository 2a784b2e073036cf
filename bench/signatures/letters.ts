/** Letters in the manner of several scripts, each drawn by chance. */
import type { Chance } from './random.ts';

/** A target that the pen passes, in x-heights from the start of the letter on the base line, y upwards; `arc` bends the way there, radians. */
export interface Target {
  x: number;
  y: number;
  arc: number;
}

/** A stroke: the targets between two lifts of the pen. */
export type Trace = Target[];

export interface Letter {
  /** How far the next letter lies to the right; below 0 where one writes from right to left. */
  width: number;
  traces: Trace[];
  /** Whether the last trace may run on into the next letter. */
  joins: boolean;
}

/** Manners of writing; each is drawn by `LETTERS`. */
export const SCRIPTS = ['cursive', 'print', 'blocks', 'hanging', 'barred', 'flowing', 'scrawl'] as const;
export type Script = (typeof SCRIPTS)[number];
/** Scripts whose writers share one alphabet. A block character has too many forms, and a scrawl has no letters. */
export const ALPHABETIC: ReadonlySet<Script> = new Set<Script>([
  'cursive',
  'print',
  'hanging',
  'barred',
  'flowing',
]);

/** Height of a head line, x-heights. */
export const HEAD = 1.2;

export const LETTERS: Record<Script, (chance: Chance) => Letter> = {
  cursive,
  print,
  blocks,
  hanging,
  barred,
  flowing,
  scrawl,
};

/** Arches, bowls and loops on one line, sometimes up or down, sometimes dotted or crossed. */
function cursive(chance: Chance): Letter {
  const trace: Trace = [];
  let x = 0;
  const rise = chance.happens(0.25) ? chance.between(1.7, 2.6) : 1;
  const fall = chance.happens(0.18) ? -chance.between(0.7, 1.4) : 0;
  const bumps = chance.whole(1, 3);
  for (let i = 0; i < bumps; i++) {
    const step = chance.between(0.25, 0.5);
    const round = chance.between(-1.2, 2.2);
    trace.push({ x: x + step, y: i === 0 ? rise : chance.between(0.8, 1.1), arc: round });
    if (chance.happens(0.4))
      trace.push({ x: x + step * 0.3, y: chance.between(0.3, 0.7), arc: chance.between(0.8, 2.6) });
    trace.push({
      x: x + step * chance.between(0.7, 1.3),
      y: i === bumps - 1 ? fall : chance.between(-0.1, 0.1),
      arc: -round * chance.between(0.3, 1),
    });
    x += step * chance.between(1.1, 1.6);
  }
  if (fall < 0) trace.push({ x: x - 0.3, y: fall * 0.8, arc: 2.4 }, { x, y: 0.1, arc: 0.5 });
  const traces = [trace];
  if (chance.happens(0.12)) traces.push(dot(x * 0.5, 1.5 + chance.between(0, 0.4)));
  if (chance.happens(0.1))
    traces.push([
      { x: -0.2, y: 1.3, arc: 0 },
      { x: x + 0.3, y: 1.35, arc: 0.2 },
    ]);
  return { width: x + 0.25, traces, joins: true };
}

function dot(x: number, y: number): Trace {
  return [
    { x, y, arc: 0 },
    { x: x + 0.12, y: y - 0.1, arc: 0 },
  ];
}

/** A large first letter: a stem, a bowl, perhaps a sweep. */
export function capital(chance: Chance): Letter {
  const height = chance.between(1.8, 3);
  const width = chance.between(0.8, 1.8);
  const stem: Trace = [
    { x: chance.between(0, width), y: height, arc: 0 },
    { x: chance.between(-0.2, width * 0.5), y: chance.between(-0.3, 0.1), arc: chance.between(-0.8, 0.8) },
  ];
  if (chance.happens(0.5)) stem.push({ x: -0.4, y: height * 0.4, arc: -chance.between(1, 2.6) });
  const bowl: Trace = Array.from({ length: chance.whole(2, 5) }, (_, i) => ({
    x: chance.between(-0.2, width),
    y: i === 0 ? height * chance.between(0.7, 1.1) : chance.between(-0.1, height),
    arc: chance.between(-2.6, 2.6),
  }));
  if (chance.happens(0.5)) return { width, traces: [[...stem, ...bowl]], joins: chance.happens(0.6) };
  return { width, traces: [stem, bowl], joins: chance.happens(0.5) };
}

/** Separate letters of a few short strokes. */
function print(chance: Chance): Letter {
  const width = chance.between(0.5, 1);
  const tall = chance.happens(0.3) ? 1.9 : 1;
  const traces = Array.from({ length: chance.whole(1, 3) }, () =>
    Array.from({ length: chance.whole(2, 4) }, () => ({
      x: width * chance.pick([0, 0.1, 0.5, 0.9, 1]),
      y: tall * chance.pick([0, 0, 0.5, 1, 1]),
      arc: chance.happens(0.5) ? 0 : chance.between(-2.4, 2.4),
    })),
  );
  return { width: width + 0.3, traces: traces.filter(isDrawn), joins: chance.happens(0.3) };
}

/** Square characters of many short, nearly straight strokes. */
function blocks(chance: Chance): Letter {
  const strokes = chance.whole(4, 11);
  const traces: Trace[] = [];
  const halves = chance.happens(0.6) ? [0, 1.1] : [0];
  for (let i = 0; i < strokes; i++) {
    const left = chance.pick(halves);
    const span = halves.length > 1 ? 0.95 : 2;
    const x = left + span * chance.between(0, 0.4);
    const y = 2.2 * chance.between(0.1, 1);
    const kind = chance.next();
    if (kind < 0.42)
      traces.push(line(x, y, x + span * chance.between(0.4, 0.8), y + chance.between(-0.05, 0.25), 0.1));
    else if (kind < 0.62)
      traces.push(line(x + span * 0.3, y, x + span * 0.3, y - chance.between(0.5, 1.8), 0.1));
    else if (kind < 0.78)
      traces.push(line(x + span * 0.3, y, x - span * 0.2, y - chance.between(0.5, 1.4), -0.5));
    else if (kind < 0.9) traces.push(line(x, y, x + span * 0.5, y - chance.between(0.3, 1), 0.4));
    else
      traces.push([
        ...line(x, y, x + span * 0.6, y + 0.1, 0),
        { x: x + span * 0.55, y: y - chance.between(0.4, 1.2), arc: -0.3 },
        ...(chance.happens(0.5) ? [{ x: x + span * 0.35, y: y - 0.7, arc: 0.3 }] : []),
      ]);
  }
  return { width: 2.5, traces, joins: false };
}

export function line(x0: number, y0: number, x1: number, y1: number, arc: number): Trace {
  return [
    { x: x0, y: y0, arc: 0 },
    { x: x1, y: y1, arc },
  ];
}

/** In the manner of Devanagari: bowls and hooks at the left of a stem, under a head line that the word brings. */
function hanging(chance: Chance): Letter {
  const width = chance.between(0.7, 1.2);
  const traces: Trace[] = [];
  if (chance.happens(0.75))
    traces.push(line(width * 0.85, HEAD, width * 0.85, chance.between(-0.1, 0.05), 0));
  if (chance.happens(0.85))
    traces.push(
      Array.from({ length: chance.whole(2, 4) }, () => ({
        x: width * chance.between(0, 0.85),
        y: chance.between(0, 1.1),
        arc: chance.between(-2.5, 2.5),
      })),
    );
  if (chance.happens(0.25))
    traces.push(line(width * 0.4, HEAD, width * 0.9, chance.between(1.7, 2.1), chance.between(-2, 2)));
  if (chance.happens(0.15)) traces.push(line(width * 0.5, -0.2, width * 0.2, -0.8, chance.between(-2, 2)));
  return {
    width,
    traces: traces.length > 0 ? traces : [line(width / 2, HEAD, width / 2, 0, 0)],
    joins: false,
  };
}

/** In the manner of Bengali: angular letters, each with its own piece of the head line or without one. */
function barred(chance: Chance): Letter {
  const width = chance.between(0.7, 1.2);
  const traces: Trace[] = [];
  if (chance.happens(0.75)) traces.push(line(-0.1, HEAD, width + 0.15, HEAD, 0));
  if (chance.happens(0.65))
    traces.push(line(width * 0.85, HEAD, width * 0.85, chance.between(-0.1, 0.05), 0));
  const left = chance.between(0, 0.25) * width;
  traces.push([
    { x: width * 0.85, y: HEAD * chance.between(0.7, 1), arc: 0 },
    { x: left, y: chance.between(0.4, 0.8), arc: chance.between(-0.5, 0.3) },
    { x: width * 0.85, y: chance.between(0, 0.4), arc: chance.between(-0.3, 0.6) },
    ...(chance.happens(0.4)
      ? [{ x: width * 0.4, y: chance.between(0.1, 0.5), arc: chance.between(-2.5, 2.5) }]
      : []),
  ]);
  if (chance.happens(0.25))
    traces.push(line(width * 0.2, HEAD, width * 0.7, chance.between(1.6, 2), chance.between(-2, 2)));
  if (chance.happens(0.2)) traces.push(dot(width * 0.5, -0.4));
  return { width, traces, joins: false };
}

/** Low teeth and bowls on one long line, written from right to left, with dots above and below. */
function flowing(chance: Chance): Letter {
  const width = chance.between(0.5, 1.6);
  const kind = chance.next();
  const trace: Trace = [{ x: 0, y: 0, arc: 0 }];
  if (kind < 0.4)
    trace.push({ x: -width * 0.4, y: chance.between(0.3, 0.6), arc: 0.4 }, { x: -width, y: 0, arc: 0.8 });
  else if (kind < 0.6) trace.push({ x: -width, y: 0, arc: chance.between(-0.2, 0.2) });
  else if (kind < 0.8)
    trace.push(
      { x: -width * 0.3, y: -chance.between(0.5, 1), arc: -0.8 },
      { x: -width, y: chance.between(-0.1, 0.3), arc: -chance.between(1.2, 2.4) },
    );
  else
    trace.push(
      { x: -width * 0.2, y: chance.between(1.4, 2.2), arc: 0.2 },
      { x: -width * 0.4, y: 0, arc: chance.between(-0.3, 0.3) },
      { x: -width, y: 0, arc: 0.2 },
    );
  const traces = [trace];
  const side = chance.happens(0.6) ? chance.between(0.8, 1.2) : -chance.between(0.5, 1);
  if (chance.happens(0.5))
    for (let i = chance.whole(1, 3); i > 0; i--) traces.push(dot(-width * 0.5 + 0.25 * (i - 2), side));
  return { width: -width, traces, joins: true };
}

/** No letters any more: a few large, fast sweeps. */
function scrawl(chance: Chance): Letter {
  const width = chance.between(1, 3);
  const trace = Array.from({ length: chance.whole(3, 8) }, (_, i) => ({
    x: (width * i) / 8 + chance.normal(width * 0.3),
    y: chance.between(-0.8, 2.5),
    arc: chance.between(-2.6, 2.6),
  }));
  return { width, traces: [trace], joins: true };
}

function isDrawn(trace: Trace): boolean {
  return trace.some((target) => Math.hypot(target.x - trace[0]!.x, target.y - trace[0]!.y) > 0.2);
}
