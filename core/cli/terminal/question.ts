import { createInterface } from 'node:readline/promises';
import { CliError } from './output.ts';

/** Asks a person at the terminal. @throws {CliError} the answer is neither yes nor no */
export async function answersYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await lines.question(`${question} (yes/no) `)).trim().toLowerCase();
    if (answer === 'yes' || answer === 'no') return answer === 'yes';
    throw new CliError('The answer must be yes or no. Nothing was changed.');
  } finally {
    lines.close();
  }
}
