import {
  pipelineApi,
  refusedFacePage,
  companyPipeline,
  measuredElsewhere,
} from '../../contracts/pipelines.ts';
import { localApi } from '../../contracts/local.ts';
import type { Command } from 'commander';
import { z } from 'zod';
import { FAILURES } from '../../contracts/errors/failures.ts';
import { problem, sentenceOf } from '../../contracts/errors/problem.ts';
import { ask, insteadOf, withLocalApi, type LocalApi } from '../client/localClient.ts';
import { CliError } from '../terminal/output.ts';
import { companyCommand, subcommand } from '../terminal/arguments.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch pipeline …`: the recognition pipeline with which a company compares faces. */
export function addPipelineCommands(program: Command, terminal: Terminal): void {
  const pipeline = subcommand(program, 'pipeline', 'manage the recognition pipelines');
  subcommand(pipeline, 'list', 'list the pipelines, and the reason for each rejected model pack').action(
    async () => {
      const list = await ask(terminal.home(), pipelineApi.installed);
      terminal.print(list, () => {
        terminal.show(
          list.pipelines.map(({ name, title, dimensions, licence, id }) => ({
            name,
            title,
            dimensions,
            licence,
            id,
          })),
        );
        for (const { name, reason } of list.refused) console.error(`Rejected: ${name}: ${reason}`);
      });
    },
  );
  subcommand(pipeline, 'status', 'show the active pipeline of a company and the progress of a switch')
    .option('--company <name>', 'name of the company (default: all companies)')
    .action(async (options: { company?: string }) => {
      showStatus(terminal, await withLocalApi(terminal.home(), (api) => statusOf(api, options.company)));
    });
  pipeline
    .command('use <name>')
    .description(
      'switch to this pipeline after its templates are extracted in the background; also switches back',
    )
    .option('--company <name>', 'name of the company (default: all companies)')
    .action(async (name: string, options: { company?: string }) => {
      showStatus(terminal, await withLocalApi(terminal.home(), (api) => use(api, name, options.company)));
    });
  for (const [name, description] of [
    ['pause', 'pause the extraction of templates; the active pipeline keeps working'],
    ['resume', 'resume the extraction of templates'],
    ['retry', 'retry the faces whose extraction failed'],
    ['skip-failed', 'switch without the faces whose extraction failed; they are not matched until replaced'],
    ['cancel', 'cancel the switch and keep the active pipeline'],
  ] as const)
    companyCommand(pipeline, name, description).action(async ({ company }: { company: string }) => {
      const body = { step: name === 'skip-failed' ? 'leave' : name };
      const status = await withLocalApi(terminal.home(), async (api) => {
        await api
          .ask(pipelineApi.change, { company, body })
          .catch(insteadOf('NO_PIPELINE_CHANGE', problem('PIPELINE_NOT_CHANGING', { company })));
        return statusOf(api, company);
      });
      showStatus(terminal, status);
    });
  companyCommand(pipeline, 'failures', 'list the faces whose extraction failed').action(
    async (options: { company: string }) => {
      terminal.show(await withLocalApi(terminal.home(), (api) => failures(api, options.company)));
    },
  );
  companyCommand(pipeline, 'purge <id>', 'delete the templates of an inactive pipeline').action(
    async (id: string, { company }: { company: string }) => {
      const asked = { company, body: { pipeline: id } };
      terminal.show(await ask(terminal.home(), pipelineApi.purge, asked));
    },
  );
}

/** @param company absent: all companies */
function statusOf(api: LocalApi, company: string | undefined): Promise<CompanyPipeline[]> {
  return api.ask(pipelineApi.ofCompanies, { query: { company } });
}

/** @param chosen absent: all companies */
async function use(api: LocalApi, name: string, chosen: string | undefined): Promise<CompanyPipeline[]> {
  const companies =
    chosen === undefined ? (await api.ask(localApi.companies)).map((company) => company.name) : [chosen];
  for (const company of companies)
    await api.ask(pipelineApi.use, { company, body: { name } }).catch((error: unknown) => {
      if (!(error instanceof CliError) || error.problem.code === 'COMPANY_UNKNOWN') throw error;
      throw new CliError(problem('PIPELINE_NOT_CHOSEN', { name, reason: sentenceOf(error.problem) }));
    });
  return statusOf(api, chosen);
}

/** Faces of one page of {@link failures}. */
const PAGE = 500;

async function failures(api: LocalApi, company: string) {
  const items: z.infer<typeof refusedFacePage>['items'] = [];
  for (let cursor: string | undefined; ;) {
    const query = { cursor, limit: PAGE };
    const page = await api.ask(pipelineApi.refused, { company, query });
    items.push(...page.items);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return items.map(({ faceId, name, blacklistId, code }) => ({
    faceId,
    name,
    watchlist: blacklistId === null ? 'duplicate' : 'blacklist',
    code,
    reason: FAILURES[code].sentence,
  }));
}

function showStatus(terminal: Terminal, companies: CompanyPipeline[]): void {
  if (terminal.isJson()) {
    terminal.show(companies);
    return;
  }
  terminal.show(
    companies.map(({ stored: _, measured: _measured, facesPerSecond, secondsLeft, ...status }) => ({
      ...status,
      facesPerSecond: facesPerSecond?.toFixed(1) ?? null,
      minutesLeft: secondsLeft === null ? null : Math.ceil(secondsLeft / 60),
    })),
  );
  for (const company of companies) for (const notice of thresholdNotices(company)) console.error(notice);
}

type CompanyPipeline = z.infer<typeof companyPipeline>;
type Status = Pick<CompanyPipeline, 'company' | 'serving' | 'changingTo' | 'measured'>;

/** Warnings that thresholds measured on a company's own photos do not apply to another pipeline, before and after a switch. */
export function thresholdNotices({ company, serving, changingTo, measured }: Status): string[] {
  const remedy = `Measure again after the switch: vouch calibration measure PHOTOS --company ${JSON.stringify(company)} --apply`;
  const notices: string[] = [];
  if (measuredElsewhere(measured, serving))
    notices.push(
      `${company}: the thresholds measured on your own photos are for ${measured.join(', ')} and do not apply to ${serving}. ${remedy}`,
    );
  if (changingTo !== null && measured.includes(serving) && measuredElsewhere(measured, changingTo))
    notices.push(
      `${company}: the thresholds measured on your own photos apply to ${serving} only. After the switch, the default thresholds of ${changingTo} apply. ${remedy}`,
    );
  return notices;
}
