import { KeptRuns } from '../work/keptRuns.ts';
import type { AddedPhoto } from '../../contracts/calibration.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { AuditContext, Company } from '../ports/auditContext.ts';
import { hexOf } from '../values/bytes.ts';
import { PipelineChanged, type Platform } from '../ports/machine.ts';
import type { PipelineRegistry } from '../recognition/pipelineRegistry.ts';
import {
  calibrationFrom,
  measureCompany,
  type LabelledTemplate,
  type CompanyMeasurement,
} from './measure.ts';
import type { Storage } from '../../storage/index.ts';
import type { CompanyCalibration } from '../ports/recognition.ts';

/** Photos of one run: their pairs fit in memory, and in a minute of one core. */
const MAX_PHOTOS = 3_000;

interface Run {
  company: CompanyId;
  pipeline: PipelineId;
  templates: LabelledTemplate[];
  refused: { person: string; file: string; code: FailureCode }[];
  /** By SHA-256 of the file. */
  photos: Map<string, LabelledPhoto>;
  /** The same photo was added under two people: rates from it would be wrong. */
  mislabelled: boolean;
  groupOf: ReadonlyMap<string, string>;
  measured?: CompanyMeasurement;
}

interface LabelledPhoto {
  person: string;
  file: string;
}

export interface RunReport extends CompanyMeasurement {
  pipeline: PipelineId;
  /** Photos without a usable face. ISO/IEC 19795-1: failure to acquire. */
  refused: { person: string; file: string; code: FailureCode }[];
  failureToAcquire: number;
  /** People with a group of whom no photo was sent. */
  unmatched: string[];
}

interface RunPorts
  extends Pick<Storage, 'companyCalibrations'>, Pick<Platform, 'clock' | 'crypto' | 'timer'> {
  recognition: PipelineRegistry;
}

/** Measurements under way. They live in memory alone: a photo of a run is neither kept nor enrolled. */
export class CalibrationRuns {
  readonly #ports: RunPorts;
  readonly #runs: KeptRuns<Run>;

  constructor(ports: RunPorts) {
    this.#ports = ports;
    this.#runs = new KeptRuns(ports.clock);
  }

  /** @param groups of people by their names, for rates by group */
  begin(company: CompanyId, groups: Readonly<Record<string, string>> = {}): string {
    const id = this.#ports.crypto.randomUuid();
    const pipeline = this.#ports.recognition.pipelineOf(company);
    this.#runs.add(id, {
      company,
      pipeline,
      templates: [],
      refused: [],
      photos: new Map(),
      mislabelled: false,
      groupOf: new Map(Object.entries(groups)),
    });
    return id;
  }

  /**
   * Extracts a template from a photo as enrolment does, with the company's quality thresholds.
   * @throws {CodedError} the run is unknown or full
   * @throws {PipelineChanged} another pipeline serves the company since the run began: start a new run
   */
  async add(
    { id: company, settings }: Pick<Company, 'id' | 'settings'>,
    id: string,
    photo: { person: string; file: string; image: Uint8Array },
  ): Promise<AddedPhoto> {
    const run = this.#runs.use(company, id);
    if (run.templates.length + run.refused.length >= MAX_PHOTOS)
      throw new CodedError(problem('CALIBRATION_FULL', { most: MAX_PHOTOS }));
    const recogniser = this.#ports.recognition.of(company);
    if (recogniser.pipelineId !== run.pipeline) throw new PipelineChanged();
    const { person, file, image } = photo;
    const hash = hexOf(this.#ports.crypto.sha256(image));
    const sameAs = run.photos.get(hash);
    if (sameAs !== undefined) {
      if (sameAs.person !== person) run.mislabelled = true;
      return { refused: null, sameAs };
    }
    run.photos.set(hash, { person, file });
    const analysis = await recogniser.enrol(image, { gate: settings.gate, priority: 'bulk' });
    if (analysis.kind === 'refused') {
      run.refused.push({ person, file, code: analysis.code });
      return { refused: analysis.code, sameAs: null };
    }
    run.templates.push({ person, vector: analysis.face.template.vector });
    delete run.measured;
    return { refused: null, sameAs: null };
  }

  /** @throws {CodedError} the run is unknown */
  async report(company: CompanyId, id: string): Promise<RunReport> {
    const run = this.#runs.use(company, id);
    const shipped = this.#ports.recognition.shippedCalibration(run.pipeline);
    if (shipped === undefined) throw new PipelineChanged();
    const measured = (run.measured ??= await measureCompany(
      this.#ports.timer,
      run.templates,
      shipped,
      run.groupOf,
    ));
    const photos = run.templates.length + run.refused.length;
    const sent = new Set([...run.templates, ...run.refused].map(({ person }) => person.normalize('NFC')));
    return {
      unmatched: [...run.groupOf.keys()].filter((person) => !sent.has(person)),
      ...measured,
      pipeline: run.pipeline,
      refused: run.refused,
      failureToAcquire: photos === 0 ? 0 : run.refused.length / photos,
    };
  }

  /**
   * Makes the measurement the company's calibration: thresholds, scores and bands follow it from here on.
   * @throws {CodedError} the run is unknown, a photo is labelled as two people, or there are too few photos
   */
  async apply(company: CompanyId, id: string, act: AuditContext): Promise<void> {
    const { recognition, companyCalibrations } = this.#ports;
    const report = await this.report(company, id);
    const { pipeline, mislabelled } = this.#runs.use(company, id);
    if (mislabelled) throw new CodedError(problem('CALIBRATION_MISLABELLED'));
    if (report.tooFew !== null) throw new CodedError(problem('CALIBRATION_TOO_FEW'));
    const shipped = recognition.shippedCalibration(pipeline);
    if (shipped === undefined) throw new PipelineChanged();
    const { people, photos, nonMatedPairs, matedPairs, failureToAcquire, points, det, groups } = report;
    const calibration: CompanyCalibration = {
      company,
      pipeline,
      calibration: calibrationFrom(report, shipped),
      people,
      photos,
      nonMatedPairs,
      measured: { matedPairs, failureToAcquire, points, det, groups },
      appliedAt: act.at,
    };
    await companyCalibrations.apply(calibration, act);
  }

  /** Forgets the runs that were not used for an hour, with all that they hold. */
  forgetUnused(): void {
    this.#runs.forgetUnused();
  }
}
