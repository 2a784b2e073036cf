import { blacklistApi, blacklistRow } from '../../contracts/dashboard/blacklists.ts';
import {
  blacklistThreshold,
  flowApi,
  HIT_ACTIONS,
  type FlowRow,
  type HitAction,
  flowRow,
  TARGET_FPIRS,
  type ThresholdChoice,
} from '../../contracts/flows.ts';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import { BLACKLIST_STATUS, BLACKLIST_STATUS_LABEL } from '../../contracts/codes.ts';
import { problem } from '../../contracts/errors/problem.ts';
import { COMPANY, companyCommand, subcommand, wholeNumber } from '../terminal/arguments.ts';
import { addBlacklistTransferCommands } from './blacklistTransfer.ts';
import { CliError } from '../terminal/output.ts';
import { ask, insteadOf } from '../client/localClient.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch blacklist …` and `vouch flow …`: the lists and rules of screening. */
export function addScreeningCommands(program: Command, terminal: Terminal): void {
  const blacklist = subcommand(program, 'blacklist', 'manage the blacklists of a company');
  addBlacklistCommands(blacklist, terminal);
  addBlacklistTransferCommands(blacklist, terminal);
  addFlowCommands(
    subcommand(program, 'flow', 'manage Trust Flows, the rules by which verifications are screened'),
    terminal,
  );
}

function addBlacklistCommands(blacklist: Command, terminal: Terminal): void {
  companyCommand(blacklist, 'create <name>', 'create a blacklist')
    .option('--description <text>', 'purpose of the blacklist')
    .action(async (name: string, { company, ...words }: { company: string; description?: string }) => {
      const asked = { company, body: { name, ...words } };
      terminal.show(labelled(await ask(terminal.home(), blacklistApi.create, asked)));
    });
  companyCommand(blacklist, 'list', 'list the blacklists of a company with their numbers').action(
    async (options: { company: string }) => {
      const { items } = await ask(terminal.home(), blacklistApi.list, options);
      terminal.show(items.map(labelled));
    },
  );
  blacklist
    .command('update')
    .argument('<id>', 'number of the blacklist', wholeNumber)
    .description('activate or deactivate a blacklist')
    .requiredOption(...COMPANY)
    .option('--active', 'accept photos and screen verifications against the blacklist')
    .option('--no-active', 'stop both')
    .action(async (id: number, { company, active }: { company: string; active?: boolean }) => {
      if (active === undefined) throw new CliError('Give --active or --no-active.');
      const status = active ? BLACKLIST_STATUS.Active : BLACKLIST_STATUS.Inactive;
      const changed = await ask(terminal.home(), blacklistApi.change, {
        company,
        params: { id },
        body: { status },
      }).catch(insteadOf('NOT_FOUND', problem('BLACKLIST_UNKNOWN_IN', { blacklist: id, company })));
      terminal.show(labelled(changed));
    });
}

/** A blacklist with its status in words. */
function labelled({ usedByTrustFlows: _users, status, ...row }: z.infer<typeof blacklistRow>) {
  const { id, name, description, ...rest } = row;
  const label = Object.entries(BLACKLIST_STATUS_LABEL).find(([known]) => Number(known) === status)?.[1];
  return { id, name, description, status, statusLabel: label ?? '', ...rest };
}

const flow = flowRow.pick({ id: true, name: true, system: true, version: true });
type Flow = z.infer<typeof flow>;

interface ListWithRate {
  blacklistId: number;
  targetFpir: (typeof TARGET_FPIRS)[number] | undefined;
}

/** `5`, or `5:100` with a rate of its own. @throws {CliError} no number, or no rate that a flow can have */
function listWithRate(text: string, before: readonly ListWithRate[]): ListWithRate[] {
  const [id = '', searches] = text.split(':');
  const targetFpir = TARGET_FPIRS.find((rate) => String(Math.round(1 / rate)) === searches);
  if (searches !== undefined && targetFpir === undefined)
    throw new CliError(`${text}: the rate after the colon is 10, 100, 1000 or 10000 searches.`);
  return [...before, { blacklistId: wholeNumber(id), targetFpir }];
}

function addFlowCommands(group: Command, terminal: Terminal): void {
  companyCommand(group, 'create <name>', 'create a Trust Flow and save its first version')
    .option(
      '--blacklist <id...>',
      'numbers of the blacklists to screen against; 5:100 for blacklist 5: of 100 searches of unknown people one may raise a false alarm',
      listWithRate,
      [],
    )
    .addOption(
      new Option('--on-blacklist <action>', 'result of a blacklist match')
        .choices(HIT_ACTIONS)
        .default('review'),
    )
    .addOption(
      new Option('--on-duplicate <action>', 'result of a duplicate').choices(HIT_ACTIONS).default('review'),
    )
    .action(
      async (
        name: string,
        options: {
          company: string;
          blacklist: ListWithRate[];
          onBlacklist: HitAction;
          onDuplicate: HitAction;
        },
      ) => {
        const blacklistIds = options.blacklist.map(({ blacklistId }) => blacklistId);
        const settings = {
          duplicateDetection: { action: options.onDuplicate },
          blacklistDetection: {
            enabled: blacklistIds.length > 0,
            blacklistIds,
            action: options.onBlacklist,
            ownRates: options.blacklist.filter(({ targetFpir }) => targetFpir !== undefined),
          },
        };
        const { company } = options;
        const made = await ask(
          terminal.home(),
          { ...flowApi.create, answer: flow },
          { company, body: { name, settings } },
        ).catch(insteadOf('NOT_FOUND', problem('NOT_IN_COMPANY')));
        terminal.show(made);
      },
    );
  companyCommand(group, 'list', 'list the Trust Flows of a company with their numbers').action(
    async (options: { company: string }) => {
      const answer = z.object({ items: z.array(flow.extend(flowRow.pick(WITH_RATES).shape)) });
      const { items } = await ask(terminal.home(), { ...flowApi.list, answer }, options);
      const rated = items.map(withRates);
      terminal.show(terminal.isJson() ? rated : rated.map(inWords));
    },
  );
}

const WITH_RATES = { saved: true, blacklistNames: true } as const;

/** False alarms that are accepted: one in so many comparisons of two people, or in so many searches of unknown people. */
interface Rate {
  oneIn: number;
  per: 'comparison' | 'search';
}

const rateOf = ({ targetFmr, targetFpir }: ThresholdChoice): Rate =>
  targetFpir === null
    ? { oneIn: Math.round(1 / targetFmr), per: 'comparison' }
    : { oneIn: Math.round(1 / targetFpir), per: 'search' };

/** The rates of the version in force; null and none: the flow does not look for duplicates, or in blacklists. */
function withRates({ saved, blacklistNames, ...row }: Pick<FlowRow, keyof typeof WITH_RATES> & Flow) {
  const lists = saved?.blacklistDetection.enabled === true ? saved.blacklistDetection.blacklistIds : [];
  return {
    ...row,
    duplicates: saved?.duplicateDetection.enabled === true ? rateOf(saved) : null,
    blacklists: lists.map((id) => ({
      id,
      name: blacklistNames[String(id)] ?? null,
      ...rateOf(blacklistThreshold(saved!, id)),
    })),
  };
}

function inWords({ duplicates, blacklists, ...row }: ReturnType<typeof withRates>) {
  const words = ({ oneIn, per }: Rate) =>
    `1 in ${oneIn.toLocaleString('en')} ${per === 'search' ? 'searches' : 'comparisons'}`;
  const lists = blacklists.map((list) => `${list.name ?? list.id} ${words(list)}`).join(', ');
  return { ...row, duplicates: duplicates === null ? 'off' : words(duplicates), blacklists: lists || 'off' };
}
