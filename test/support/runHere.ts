import { mock } from 'node:test';
import { runProgram } from '../../core/cli/run.ts';
import { standardOutput } from '../../core/cli/terminal/standardOutput.ts';

/**
 * `vouch <args>` in this process, which saves the start of a program; one at a time, because it takes the console.
 * @returns exit code, and what it printed
 */
export async function runHere(
  home: string,
  args: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const mocks = [
    mock.method(console, 'log', (text: string) => (stdout += `${text}\n`)),
    mock.method(console, 'error', (text: string) => (stderr += `${text}\n`)),
    // Secrets go past the console.
    mock.method(standardOutput, 'deliver', (text: string) => {
      stdout += text;
      return Promise.resolve();
    }),
  ];
  try {
    process.exitCode = undefined;
    return { code: await runProgram(['--home', home, ...args]), stdout, stderr };
  } finally {
    process.exitCode = undefined;
    for (const each of mocks) each.mock.restore();
  }
}
