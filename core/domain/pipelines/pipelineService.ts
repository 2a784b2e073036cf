/** The pipelines of a company, for operators and the local administrator. */
import { CodedError, problem, type Problem } from '../../contracts/errors/problem.ts';
import type { AppliedCalibration } from '../../contracts/calibration.ts';
import { trusted, type CompanyId, type FaceId, type PipelineId } from '../../contracts/ids.ts';
import type { AuditContext, Company } from '../ports/auditContext.ts';
import type { ThresholdProfile } from '../../contracts/settings.ts';
import { appliedCalibrationOf, chooseThresholds, type AppliedPorts } from '../calibration/applied.ts';
import type { TemplateMigration } from './templateMigration.ts';
import type { PipelineFacts, PipelineRunner } from '../ports/pipelines.ts';
import type { PipelineStore } from '../../storage/faces/pipelines.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Storage } from '../../storage/index.ts';
import { Service } from '../serviceParts.ts';

export interface PipelineServicePorts extends AppliedPorts, Pick<Storage, 'pipelines' | 'companies'> {
  runner: PipelineRunner;
  templateMigration: TemplateMigration;
}

/** The selectable pipelines, and the faults of packs that cannot be selected. */
export interface Selectable {
  pipelines: PipelineFacts[];
  refused: { name: string; reason: Problem }[];
}

export class PipelineService extends Service<PipelineServicePorts> {
  /** The pipelines that any company can choose. */
  async selectable(): Promise<Selectable> {
    const { pipelines, refused } = await this.installed();
    return { pipelines: pipelines.filter(({ retired }) => !retired), refused };
  }

  /** The pipelines that can run, superseded ones included. */
  installed(): Promise<Selectable> {
    return this.ports.runner.list();
  }

  /** Which pipeline serves each company that has, or had, a face, and whether it can be run. */
  async serving(): Promise<{ company: string; pipeline: PipelineId; installed: boolean }[]> {
    const { companies, pipelines, runner } = this.ports;
    const names = new Map((await companies.list()).map(({ id, name }) => [id, name]));
    return (await pipelines.active()).flatMap(({ company, pipeline }) => {
      const name = names.get(company);
      const installed = runner.using(pipeline) !== undefined;
      return name === undefined ? [] : { company: name, pipeline, installed };
    });
  }

  /** @throws UnavailableError when the pipeline that serves is not installed */
  calibrationOf(company: CompanyId): Promise<AppliedCalibration> {
    return appliedCalibrationOf(this.ports, company);
  }

  /** Back to the thresholds that the pipeline ships. @returns what counts now */
  async uncalibrate(company: CompanyId, act: AuditContext): Promise<AppliedCalibration> {
    await this.ports.companyCalibrations.reset(company, act);
    return this.calibrationOf(company);
  }

  /** @returns the calibration that counts now @throws {CodedError} the pipeline has no such table */
  async chooseThresholds(
    company: CompanyId,
    table: ThresholdProfile,
    act: AuditContext,
  ): Promise<AppliedCalibration> {
    await chooseThresholds(this.ports, company, table, act);
    return this.calibrationOf(company);
  }

  /** A company and its pipeline. */
  async of(company: CompanyId) {
    const { pipelines, runner, recognition, templateMigration, companyCalibrations } = this.ports;
    const serving = recognition.pipelineOf(company);
    const known = (await runner.list()).pipelines;
    const migration = (await pipelines.migrations()).find((each) => each.company === company);
    return {
      serving,
      /** Null: its pack is not there (any more), and nothing can be compared until it is back or another one is chosen. */
      servingName: known.find(({ id }) => id === serving)?.name ?? null,
      migration: migration === undefined ? null : await templateMigration.progress(migration),
      /** Templates that are kept, also of pipelines that served before. */
      stored: await pipelines.stored(company),
      /** Those that the company's own photos were measured with. */
      measured: await companyCalibrations.measured(company),
    };
  }

  /**
   * Re-creates a company's templates with another pipeline, which becomes active as soon as all are done. Going back is the same:
   * the templates of the earlier pipeline still exist.
   * @param name `full`, `light`, or the name of a pack
   * @throws {CodedError} there is no such pipeline, or its pack is refused
   */
  async use(
    company: CompanyId,
    name: string,
    act: AuditContext,
    options: { chosen: boolean } = { chosen: true },
  ): Promise<void> {
    const { pipelines, runner, recognition, templateMigration } = this.ports;
    const found = await find(runner, name);
    if (found.retired && recognition.pipelineOf(company) !== found.id) {
      const successor = runner.successorOf(found.id)?.name ?? '';
      throw new CodedError(problem('PIPELINE_SUPERSEDED', { successor }));
    }
    const migration = (await pipelines.migrations()).find((each) => each.company === company);
    if (migration?.target === found.id) {
      await pipelines.change(company, { state: 'running' }, act);
      templateMigration.wake();
      return;
    }
    if (recognition.pipelineOf(company) === found.id && migration === undefined) return;
    const reason = await runner.problemWith(found.id);
    if (reason !== undefined) throw new CodedError(reason);
    await pipelines.begin(company, found.id, options, act);
    await pipelines.clearFailures(company, found.id);
    templateMigration.interrupt(company);
    templateMigration.wake();
  }

  /**
   * At a start: begins to change the companies that follow the setting of the installation and are served by another pipeline, and
   * those whose built-in pipeline was replaced by an update of the product.
   * @param wanted the setting of the installation; undefined: there is none, and each company keeps its pipeline
   */
  async applyInstallationPipeline(
    companies: Pick<Companies, 'list'>,
    wanted: string | undefined,
    act: AuditContext,
  ): Promise<void> {
    const { pipelines, runner, recognition } = this.ports;
    const chose = new Set(
      [...(await pipelines.active()), ...(await pipelines.migrations())].flatMap(
        ({ company, chosenForCompany }) => (chosenForCompany ? company : []),
      ),
    );
    for (const { id } of await companies.list()) {
      const follows = chose.has(id) ? undefined : wanted;
      const name = follows ?? runner.successorOf(recognition.pipelineOf(id))?.name;
      if (name !== undefined)
        await this.use(id, name, act, { chosen: false }).catch((error: unknown) => {
          // The company keeps its pipeline; the start logs the companies whose pipeline cannot be run.
          if (!(error instanceof CodedError)) throw error;
        });
    }
  }

  /** @returns false when nothing is under way */
  async pause(company: CompanyId, act: AuditContext): Promise<boolean> {
    return this.#change(company, { state: 'paused' }, act);
  }

  async resume(company: CompanyId, act: AuditContext): Promise<boolean> {
    return this.#change(company, { state: 'running' }, act);
  }

  /** Switches although the new pipeline refuses some faces: those match no longer, and stay listed. */
  async leaveRefused(company: CompanyId, act: AuditContext): Promise<boolean> {
    return this.#change(company, { withoutFailed: true, state: 'running' }, act);
  }

  /** Tries the refused faces again. */
  async retry(company: CompanyId, act: AuditContext): Promise<boolean> {
    const { pipelines } = this.ports;
    const migration = (await pipelines.migrations()).find((each) => each.company === company);
    if (migration === undefined) return false;
    await pipelines.clearFailures(company, migration.target);
    return this.#change(company, { state: 'running' }, act);
  }

  /** Keeps the active pipeline. The templates made so far stay until they are discarded. */
  async cancel(company: CompanyId, act: AuditContext): Promise<boolean> {
    const { pipelines, templateMigration } = this.ports;
    const cancelled = await pipelines.cancel(company, act);
    templateMigration.interrupt(company);
    return cancelled;
  }

  /** Faces that the pipeline which is, or was, changed to refuses. */
  async refused(company: CompanyId, page: { after: FaceId; limit: number }) {
    const { pipelines, recognition } = this.ports;
    const migration = (await pipelines.migrations()).find((each) => each.company === company);
    return pipelines.failures(company, migration?.target ?? recognition.pipelineOf(company), page);
  }

  /**
   * Erases the templates of a pipeline.
   * @param wanted its id, or its name where it is installed
   * @returns how many there were
   * @throws {CodedError} the pipeline serves, or is being changed to; or the company has no template of it
   */
  async discard(
    { id: company, name: ofCompany }: Company,
    wanted: string,
    act: AuditContext,
  ): Promise<number> {
    const { pipelines, runner, recognition } = this.ports;
    const named = (await runner.list()).pipelines.find(({ name }) => name === wanted)?.id;
    const pipeline = named ?? trusted.pipeline(wanted);
    const stored = (await pipelines.stored(company)).map((each) => each.pipeline);
    const used = [
      recognition.pipelineOf(company),
      ...(await pipelines.migrations()).flatMap((each) => (each.company === company ? each.target : [])),
    ];
    if (!stored.includes(pipeline) && !used.includes(pipeline)) {
      const names = stored.join(', ') || 'no pipeline';
      throw new CodedError(
        problem('PIPELINE_WITHOUT_TEMPLATES', { company: ofCompany, pipeline: wanted, stored: names }),
      );
    }
    const templates = await pipelines.discard(company, pipeline, act);
    if (templates === undefined)
      throw new CodedError(problem('PIPELINE_IN_USE', { pipeline: wanted, company: ofCompany }));
    return templates;
  }

  async #change(
    company: CompanyId,
    change: Parameters<PipelineStore['change']>[1],
    act: AuditContext,
  ): Promise<boolean> {
    const { pipelines, templateMigration } = this.ports;
    const changed = await pipelines.change(company, change, act);
    templateMigration.interrupt(company);
    templateMigration.wake();
    return changed;
  }
}

async function find(runner: PipelineRunner, name: string): Promise<PipelineFacts> {
  const { pipelines, refused } = await runner.list();
  const found = pipelines.find((each) => each.name === name);
  if (found !== undefined) return found;
  const known = pipelines.flatMap((each) => (each.retired ? [] : each.name)).join(', ');
  const unusable = refused.find((each) => each.name === name);
  throw new CodedError(unusable?.reason ?? problem('PIPELINE_UNKNOWN', { name, known }));
}
