/** Hands: how a person writes a name, how that changes from day to day, and how another person imitates it. */
import type { Chance } from './random.ts';
import type { Letter, Target, Trace } from './letters.ts';
import type { Name } from './names.ts';
import { movePen } from './pen.ts';
import type { Movement, Path } from './pen.ts';

/** A signature as its owner means it: traces in place, with how they move. */
export interface Signature {
  traces: { targets: Target[]; movement: Movement; flourish: boolean; word: number }[];
  /** How steady the owner is: standard deviation of a target, in x-heights. */
  steadiness: number;
  /** How much the whole and its words change from one time to the next, relative. */
  looseness: number;
}

/** Develops a person's signature of a name. Two calls with other chance are two persons with the same name. */
export function developSignature(name: Name, chance: Chance): Signature {
  const slant = chance.normal(0.25) + (name.script === 'cursive' ? 0.25 : 0);
  const letterWidth = chance.around(1, 0.2);
  const spacing = chance.between(0, 0.35);
  const wordGap = chance.between(0.3, 1.4);
  const joined =
    name.script === 'cursive' || name.script === 'scrawl' || name.script === 'flowing'
      ? chance.between(0.5, 1)
      : chance.between(0, 0.4);
  const personal = chance.around(0.14, 0.4);
  const roundness = chance.around(1, 0.25);
  const movement = { overlap: chance.between(0.5, 0.95), sigma: chance.between(0.2, 0.35) };
  const forms = new Map<Letter, Letter>();
  const traces: Signature['traces'] = [];
  let x = 0;
  name.words.forEach((word, index) => {
    let lifted = true;
    for (const letter of word) {
      const own = forms.get(letter) ?? personalForm(letter, personal, roundness, chance);
      forms.set(letter, own);
      own.traces.forEach((trace, part) => {
        const targets = trace.map((t) => ({ x: x + (t.x + slant * t.y) * letterWidth, y: t.y, arc: t.arc }));
        const last = traces.at(-1);
        if (part === 0 && !lifted && last) last.targets.push(...targets);
        else traces.push({ targets, movement, flourish: false, word: index });
      });
      lifted = own.traces.length > 1 || !own.joins || !chance.happens(joined);
      x += own.width * letterWidth + Math.sign(own.width) * spacing;
    }
    x += name.script === 'flowing' ? -wordGap : wordGap;
  });
  if (!name.plain) addFlourishes(traces, x, chance);
  return { traces, steadiness: chance.around(0.09, 0.45), looseness: chance.around(0.07, 0.45) };
}

function personalForm(letter: Letter, personal: number, roundness: number, chance: Chance): Letter {
  const change = (t: Target): Target => ({
    x: t.x + chance.normal(personal),
    y: t.y + chance.normal(personal),
    arc: clampArc(t.arc * roundness + chance.normal(0.25)),
  });
  return { ...letter, traces: letter.traces.map((trace) => trace.map(change)) };
}

/** Underlines, sweeps out of the last letter, strokes through: long, fast, and the least steady part of a signature. */
function addFlourishes(traces: Signature['traces'], width: number, chance: Chance): void {
  const movement = { overlap: 0.8, sigma: 0.3 };
  const word = traces.at(-1)?.word ?? 0;
  const add = (targets: Trace) => traces.push({ targets, movement, flourish: true, word });
  if (chance.happens(0.25)) {
    const y = chance.between(-1.6, -0.4);
    const targets = [
      { x: width * chance.between(-0.1, 0.3), y, arc: 0 },
      { x: width * chance.between(0.8, 1.3), y: y + chance.normal(0.4), arc: chance.normal(0.4) },
    ];
    if (chance.happens(0.4))
      targets.push({
        x: width * chance.between(0, 0.5),
        y: y - chance.between(0.1, 0.8),
        arc: chance.between(-2.5, 2.5),
      });
    add(targets);
  }
  if (chance.happens(0.3)) {
    const last = traces.filter((trace) => !trace.flourish).at(-1);
    const end = last?.targets.at(-1) ?? { x: width, y: 0 };
    const targets = [{ ...end, arc: 0 }];
    for (let i = chance.whole(1, 3); i > 0; i--)
      targets.push({
        x: end.x + chance.between(-0.6, 0.8) * width * 0.7,
        y: chance.between(-2.2, 2.6),
        arc: chance.between(-2.5, 2.5),
      });
    add(targets);
  }
  if (chance.happens(0.1))
    add([
      { x: width * chance.between(-0.2, 0.2), y: chance.between(0, 1), arc: 0 },
      { x: width * chance.between(0.7, 1.2), y: chance.between(0.2, 2), arc: chance.normal(0.5) },
    ]);
}

const clampArc = (arc: number) => Math.max(-2.9, Math.min(2.9, arc));

/** How the targets of one performance depart from the plan. */
interface Departure {
  /** Standard deviation of targets in x-heights, of arcs in radians. */
  target: number;
  arc: number;
  /** Relative change of the size and place of words, and of the whole's proportions. */
  word: number;
  whole: number;
  /** How much more the flourishes depart. */
  flourish: number;
  /** Probability that a target is passed over, or a trace broken in two. */
  skip: number;
  lift: number;
  tremor: number;
  movement: (own: Movement) => Movement;
}

/** The owner signs once more. */
export function sign(signature: Signature, chance: Chance): Path[] {
  const { steadiness, looseness } = signature;
  const mood = chance.around(1, 0.3);
  const speed = chance.around(1, 0.08);
  return perform(signature, chance, {
    target: steadiness * mood,
    arc: 1.6 * steadiness * mood,
    word: looseness * mood,
    whole: looseness * mood,
    flourish: chance.between(2, 5),
    skip: 0.012 * mood,
    lift: 0.02,
    tremor: 0.004,
    movement: (own) => ({ overlap: own.overlap * speed, sigma: own.sigma * chance.around(1, 0.06) }),
  });
}

/**
 * Another writer imitates what they see: every target is a little off, slower, with less flow, and with habits of their own.
 * `skill`: 0 writes the name by its letters, 1 traces nearly as steadily as the owner.
 */
export function imitate(signature: Signature, skill: number, chance: Chance): Path[] {
  const off = 1.1 + 2 * (1 - skill);
  const slant = chance.normal(0.08 + 0.16 * (1 - skill));
  const habit = chance.normal(0.12 + 0.25 * (1 - skill));
  const seen: Signature = {
    ...signature,
    traces: signature.traces.map((trace) => ({
      ...trace,
      targets: trace.targets.map((t) => ({
        x: t.x + slant * t.y,
        y: t.y,
        arc: clampArc(t.arc * (1 + habit)),
      })),
    })),
  };
  const base = Math.max(0.075, signature.steadiness);
  return perform(seen, chance, {
    target: base * off * chance.around(1, 0.2),
    arc: (0.16 + 1.6 * base) * off,
    word: 0.05 + 0.09 * (1 - skill) + signature.looseness * 0.6,
    whole: 0.04 + 0.1 * (1 - skill) + signature.looseness * 0.6,
    flourish: chance.between(1.5, 3.5),
    skip: 0.02 + 0.03 * (1 - skill),
    lift: 0.04 + 0.05 * (1 - skill),
    tremor: chance.between(0.003, 0.016),
    movement: (own) => ({
      overlap: Math.min(1, own.overlap * chance.between(0.95, 1.3)),
      sigma: chance.between(0.18, 0.34),
    }),
  });
}

function perform(signature: Signature, chance: Chance, departure: Departure): Path[] {
  const placeOf = wordPlaces(signature, chance, departure);
  const stretchX = chance.around(1, departure.whole);
  const shear = chance.normal(departure.whole);
  const paths: Path[] = [];
  for (const trace of signature.traces) {
    const place = placeOf(trace.word);
    const much = trace.flourish ? departure.flourish : 1;
    const drift = { x: chance.normal(departure.target * much), y: chance.normal(departure.target * much) };
    const targets = trace.targets
      .filter((_, i) => i === 0 || i === trace.targets.length - 1 || !chance.happens(departure.skip))
      .map((t) => ({
        x:
          place.x +
          (t.x - place.x) * place.size +
          shear * t.y +
          drift.x +
          chance.normal(departure.target * much),
        y: t.y * place.size + place.y + drift.y + chance.normal(departure.target * much),
        arc: clampArc(t.arc + chance.normal(departure.arc * Math.min(2, much))),
      }))
      .map((t) => ({ ...t, x: t.x * stretchX }));
    const movement = departure.movement(trace.movement);
    for (const part of broken(targets, departure.lift, chance)) {
      const moves = part.map(() => ({ ...movement, overlap: movement.overlap * chance.around(1, 0.05) }));
      paths.push(trembling(movePen(part, moves), departure.tremor, chance));
    }
  }
  return paths;
}

/** Where each word goes: its own size, and pushed along and up or down. */
function wordPlaces(
  signature: Signature,
  chance: Chance,
  departure: Departure,
): (word: number) => { x: number; y: number; size: number } {
  const starts = new Map<number, { x: number; y: number; size: number }>();
  for (const trace of signature.traces) {
    if (starts.has(trace.word)) continue;
    const x = trace.targets[0]!.x;
    starts.set(trace.word, {
      x: x + chance.normal(2.5 * departure.word),
      y: chance.normal(1.2 * departure.word),
      size: chance.around(1, departure.word),
    });
  }
  return (word) => starts.get(word) ?? { x: 0, y: 0, size: 1 };
}

function broken(targets: Target[], probability: number, chance: Chance): Target[][] {
  const parts: Target[][] = [];
  let part: Target[] = [];
  targets.forEach((target, i) => {
    part.push(target);
    if (part.length > 1 && i < targets.length - 2 && chance.happens(probability)) {
      parts.push(part);
      part = [{ ...target, x: target.x + chance.normal(0.05), arc: 0 }];
    }
  });
  parts.push(part);
  return parts.filter((one) => one.length > 1);
}

/** Adds slow noise along a path: a few samples wide, `size` x-heights large. */
function trembling(path: Path, size: number, chance: Chance): Path {
  let x = 0;
  let y = 0;
  return path.map((value, i) => {
    if (i % 2 === 0) {
      x = 0.8 * x + chance.normal(size);
      y = 0.8 * y + chance.normal(size);
    }
    return value + (i % 2 === 0 ? x : y);
  });
}
