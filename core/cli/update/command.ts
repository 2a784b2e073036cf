import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { CliError } from '../output.ts';
import { publisherKey, verifyUpdate } from './bundle.ts';
import { applyUpdate, findLayout } from './update.ts';

/** `…/versions/NAME/app` in a package, the project's folder in a checkout. */
const APP = join(import.meta.dirname, '..', '..', '..');
/** A start that takes longer is no healthy one: migrations of a large site included. */
const PATIENCE = 15 * 60_000;

interface Terminal {
  home(): string;
  show(value: object): void;
}

/** `vouch update FILE`: another version from a stick. */
export function addUpdateCommand(program: Command, terminal: Terminal): void {
  program
    .command('update <file>')
    .description('install another version from a signed file; tried on a copy first, put back if it fails')
    .option('--publisher <file>', 'the public key of who signed it, where the installation knows none')
    .action(async (file: string, options: { publisher?: string }) => {
      const layout = await findLayout(join(APP, '..'));
      const update = await verifyUpdate(file, publishers(options.publisher));
      const { version } = JSON.parse(readFileSync(join(APP, 'package.json'), 'utf8')) as { version: string };
      terminal.show(
        await applyUpdate(update, { layout, homeFolder: terminal.home(), running: version, tryVersion }),
      );
    });
}

function publishers(named: string | undefined) {
  const file = named ?? join(APP, 'resources', 'publishers.txt');
  if (!existsSync(file))
    throw new CliError(
      named === undefined
        ? 'This installation trusts no publisher yet. Compare the key with who made the update, and name its file with --publisher.'
        : `There is no file ${named}.`,
    );
  return readFileSync(file, 'utf8').trim().split('\n').map(publisherKey);
}

/** Starts a version, lets it say that it listens, asks it how it is, and stops it. */
async function tryVersion(folder: string, home: string): Promise<string | undefined> {
  const vouch = join(folder, 'bin', 'vouch');
  const core = spawn(vouch, ['--home', home, 'serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  core.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  core.on('error', (error) => (said += error.message));
  const gone = once(core, 'close');
  const timer = setTimeout(() => core.kill('SIGKILL'), PATIENCE);
  try {
    for await (const line of createInterface({ input: core.stdout }))
      if (line.includes('listens on')) return await howItIs(vouch, home);
    return said.trim() === '' ? 'It ended without a word.' : said.trim();
  } finally {
    core.kill('SIGTERM');
    await gone.catch(() => undefined);
    clearTimeout(timer);
  }
}

async function howItIs(vouch: string, home: string): Promise<string | undefined> {
  const status = spawn(vouch, ['--home', home, '--json', 'status'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  status.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(status, 'close');
  return status.exitCode === 0 ? undefined : said.trim();
}
