import { settingsApi } from '../../contracts/dashboard/company.ts';
import type { Command } from 'commander';
import {
  COMPANY_LIMITS,
  limitProblem,
  limitValueText,
  readLimitValue,
  INSTALLATION_LIMITS,
  type Limit,
} from '../../contracts/limits/limits.ts';
import { settableLimits, type LimitChange, type SettableLimit } from '../../contracts/limits/limitShapes.ts';
import { CliError } from '../terminal/output.ts';
import { ask } from '../client/localClient.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { subcommand } from '../terminal/arguments.ts';

interface Scope {
  limits: Readonly<Record<string, Limit>>;
  /** Of a company, and not of the installation. */
  company: boolean;
  /** The command that shows all of them. */
  show: string;
}

interface Options {
  company?: string;
}

/** `vouch settings …`: the limits of the whole installation. */
export function addSettingsCommands(program: Command, terminal: Terminal): void {
  const settings = subcommand(program, 'settings', 'manage the limits of the installation');
  addLimitCommands(settings, terminal, {
    limits: INSTALLATION_LIMITS,
    company: false,
    show: 'vouch settings show',
  });
}

/** `vouch company settings …`: the limits of one company. */
export function addCompanySettingsCommands(company: Command, terminal: Terminal): void {
  const settings = subcommand(company, 'settings', 'manage the limits of a company');
  addLimitCommands(settings, terminal, {
    limits: COMPANY_LIMITS,
    company: true,
    show: 'vouch company settings show',
  });
}

function addLimitCommands(settings: Command, terminal: Terminal, scope: Scope): void {
  const command = (usage: string, description: string) => {
    const made = subcommand(settings, usage, description);
    return scope.company
      ? made.option('--company <name>', 'name of the company (default: the only company)')
      : made;
  };
  const run = (options: Options, change: LimitChange) => limitsAfter(terminal.home(), scope, options, change);
  const print = (rows: SettableLimit[]) => {
    terminal.show(terminal.isJson() ? rows : rows.map((row) => tableRow(scope, row)));
  };
  command(
    'show [settings...]',
    'show the value, default and allowed range of all or of the named settings',
  ).action(async (names: string[], options: Options) => {
    for (const name of names) limitOf(scope, name);
    const rows = await run(options, {});
    print(names.length === 0 ? rows : rows.filter(({ setting }) => names.includes(setting)));
  });
  command('set <assignments...>', 'change settings: NAME=VALUE, e.g. ' + example(scope)).action(
    async (assignments: string[], options: Options) => {
      const change = changeOf(scope, assignments);
      const rows = await run(options, change);
      print(rows.filter(({ setting }) => Object.hasOwn(change, setting)));
    },
  );
  command('reset <settings...>', 'restore the default of the named settings').action(
    async (names: string[], options: Options) => {
      const change = Object.fromEntries(names.map((name) => [name, limitOf(scope, name).default]));
      const rows = await run(options, change);
      print(rows.filter(({ setting }) => names.includes(setting)));
    },
  );
}

function example({ company }: Scope): string {
  return company ? 'maxBatchImages=100 maxImageBytes=20MiB' : 'minFreeBytes=2GiB requestsPerMinute=600';
}

async function limitsAfter(
  home: string,
  scope: Scope,
  { company }: Options,
  change: LimitChange,
): Promise<SettableLimit[]> {
  const changes = Object.keys(change).length > 0;
  const body = { change };
  if (scope.company) {
    const { company: values } = changes
      ? await ask(home, settingsApi.changeLimits, { company, body })
      : await ask(home, settingsApi.limits, { company });
    return settableLimits('company', values);
  }
  const values = changes
    ? await ask(home, settingsApi.changeInstallation, { body })
    : await ask(home, settingsApi.installation);
  return settableLimits('installation', values);
}

/** @throws {CliError} an assignment has another form, or names no setting, or a value has another unit */
function changeOf(scope: Scope, assignments: readonly string[]): LimitChange {
  const change: LimitChange = {};
  for (const assignment of assignments) {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(assignment) ?? [];
    if (name === undefined || text === undefined)
      throw new CliError(`"${assignment}" is not NAME=VALUE. An example: ${example(scope)}`);
    if (Object.hasOwn(change, name)) throw new CliError(`${name} was given two values. Give one.`);
    const limit = limitOf(scope, name);
    const value = readLimitValue(limit, text);
    if (value === undefined) throw new CliError(limitProblem(name, limit));
    change[name] = value;
  }
  return change;
}

/** @throws {CliError} there is no such setting */
function limitOf({ limits, show }: Scope, name: string): Limit {
  const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
  if (limit === undefined) throw new CliError(`Unknown setting ${name}. All settings: ${show}`);
  return limit;
}

function tableRow(scope: Scope, row: SettableLimit): Record<string, string> {
  const limit = limitOf(scope, row.setting);
  return {
    setting: row.setting,
    value: limitValueText(limit, row.value),
    default: limitValueText(limit, row.default),
    allowed: row.range,
    effect: row.affects,
  };
}
