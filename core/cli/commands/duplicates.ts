import { duplicateApi, duplicateRun } from '../../contracts/dashboard/duplicates.ts';
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { problem } from '../../contracts/errors/problem.ts';
import { ask, insteadOf, withLocalApi, type LocalApi } from '../client/localClient.ts';
import { COMPANY, companyCommand, countFrom1, wholeNumber } from '../terminal/arguments.ts';
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
      const body = { mode, oneIn, blacklists: [...blacklist] };
      const unknown = problem('BLACKLIST_UNKNOWN', { blacklist: blacklist.join(', ') });
      let search = await ask(
        terminal.home(),
        { ...duplicateApi.startRun, answer: shownSearch },
        { company, body },
      ).catch(insteadOf('NOT_FOUND', unknown));
      while (wait && search.state === 'running') {
        await setTimeout(PROGRESS_EVERY);
        const next = await withLocalApi(terminal.home(), (api) => newest(api, company));
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
  companyCommand(
    duplicates,
    'status',
    'show the newest search of a company, its progress and what it found',
  ).action(async ({ company }: { company: string }) => {
    const search = await withLocalApi(terminal.home(), (api) => newest(api, company));
    if (search !== undefined) show(terminal, search);
    else if (terminal.isJson()) console.log('null');
    else console.log('No duplicate search was started in this company.');
  });
  addGroupCommands(duplicates, terminal);
  for (const [name, description] of [
    ['pause', 'pause the search of a company; found pairs are kept'],
    ['resume', 'resume a paused search'],
    ['cancel', 'cancel the search of a company; the pairs of the search before stay'],
  ] as const)
    companyCommand(duplicates, name, description).action(async ({ company }: { company: string }) => {
      const changed = await withLocalApi(terminal.home(), async (api) => {
        const { current } = await searchesOf(api, company);
        if (current === null) throw new CliError(problem('DUPLICATE_SEARCH_NONE'));
        return api.ask(
          { ...duplicateApi.changeRun(name), answer: shownSearch },
          { company, params: { id: current.id } },
        );
      });
      show(terminal, changed);
    });
}

/** The fields of a search that the terminal shows. */
const shownSearch = duplicateRun.pick({
  id: true,
  mode: true,
  state: true,
  oneIn: true,
  faces: true,
  compared: true,
  pairs: true,
  identical: true,
  problem: true,
  expected: true,
  facesPerSecond: true,
  secondsLeft: true,
  startedAt: true,
  endedAt: true,
});
type ShownSearch = z.infer<typeof shownSearch>;
const shownSearches = z.object({ items: z.array(shownSearch), current: shownSearch.nullable() });

/** The newest search, and the one that has not ended. */
function searchesOf(api: LocalApi, company: string): Promise<z.infer<typeof shownSearches>> {
  return api.ask({ ...duplicateApi.runs, answer: shownSearches }, { company, query: { limit: 1 } });
}

/** The search that has not ended, else the newest one. */
async function newest(api: LocalApi, company: string): Promise<ShownSearch | undefined> {
  const { current, items } = await searchesOf(api, company);
  return current ?? items[0];
}

function show(terminal: Terminal, search: ShownSearch): void {
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
