import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { holdFile } from '../../storage/engine/home.ts';
import { amount, countFrom1, seconds } from '../terminal/arguments.ts';
import { credentialOptions, withCredential, withTarget, type Target } from '../client/credential.ts';
import { EnrolmentClient } from '../enroll/client.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import { PhotoNames } from '../terminal/pathHash.ts';
import { printable } from '../terminal/printable.ts';
import { WatchJournal } from './memory.ts';
import { Watcher, type Outcome } from './watcher.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface WatchOptions extends Target {
  batch?: number;
  maxMb?: number;
  settle: number;
  once?: boolean;
}

const LOOK_INTERVAL = 1_000;

/** `vouch watch FOLDER`: enrols what arrives, until it is stopped. */
export function addWatchCommand(program: Command, terminal: Terminal): void {
  const watching = program
    .command('watch <folder>')
    .description('enrol files that arrive in a folder, and move them to done/ or failed/ with the reason');
  withTarget(watching)
    .option(
      '--batch <count>',
      'images per request (default: 50, or the limit of the company where it is lower)',
      countFrom1,
    )
    .option('--max-mb <megabytes>', 'largest file that is sent (default: the limit of the company)', amount)
    .option('--settle <seconds>', 'a file that did not change for so long is complete', seconds, 2)
    .option('--once', 'end when everything that is there was answered')
    .action(async (folder: string, options: WatchOptions) => {
      process.exitCode = await watch(folder, options, terminal);
    });
}

async function watch(folder: string, options: WatchOptions, terminal: Terminal): Promise<number> {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new CliError(`${folder} is not a folder. Name the folder that photos arrive in.`);
  const target = credentialOptions(terminal.home(), options);
  return withCredential(target, { name: 'vouch watch', scopes: ['enroll'] }, async (credential) => {
    const { limits } = credential;
    const file = memoryFile(terminal.home(), credential.address, options.company ?? '', folder);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const held = holdFile(`${file}.lock`);
    if (held === undefined)
      throw new CliError(`Another vouch watch looks after ${folder} already.`, EXIT.failed);
    const memory = new WatchJournal(file);
    let failed = 0;
    const note = (why: string) => {
      console.error(why);
    };
    const watcher = new Watcher({
      folder,
      memory,
      names: PhotoNames.of(terminal.home()),
      client: new EnrolmentClient(credential),
      batchSize: options.batch ?? limits.images,
      maxBytes: options.maxMb === undefined ? limits.imageBytes : options.maxMb * 1024 * 1024,
      settle: options.settle * 1000,
      onWait: note,
      onOutcome(outcome) {
        if (outcome.status !== 'enrolled') failed += 1;
        console.log(terminal.isJson() ? JSON.stringify(outcome) : lineOf(outcome));
      },
    });
    try {
      await untilStopped(watcher, options.once === true);
    } finally {
      memory.close();
      held.release();
    }
    return failed === 0 ? EXIT.ok : EXIT.someImagesFailed;
  });
}

/** Ends between two looks: what is under way is followed by the next run. */
async function untilStopped(watcher: Watcher, once: boolean): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => {
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  try {
    while (!stop.signal.aborted) {
      const busy = await watcher.step();
      if (once && !busy) return;
      await sleep(LOOK_INTERVAL, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}

/** In the home, never among the photos. */
function memoryFile(home: string, address: string, company: string, folder: string): string {
  const name = createHash('sha256')
    .update(JSON.stringify([address, company, resolve(folder)]))
    .digest('hex');
  return join(home, 'watching', `${name.slice(0, 32)}.jsonl`);
}

function lineOf({ path, status, trustValidationId, reason, movedTo }: Outcome): string {
  const result = status === 'enrolled' ? `enrolled as Trust Validation ${trustValidationId ?? ''}` : reason;
  const end = status === 'left' ? 'left where it is' : movedTo === null ? REPLACED : printable(movedTo);
  return `${printable(path)}: ${result ?? ''} → ${end}`;
}

const REPLACED = 'replaced since; the file that is there now is sent as another photo';
