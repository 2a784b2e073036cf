import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { CliError } from './output.ts';
import { standardOutput } from './standardOutput.ts';
import type { Terminal } from './terminal.ts';
import { writeAtomically, writeStream } from './atomicWrite.ts';

/** A secret that is shown once. It is made by this process; the installation has not seen it yet. */
export interface Secret {
  /** Of the standard output or the file: the secret alone, without an explanation. */
  text: string;
  /** The same with `--json`. */
  json: object;
  /** A part that a person types back at a terminal, which shows that it was written down. */
  typedBack?: string;
}

export interface SecretOptions {
  out?: string;
  /** false: `--no-confirm` */
  confirm?: boolean;
}

/** Only for a key on paper. */
export const NO_CONFIRM = ['--no-confirm', 'do not ask for its last characters at a terminal'] as const;

/** The option that writes a secret to a file. */
export function withOut(command: Command): Command {
  return command.option('--out <file>', 'write the secret to this new file, readable by its owner alone');
}

/**
 * Shows a secret, and puts it in force only after it was written: to the disk where it goes to a file. A secret that could
 * not be written, or whose command ended in between, is void, because nothing has stored it.
 * @param store puts the secret in force @returns what it returned
 * @throws {CliError} it could not be written or stored; it is not in force
 */
export async function showOnce<T>(
  terminal: Terminal,
  secret: Secret,
  { out, confirm }: SecretOptions,
  store: () => Promise<T>,
): Promise<T> {
  if (out === undefined) {
    const text = terminal.isJson() ? JSON.stringify(secret.json, null, 2) : secret.text;
    await standardOutput.deliver(`${text}\n`).catch((cause: unknown) => {
      throw withNote(cause, 'The secret is not in force.');
    });
    if (secret.typedBack !== undefined && confirm !== false) await typedBack(secret.typedBack);
    return store().catch((cause: unknown) => {
      throw withNote(cause, 'The secret that was shown is not in force.');
    });
  }
  await writeAtomically(out, (partial) => writeStream(partial, [Buffer.from(`${secret.text}\n`)]));
  try {
    return await store();
  } catch (cause) {
    await rm(out, { force: true });
    throw cause;
  }
}

/** Asks only where a person sees the secret and can type. */
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
    'Those are not its last characters. The secret that was shown is not in force: run the command again.',
  );
}

function withNote(cause: unknown, note: string): unknown {
  return cause instanceof CliError ? new CliError(`${cause.message} ${note}`, cause.exitCode) : cause;
}
