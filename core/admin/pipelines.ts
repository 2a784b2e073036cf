import { problem, sentenceOf, CodedError } from '../contracts/errors/problem.ts';
import type { AdminCommandHandlers, AdminOutput } from '../contracts/admin/commands.ts';
import { trusted } from '../contracts/ids.ts';
import { FAILURES } from '../contracts/errors/failures.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { Company } from '../domain/ports/companies.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { CompanyPipelines, PipelineService } from '../domain/pipelines/service.ts';
import type { Companies } from '../storage/settings/companies.ts';

export interface PipelineCommandPorts {
  companies: Companies;
  clock: Clock;
  pipelineService: PipelineService;
}

/** The handlers of `vouch pipeline …`. */
export function pipelineCommands({
  companies,
  clock,
  pipelineService,
}: PipelineCommandPorts): Pick<
  AdminCommandHandlers,
  Extract<keyof AdminCommandHandlers, `pipeline.${string}`>
> {
  const chosen = async (name: string | undefined): Promise<Company[]> =>
    name === undefined ? companies.list() : [await companyNamed(companies, name)];
  const view = async (company: Company) => companyView(company.name, await pipelineService.of(company.id));
  const change = async (
    name: string,
    act: (company: Company) => Promise<boolean>,
  ): Promise<AdminOutput<'pipeline.pause'>> => {
    const company = await companyNamed(companies, name);
    if (!(await act(company))) throw new CodedError(problem('PIPELINE_NOT_CHANGING', { company: name }));
    return view(company);
  };
  return {
    async 'pipeline.list'() {
      const { pipelines, refused } = await pipelineService.selectable();
      return {
        pipelines: pipelines.map(({ calibration: _calibration, strict: _strict, ...facts }) => facts),
        refused: refused.map(({ name, reason }) => ({ name, reason: sentenceOf(reason) })),
      };
    },
    async 'pipeline.status'(input) {
      return Promise.all((await chosen(input.company)).map(view));
    },
    async 'pipeline.use'(input) {
      const act = asLocalAdmin(clock);
      const changing = await chosen(input.company);
      for (const company of changing) {
        const choice = await pipelineService.use(company.id, input.name, act);
        if (choice.kind === 'refused')
          throw new CodedError(
            problem('PIPELINE_NOT_CHOSEN', { name: input.name, reason: sentenceOf(choice.reason) }),
          );
      }
      return Promise.all(changing.map(view));
    },
    'pipeline.pause': (input) =>
      change(input.company, ({ id }) => pipelineService.pause(id, asLocalAdmin(clock))),
    'pipeline.resume': (input) =>
      change(input.company, ({ id }) => pipelineService.resume(id, asLocalAdmin(clock))),
    'pipeline.retry': (input) =>
      change(input.company, ({ id }) => pipelineService.retry(id, asLocalAdmin(clock))),
    'pipeline.cancel': (input) =>
      change(input.company, ({ id }) => pipelineService.cancel(id, asLocalAdmin(clock))),
    'pipeline.skip-failed': (input) =>
      change(input.company, ({ id }) => pipelineService.leaveRefused(id, asLocalAdmin(clock))),
    async 'pipeline.failures'(input) {
      const { id } = await companyNamed(companies, input.company);
      const faces = await pipelineService.refused(id, {
        after: trusted.face(input.after),
        limit: input.limit,
      });
      return faces.map(({ faceId, name, watchlist, code }) => ({
        faceId,
        name,
        watchlist: watchlist.kind,
        code,
        reason: FAILURES[code].sentence,
      }));
    },
    async 'pipeline.purge'(input) {
      const company = await companyNamed(companies, input.company);
      const discarded = await pipelineService.discard(company.id, input.pipeline, asLocalAdmin(clock));
      if (discarded.kind === 'in-use')
        throw new CodedError(
          problem('PIPELINE_IN_USE', { pipeline: input.pipeline, company: input.company }),
        );
      if (discarded.kind === 'unknown')
        throw new CodedError(
          problem('PIPELINE_WITHOUT_TEMPLATES', {
            company: input.company,
            pipeline: input.pipeline,
            stored: discarded.stored.join(', ') || 'no pipeline',
          }),
        );
      return { templates: discarded.templates };
    },
  };
}

function companyView(
  company: string,
  { serving, servingName, migration, stored, measured }: CompanyPipelines,
): AdminOutput<'pipeline.status'>[number] {
  return {
    company,
    serving,
    name: servingName,
    changingTo: migration?.migration.target ?? null,
    stage: migration?.stage ?? null,
    faces: migration?.total ?? null,
    extracted: migration?.extracted ?? null,
    refused: migration?.refused ?? null,
    facesPerSecond: migration?.rate ?? null,
    secondsLeft: migration?.secondsLeft ?? null,
    stored,
    measured,
  };
}
