import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { TerminalSearch } from '../../contracts/admin/duplicates.ts';
import { sendAdminCommand } from '../client/adminClient.ts';
import { COMPANY, countFrom1, wholeNumber } from '../terminal/arguments.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addGroupCommands } from './persons.ts';

/** Milliseconds between two questions about the progress of a search. */
const PROGRESS_EVERY = 500;

interface FindOptions {
  company: string;
  new?: boolean;
  blacklist: readonly number[];
  oneIn: number;
  wait: boolean;
}

/** `vouch duplicates …`: searches for people who are enrolled twice. */
export function addDuplicateCommands(program: Command, terminal: Terminal): void {
  const duplicates = program
    .command('duplicates')
    .description('find people who are enrolled twice, and decide about them');
  duplicates
    .command('find')
    .description('compare all enrolled faces of a company with each other, and wait for the end')
    .requiredOption(...COMPANY)
    .option('--new', 'compare only the faces that no completed search has compared')
    .option(
      '--blacklist <number>',
      'also compare the faces of this blacklist; can be repeated',
      (text: string, before: readonly number[]) => [...before, wholeNumber(text)],
      [] as readonly number[],
    )
    .option(
      '--one-in <people>',
      'people enrolled only once of whom one may be proposed by mistake',
      countFrom1,
      1_000,
    )
    .option('--no-wait', 'return when the search has started')
    .action(async (options: FindOptions) => {
      const { company, blacklist, oneIn, wait } = options;
      const mode = options.new === true ? ('new' as const) : ('all' as const);
      const input = { company, mode, oneIn, blacklists: [...blacklist] };
      let search = await sendAdminCommand(terminal.home(), 'duplicates.find', input);
      while (wait && search.state === 'running') {
        await setTimeout(PROGRESS_EVERY);
        const next = await sendAdminCommand(terminal.home(), 'duplicates.status', { company });
        if (next?.id !== search.id) break;
        search = next;
      }
      show(terminal, search);
      if (search.state === 'failed')
        throw new CliError(
          'The recognition pipeline was switched during the search. Start a new search.',
          EXIT.failed,
        );
    });
  duplicates
    .command('status')
    .description('show the newest search of a company, its progress and what it found')
    .requiredOption(...COMPANY)
    .action(async (options: { company: string }) => {
      const search = await sendAdminCommand(terminal.home(), 'duplicates.status', options);
      if (search !== null) show(terminal, search);
      else if (terminal.isJson()) console.log('null');
      else console.log('No duplicate search was started in this company.');
    });
  addGroupCommands(duplicates, terminal);
  for (const [name, description] of [
    ['pause', 'pause the search of a company; found pairs are kept'],
    ['resume', 'resume a paused search'],
    ['cancel', 'cancel the search of a company; the pairs of the search before stay'],
  ] as const)
    duplicates
      .command(name)
      .description(description)
      .requiredOption(...COMPANY)
      .action(async (options: { company: string }) => {
        show(terminal, await sendAdminCommand(terminal.home(), `duplicates.${name}`, options));
      });
}

function show(terminal: Terminal, search: TerminalSearch): void {
  if (terminal.isJson()) {
    terminal.show(search);
    return;
  }
  const { id, state, faces, compared, pairs, identical, expected, facesPerSecond, secondsLeft } = search;
  const rate =
    facesPerSecond === null || secondsLeft === null
      ? ''
      : ` ${facesPerSecond.toFixed(0)} faces per second, about ${Math.ceil(secondsLeft)} s left.`;
  console.log(`Search ${id} is ${state}: ${compared} of ${faces} faces compared.${rate}`);
  const chance =
    expected === null
      ? ''
      : ` About ${expected.pairs.toFixed(1)} expected by chance (95%: ${expected.low.toFixed(1)} to ${expected.high.toFixed(1)}${expected.extrapolated ? '; extrapolated' : ''}).`;
  console.log(`${pairs} near pairs found, ${identical} of them pairs of identical photos.${chance}`);
}
