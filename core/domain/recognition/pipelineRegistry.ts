import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { CompanySettings, ThresholdProfile } from '../../contracts/settings.ts';
import { UnavailableError } from '../ports/machine.ts';
import type { Recogniser, RecognitionPort, CompanyCalibration } from '../ports/recognition.ts';
import type { Calibration } from '../scores/scores.ts';
import type { PipelineRunner } from '../ports/pipelines.ts';
import type { CompanyCalibrations } from '../../storage/faces/companyCalibrations.ts';
import type { PipelineStore } from '../../storage/faces/pipelines.ts';
import type { Companies } from '../../storage/settings/companies.ts';

/** The stores that decide which pipeline and which thresholds a company has. */
export interface RecognitionStores {
  companies: Pick<Companies, 'list' | 'followSettings'>;
  pipelines: Pick<PipelineStore, 'active' | 'onSwitch'>;
  companyCalibrations: Pick<CompanyCalibrations, 'list' | 'follow'>;
}

/** A change of pipeline that is in progress. */
export interface ExtractionProgress {
  target: PipelineId;
  extracted: number;
  total: number;
}

/**
 * Which pipeline and which thresholds each company has: a copy in memory of what the stores hold. The stores report each
 * committed change, so no writer has to update the copy.
 */
export class PipelineRegistry implements RecognitionPort {
  readonly workers: number;
  readonly #runner: PipelineRunner;
  readonly #serving = new Map<CompanyId, PipelineId>();
  readonly #calibrated = new Map<CompanyId, Map<PipelineId, Calibration>>();
  readonly #strict = new Set<CompanyId>();
  readonly #progress = new Map<CompanyId, ExtractionProgress>();
  readonly #switching = new Map<CompanyId, Promise<unknown>>();

  private constructor(runner: PipelineRunner & { workers: number }) {
    this.#runner = runner;
    this.workers = runner.workers;
  }

  /** Reads the stores, and follows them from then on. */
  static async open(
    runner: PipelineRunner & { workers: number },
    { companies, pipelines, companyCalibrations }: RecognitionStores,
  ): Promise<PipelineRegistry> {
    const recognition = new PipelineRegistry(runner);
    const serve = (company: CompanyId, pipeline: PipelineId) => {
      recognition.#serving.set(company, pipeline);
    };
    const chooseTable = (company: CompanyId, { thresholds }: CompanySettings) => {
      if (thresholds === 'strict') recognition.#strict.add(company);
      else recognition.#strict.delete(company);
    };
    const calibrate = (company: CompanyId, calibrations: readonly CompanyCalibration[]) => {
      const own = calibrations.map(({ pipeline, calibration }) => [pipeline, calibration] as const);
      recognition.#calibrated.set(company, new Map(own));
    };
    companies.followSettings(chooseTable);
    pipelines.onSwitch(serve);
    companyCalibrations.follow(calibrate);
    for (const { id, settings } of await companies.list()) chooseTable(id, settings);
    for (const { company, pipeline } of await pipelines.active()) serve(company, pipeline);
    const stored = Map.groupBy(await companyCalibrations.list(), ({ company }) => company);
    for (const [company, calibrations] of stored) calibrate(company, calibrations);
    return recognition;
  }

  /** The pipeline of a company; the installation's standard while it has had no face. */
  pipelineOf(company: CompanyId): PipelineId {
    return this.#serving.get(company) ?? this.#runner.standard.id;
  }

  get serving(): ReadonlyMap<CompanyId, PipelineId> {
    return this.#serving;
  }

  of(company: CompanyId): Recogniser {
    const pipeline = this.pipelineOf(company);
    const recogniser = this.#runner.using(pipeline, company);
    if (recogniser === undefined) throw new UnavailableError(this.#whyMissing(company, pipeline));
    const calibration = this.calibrationOf(company, pipeline) ?? recogniser.calibration;
    return calibration === recogniser.calibration ? recogniser : { ...recogniser, calibration };
  }

  /** How far the change of a company to another pipeline is; undefined: none is in progress. */
  noteProgress(company: CompanyId, progress: ExtractionProgress | undefined): void {
    if (progress === undefined) this.#progress.delete(company);
    else this.#progress.set(company, progress);
  }

  #whyMissing(company: CompanyId, pipeline: PipelineId): string {
    const progress = this.#progress.get(company);
    if (progress !== undefined)
      return `The templates of this company are being re-created by ${progress.target}: ${progress.extracted} of ${progress.total} are done. Try again when all are.`;
    if (this.#runner.successorOf(pipeline) !== undefined)
      return `The pipeline ${pipeline} of this company is of an earlier version. Its templates have to be re-created first: vouch pipeline status`;
    return `The pipeline ${pipeline} of this company is not installed. Put its pack back, which is noticed within seconds, or choose another pipeline: vouch pipeline use`;
  }

  calibrationOf(company: CompanyId, pipeline: PipelineId): Calibration | undefined {
    const shipped = this.shippedCalibration(pipeline);
    const own = this.#calibrated.get(company)?.get(pipeline);
    // A company measures who its own people are confused with; how alike two photos of one person are, the pipeline ships.
    if (own !== undefined) return { ...own, likelihood: shipped?.likelihood, found: shipped?.found };
    return (this.#strict.has(company) ? this.strictCalibration(pipeline) : undefined) ?? shipped;
  }

  /** The rates that a pipeline ships for its distances. */
  shippedCalibration(pipeline: PipelineId): Calibration | undefined {
    return this.#runner.using(pipeline)?.calibration;
  }

  /** Its rates for people who look alike to it; undefined where it has no such table. */
  strictCalibration(pipeline: PipelineId): Calibration | undefined {
    return this.#runner.using(pipeline)?.strict;
  }

  tableOf(company: CompanyId): ThresholdProfile {
    return this.#strict.has(company) ? 'strict' : 'default';
  }

  async whenNotSwitching(company: CompanyId): Promise<void> {
    await this.#switching.get(company);
  }

  /** Does `work`, which may change the company's pipeline, while no new face of the company is written. */
  async switching(company: CompanyId, work: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#switching.set(company, promise);
    try {
      await work();
    } finally {
      this.#switching.delete(company);
      resolve(undefined);
    }
  }
}
