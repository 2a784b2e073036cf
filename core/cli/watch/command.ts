import { folderApi } from '../../contracts/dashboard/folders.ts';
import type { Wait } from '../../uploader/ports.ts';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import { amount, countFrom1, seconds } from '../terminal/arguments.ts';
import type { Scope } from '../../contracts/codes.ts';
import { problem, type Problem } from '../../contracts/errors/problem.ts';
import {
  credentialOptions,
  withCredential,
  withTarget,
  type Credential,
  type Target,
} from '../client/credential.ts';
import { EnrolmentClient } from '../enroll/client.ts';
import { holdJournal, PhotoNames } from '../terminal/journalFile.ts';
import { CliError, EXIT, escapeUnprintable } from '../terminal/output.ts';
import { WatchReporter } from './reporter.ts';
import { WatchJournal, Watcher, type Outcome } from './watcher.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface WatchOptions extends Target {
  batch?: number;
  maxMib?: number;
  settle: number;
  once?: boolean;
  persons?: 'folder';
}

const POLL_INTERVAL_MS = 1_000;

/** `vouch watch FOLDER`: enrols the photos that arrive in a folder, until it is stopped. */
export function addWatchCommand(program: Command, terminal: Terminal): void {
  const watching = program
    .command('watch <folder>')
    .description('enrol photos that arrive in a folder, then move them to done/ or failed/ with the reason');
  withTarget(watching)
    .option(
      '--batch <count>',
      'photos per request (default: 50, or the limit of the company if lower)',
      countFrom1,
    )
    .option('--max-mib <mebibytes>', 'largest file to send (default: the limit of the company)', amount)
    .option('--settle <seconds>', 'time without a change after which a file is complete', seconds, 2)
    .addOption(
      new Option(
        '--persons <source>',
        'name the persons whom the photos show: each folder in the watched one is a person',
      ).choices(['folder']),
    )
    .option('--once', 'end after the present files are processed')
    .action(async (folder: string, options: WatchOptions) => {
      process.exitCode = await watch(folder, options, terminal);
    });
}

async function watch(folder: string, options: WatchOptions, terminal: Terminal): Promise<number> {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new CliError(`${folder} is not a folder. Name the folder in which photos arrive.`);
  const target = credentialOptions(terminal.home(), options);
  const scopes: Scope[] = options.persons === undefined ? ['enroll'] : ['enroll', 'persons:write'];
  return withCredential(target, { name: 'vouch watch', scopes }, async (credential) => {
    const { limits } = credential;
    const held = holdJournal(terminal.home(), 'watching', credential, folder);
    const journal = new WatchJournal(held.file);
    let failed = 0;
    const reporter = reporterOf(credential, folder, options);
    const note = (why: string, wait: Wait) => {
      console.error(why);
      reporter?.wait(waitProblem(wait));
    };
    const watcher = new Watcher({
      folder,
      journal,
      names: await PhotoNames.of(terminal.home()),
      client: new EnrolmentClient(credential, { path: folder }),
      batchSize: options.batch ?? limits.images,
      maxBytes: options.maxMib === undefined ? limits.imageBytes : options.maxMib * 1024 * 1024,
      settle: options.settle * 1000,
      persons: options.persons,
      onWait: note,
      onOutcome(outcome) {
        if (outcome.status !== 'enrolled') failed += 1;
        reporter?.file(outcome);
        console.log(terminal.isJson() ? JSON.stringify(outcome) : lineOf(outcome));
      },
    });
    let ended: Problem | null = null;
    try {
      await untilStopped(watcher, options.once === true, reporter);
    } catch (error) {
      ended = problem('WATCH_ENDED');
      throw error;
    } finally {
      await reporter?.stop(ended);
      journal.close();
      held.release();
    }
    return failed === 0 ? EXIT.ok : EXIT.someImagesFailed;
  });
}

/** As the dashboard names it in its languages; the terminal has its own sentence. */
function waitProblem(wait: Wait): Problem {
  if (wait.kind === 'silent') return problem('WATCH_SILENT');
  const again = { seconds: wait.seconds };
  switch (wait.status) {
    case 409:
      return problem('WATCH_BATCH_RUNNING', again);
    case 429:
      return problem('WATCH_TOO_MANY', again);
    default:
      return problem('WATCH_QUEUE', again);
  }
}

/** Through the service on this machine; a service that is reached with an API token receives no reports. */
function reporterOf(
  { local }: Credential,
  folder: string,
  { company }: WatchOptions,
): WatchReporter | undefined {
  if (local === null || company === undefined) return undefined;
  return new WatchReporter({
    folder,
    send: (report) => local.ask(folderApi.reportWatch, { company, body: report }),
    onProblem: (why) => {
      console.error(why);
    },
  });
}

/** Polls the folder until a signal arrives. It ends between two polls; the next run follows the open batches. */
async function untilStopped(watcher: Watcher, once: boolean, reporter?: WatchReporter): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => {
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  try {
    while (!stop.signal.aborted) {
      const busy = await watcher.step();
      reporter?.remaining(watcher.left);
      await reporter?.send();
      if (once && !busy) return;
      await sleep(POLL_INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}

function lineOf({ path, status, trustValidationId, reason, movedTo }: Outcome): string {
  const result = status === 'enrolled' ? `enrolled as Trust Validation ${trustValidationId ?? ''}` : reason;
  const end = status === 'left' ? 'not moved' : movedTo === null ? REPLACED : escapeUnprintable(movedTo);
  return `${escapeUnprintable(path)}: ${result ?? ''} → ${end}`;
}

const REPLACED = 'replaced since; the new file is sent as another photo';
