/** Invented names: what is written, before a hand writes it. */
import { Chance } from './random.ts';
import { ALPHABETIC, capital, HEAD, LETTERS, line } from './letters.ts';
import type { Letter, Script } from './letters.ts';

export interface Name {
  script: Script;
  words: Letter[][];
  /** Written out in full, as in a register: two or three whole words, and no flourish. */
  plain: boolean;
}

/** How often each script is drawn, when none is named. */
const USUAL: readonly Script[] = [
  'cursive',
  'cursive',
  'cursive',
  'print',
  'blocks',
  'hanging',
  'hanging',
  'barred',
  'flowing',
  'scrawl',
];

/** Letters of an alphabet that all writers of a script share. */
const ALPHABET = 32;
const ALPHABETS: ReadonlyMap<Script, readonly Letter[]> = new Map(
  Array.from(ALPHABETIC, (script, index) => {
    const chance = new Chance(7000 + index);
    return [script, Array.from({ length: ALPHABET }, () => LETTERS[script](chance))];
  }),
);
const capitalChance = new Chance(7100);
const CAPITALS: readonly Letter[] = Array.from({ length: ALPHABET }, () => capital(capitalChance));

/** Share of the names that are written out in full, in the scripts that have letters. */
const PLAIN = 0.4;

/**
 * @param script drawn by chance unless named
 * @param wanted whether the name is written out in full, if its script has letters; drawn by chance unless named
 */
export function inventName(
  chance: Chance,
  script = chance.pick(USUAL),
  wanted = chance.happens(PLAIN),
): Name {
  const shared = ALPHABETS.get(script);
  const alphabet = shared ?? Array.from({ length: 9 }, () => LETTERS[script](chance));
  const plain = wanted && shared !== undefined;
  const count = shared ? (plain ? chance.whole(2, 3) : chance.whole(1, 3)) : 1;
  const words = Array.from({ length: count }, () => {
    const length = plain ? chance.whole(4, 7) : lettersIn(script, chance);
    const letters = Array.from({ length }, () => chance.pick(alphabet));
    if (script === 'cursive' || script === 'print') letters[0] = chance.pick(CAPITALS);
    return script === 'hanging' ? underOneLine(letters) : letters;
  });
  return { script, words, plain };
}

/** A name of so many letters in each of its words, at most two, in a script with an alphabet. */
function shortName(chance: Chance, script: Script, lengths: readonly number[]): Name {
  const name = inventName(chance, script, true);
  return { ...name, words: lengths.map((length, i) => name.words[i]!.slice(0, length)) };
}

/** Initials and other names that are nearly as simple as a mark. */
export const SHORT_NAMES: Readonly<Record<string, (chance: Chance) => Name>> = {
  'two letters, cursive': (chance) => shortName(chance, 'cursive', [2]),
  'two initials, print': (chance) => shortName(chance, 'print', [1, 1]),
  'three and two letters, print': (chance) => shortName(chance, 'print', [3, 2]),
  'three letters, flowing': (chance) => shortName(chance, 'flowing', [3]),
  'three letters under a line': (chance) => shortName(chance, 'hanging', [3]),
  'three letters, barred': (chance) => shortName(chance, 'barred', [3]),
  'two or three block characters': (chance) => inventName(chance, 'blocks'),
};

/** The middle of the spacing that writers choose, x-heights. */
const MEAN_SPACING = 0.17;

/** A word whose last letter brings the head line, drawn over all of them at once. */
function underOneLine(letters: readonly Letter[]): Letter[] {
  const before = letters.slice(0, -1).reduce((sum, { width }) => sum + width + MEAN_SPACING, 0);
  const last = letters.at(-1)!;
  const head = [...line(-before - 0.1, HEAD, -before / 2, HEAD, 0), { x: last.width + 0.1, y: HEAD, arc: 0 }];
  return [...letters.slice(0, -1), { ...last, traces: [...last.traces, head] }];
}

function lettersIn(script: Script, chance: Chance): number {
  if (script === 'blocks') return chance.whole(2, 3);
  if (script === 'scrawl') return chance.whole(2, 5);
  return chance.happens(0.25) ? chance.whole(1, 2) : chance.whole(3, 7);
}
