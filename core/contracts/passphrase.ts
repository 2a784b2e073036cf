import { MIN_PASSPHRASE } from './dashboard/session.ts';
import { problem, type Problem } from './errors/problem.ts';

/** Runs of these, in either direction, count as one character of a passphrase. */
const RUNS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const LEAST_VARIETY = 6;

/**
 * Checks a new passphrase, in the service and in the form that asks for it. Length counts most (NIST SP 800-63B asks for
 * no mixture of character classes). Names, repetitions and keyboard runs are rejected because attackers try them first.
 * @param names of the operator and the company
 * @returns the problems of the passphrase; empty when it is accepted
 */
export function passphraseProblems(passphrase: string, names: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const text = passphrase.normalize('NFKC').toLowerCase();
  if (Array.from(text).length < MIN_PASSPHRASE)
    problems.push(problem('PASSPHRASE_TOO_SHORT', { least: MIN_PASSPHRASE }));
  const bare = names.reduce((rest, name) => rest.replaceAll(name.normalize('NFKC').toLowerCase(), ''), text);
  if (Array.from(bare).length < Math.min(MIN_PASSPHRASE, Array.from(text).length) / 2)
    problems.push(problem('PASSPHRASE_IS_NAME'));
  if (variety(text) < LEAST_VARIETY) problems.push(problem('PASSPHRASE_GUESSED'));
  return problems;
}

/** Counts the different characters that do not continue a run. */
function variety(text: string): number {
  const characters = Array.from(text);
  const seen = new Set<string>();
  for (const [index, character] of characters.entries()) {
    const pair = (characters[index - 1] ?? '') + character;
    const follows =
      pair.length === 2 &&
      RUNS.some((run) => run.includes(pair) || run.includes(Array.from(pair).reverse().join('')));
    if (!follows) seen.add(character);
  }
  return seen.size;
}
