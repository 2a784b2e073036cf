import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { ThresholdTable } from '../../contracts/settings.ts';
import { UnavailableError } from '../ports/machine.ts';
import type { Recogniser, RecognitionPort } from '../ports/recognition.ts';
import type { SiteCalibration } from '../calibration/ports.ts';
import type { Calibration } from '../scores.ts';
import type { PipelineRunner, Serving } from './ports.ts';

/** Which pipeline serves which company, at this moment: what the store says, kept in memory because everybody asks. */
export class SiteRecognition implements RecognitionPort {
  readonly workers: number;
  readonly #runner: PipelineRunner;
  readonly #serving: Map<CompanyId, PipelineId>;
  readonly #calibrated = new Map<CompanyId, Map<PipelineId, Calibration>>();
  readonly #strict: Set<CompanyId>;
  readonly #switching = new Map<CompanyId, Promise<unknown>>();

  constructor(
    runner: PipelineRunner & { workers: number },
    serving: readonly Serving[],
    calibrations: readonly SiteCalibration[] = [],
    strict: readonly CompanyId[] = [],
  ) {
    this.#strict = new Set(strict);
    this.#runner = runner;
    this.workers = runner.workers;
    this.#serving = new Map(serving.map(({ company, pipeline }) => [company, pipeline]));
    for (const calibration of calibrations) this.calibrate(calibration);
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
    const recogniser = this.#runner.using(pipeline);
    if (recogniser === undefined)
      throw new UnavailableError(
        `The pipeline ${pipeline} serves this company and is not installed. Put its pack back, or choose another one with: vouch pipeline use`,
      );
    const calibration = this.calibrationOf(company, pipeline) ?? recogniser.calibration;
    return calibration === recogniser.calibration ? recogniser : { ...recogniser, calibration };
  }

  calibrationOf(company: CompanyId, pipeline: PipelineId): Calibration | undefined {
    return (
      this.#calibrated.get(company)?.get(pipeline) ??
      (this.#strict.has(company) ? this.strictCalibration(pipeline) : undefined) ??
      this.shippedCalibration(pipeline)
    );
  }

  /** What a pipeline itself says its distances mean. */
  shippedCalibration(pipeline: PipelineId): Calibration | undefined {
    return this.#runner.using(pipeline)?.calibration;
  }

  /** What it says of people who look alike to it; undefined where it has no such table. */
  strictCalibration(pipeline: PipelineId): Calibration | undefined {
    return this.#runner.using(pipeline)?.strict;
  }

  tableOf(company: CompanyId): ThresholdTable {
    return this.#strict.has(company) ? 'strict' : 'usual';
  }

  /** From here on this table of its pipeline counts for the company, where its own photos do not say more. */
  useTable(company: CompanyId, table: ThresholdTable): void {
    if (table === 'strict') this.#strict.add(company);
    else this.#strict.delete(company);
  }

  /** From here on distances mean at this company what its own photos showed. */
  calibrate({ company, pipeline, calibration }: SiteCalibration): void {
    const of = this.#calibrated.get(company) ?? new Map<PipelineId, Calibration>();
    this.#calibrated.set(company, of.set(pipeline, calibration));
  }

  uncalibrate(company: CompanyId): void {
    this.#calibrated.delete(company);
  }

  async steady(company: CompanyId): Promise<void> {
    await this.#switching.get(company);
  }

  /** Does `work`, which may call {@link serve}, while no new face of the company is written. */
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

  serve(company: CompanyId, pipeline: PipelineId): void {
    this.#serving.set(company, pipeline);
  }
}
