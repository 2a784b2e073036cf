import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { CliError } from './output.ts';
import { standardOutput } from './standardOutput.ts';
import type { Terminal } from './terminal.ts';
import { writeAtomically, writeStream } from './atomicWrite.ts';

/** A secret that is shown once. This process created it; the installation does not know it yet. */
export interface Secret {
  /** The text for the standard output or the file: the secret alone, without an explanation. */
  text: string;
  /** The same with `--json`. */
  json: object;
  /** The part that a person at a terminal types back, which shows that they wrote it down. */
  typedBack?: string;
}

export interface SecretOptions {
  output?: string;
  /** false: `--no-confirm` */
  confirm?: boolean;
}

/** Only for secrets that are printed on paper. */
export const NO_CONFIRM = ['--no-confirm', 'do not ask for the last characters of the secret'] as const;

/** Adds the option that writes a secret to a file. */
export function withOutput(command: Command): Command {
  return command.option(
    '--output <file>',
    'write the secret to this new file, which only this account can read',
  );
}

/**
 * Shows a secret and activates it only after it was written; where it goes to a file, after the disk has it. A secret that
 * could not be written, or whose command ended before that, stays inactive because the installation never stored it.
 * @param store activates the secret @returns the result of `store`
 * @throws {CliError} the secret could not be written or stored, and is not active
 */
export async function showOnce<T>(
  terminal: Terminal,
  secret: Secret,
  { output, confirm }: SecretOptions,
  store: () => Promise<T>,
): Promise<T> {
  if (output === undefined) {
    const text = terminal.isJson() ? JSON.stringify(secret.json, null, 2) : secret.text;
    await standardOutput.deliver(`${text}\n`).catch((cause: unknown) => {
      throw withNote(cause, 'The secret is not active.');
    });
    if (secret.typedBack !== undefined && confirm !== false) await typedBack(secret.typedBack);
    return store().catch((cause: unknown) => {
      throw withNote(cause, 'The secret that was shown is not active.');
    });
  }
  await writeAtomically(output, (partial) => writeStream(partial, [Buffer.from(`${secret.text}\n`)]));
  try {
    return await store();
  } catch (cause) {
    await rm(output, { force: true });
    throw cause;
  }
}

/** Asks only at a terminal, where a person sees the secret and can type. */
async function typedBack(expected: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (let tries = 3; tries > 0; tries -= 1) {
      const typed = await lines.question(`Write it down. Then type its last ${expected.length} characters: `);
      if (typed.trim().toUpperCase() === expected) return;
    }
  } finally {
    lines.close();
  }
  throw new CliError(
    'Those are not the last characters. The secret that was shown is not active. Run the command again.',
  );
}

function withNote(cause: unknown, note: string): unknown {
  return cause instanceof CliError ? new CliError(`${cause.message} ${note}`, cause.exitCode) : cause;
}
