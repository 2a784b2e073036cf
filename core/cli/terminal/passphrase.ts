import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { firstLine, readGiven } from './inputFile.ts';
import { CliError } from './output.ts';

/**
 * Reads a new passphrase from a file, or typed: hidden and twice at a terminal, else from one line of the standard input.
 * Never from the command line, which every account of the machine can read.
 */
export async function readPassphrase(file: string | undefined): Promise<string> {
  if (file !== undefined) return firstLine(readGiven(file).toString());
  if (!process.stdin.isTTY) return typedLine('');
  const typed = await typedLine('Passphrase (not shown): ');
  if ((await typedLine('Confirm passphrase (not shown): ')) !== typed)
    throw new CliError('The two passphrases differ. Nothing was changed.');
  return typed;
}

/** Reads an existing secret from a file, or typed once. */
export async function readSecret(question: string, file: string | undefined): Promise<string> {
  if (file !== undefined) return firstLine(readGiven(file).toString());
  return typedLine(process.stdin.isTTY ? question : '');
}

async function typedLine(question: string): Promise<string> {
  process.stderr.write(question);
  // Readline echoes the typed text to its output, so the output discards it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  try {
    for await (const line of lines) return firstLine(line);
    return '';
  } finally {
    lines.close();
    if (question !== '') process.stderr.write('\n');
  }
}
