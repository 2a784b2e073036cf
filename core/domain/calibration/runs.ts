import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { Company } from '../ports/companies.ts';
import { hexOf } from '../common/encoding.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import { PipelineChanged, type Clock, type Timer } from '../ports/machine.ts';
import type { PipelineRegistry } from '../recognition/pipelineRegistry.ts';
import {
  calibrationFrom,
  measureCompany,
  type LabelledTemplate,
  type CompanyMeasurement,
} from './measure.ts';
import type { CompanyCalibration, CompanyCalibrations } from '../ports/calibration.ts';

/** Photos of one run: their pairs fit in memory, and in a minute of one core. */
export const MOST_PHOTOS = 3_000;
/** Runs that are kept at once on the installation; the one used longest ago goes. */
const MOST_RUNS = 4;

interface Run {
  company: CompanyId;
  pipeline: PipelineId;
  templates: LabelledTemplate[];
  refused: { person: string; file: string; code: FailureCode }[];
  /** By SHA-256 of the file. */
  photos: Map<string, LabelledPhoto>;
  /** The same photo was added under two people: rates from it would be wrong. */
  mislabelled: boolean;
  measured?: CompanyMeasurement;
}

interface LabelledPhoto {
  person: string;
  file: string;
}

/** What came of a photo. `full`: the run takes no more. */
export type Added =
  | { kind: 'described' | 'full' | 'unknown-run' }
  | { kind: 'refused'; code: FailureCode }
  /** The same bytes as an earlier photo: of the same person it is counted once, of another one of the labels is wrong. */
  | { kind: 'same-photo'; as: LabelledPhoto };

export interface RunReport extends CompanyMeasurement {
  pipeline: PipelineId;
  /** Photos without a usable face. ISO/IEC 19795-1: failure to acquire. */
  refused: { person: string; file: string; code: FailureCode }[];
  failureToAcquire: number;
}

interface RunPorts {
  recognition: PipelineRegistry;
  companyCalibrations: CompanyCalibrations;
  clock: Clock;
  crypto: CryptoPort;
  timer: Timer;
}

/** Measurements under way. They live in memory alone: a photo of a run is neither kept nor enrolled. */
export class CalibrationRuns {
  readonly #ports: RunPorts;
  readonly #runs = new Map<string, Run>();

  constructor(ports: RunPorts) {
    this.#ports = ports;
  }

  begin(company: CompanyId): string {
    const id = this.#ports.crypto.randomUuid();
    const pipeline = this.#ports.recognition.pipelineOf(company);
    this.#runs.set(id, {
      ...{ company, pipeline, templates: [], refused: [], photos: new Map(), mislabelled: false },
    });
    for (const old of this.#runs.keys()) if (this.#runs.size > MOST_RUNS) this.#runs.delete(old);
    return id;
  }

  /**
   * Looks at a photo as enrolment does, with the company's quality gate.
   * @throws {PipelineChanged} the company is served by another pipeline since the run began: start a new run
   */
  async add(
    { id: company, settings }: Pick<Company, 'id' | 'settings'>,
    id: string,
    photo: { person: string; file: string; image: Uint8Array },
  ): Promise<Added> {
    const run = this.#find(company, id);
    if (run === undefined) return { kind: 'unknown-run' };
    if (run.templates.length + run.refused.length >= MOST_PHOTOS) return { kind: 'full' };
    const recogniser = this.#ports.recognition.of(company);
    if (recogniser.pipelineId !== run.pipeline) throw new PipelineChanged();
    const { person, file, image } = photo;
    const hash = hexOf(this.#ports.crypto.sha256(image));
    const as = run.photos.get(hash);
    if (as !== undefined) {
      if (as.person !== person) run.mislabelled = true;
      return { kind: 'same-photo', as };
    }
    run.photos.set(hash, { person, file });
    const analysis = await recogniser.enrol(image, { gate: settings.gate, priority: 'bulk' });
    if (analysis.kind === 'refused') {
      run.refused.push({ person, file, code: analysis.code });
      return { kind: 'refused', code: analysis.code };
    }
    run.templates.push({ person, vector: analysis.face.template.vector });
    delete run.measured;
    return { kind: 'described' };
  }

  async report(company: CompanyId, id: string): Promise<RunReport | undefined> {
    const run = this.#find(company, id);
    if (run === undefined) return undefined;
    const shipped = this.#ports.recognition.shippedCalibration(run.pipeline);
    if (shipped === undefined) throw new PipelineChanged();
    run.measured ??= await measureCompany(this.#ports.timer, run.templates, shipped);
    const photos = run.templates.length + run.refused.length;
    return {
      ...run.measured,
      pipeline: run.pipeline,
      refused: run.refused,
      failureToAcquire: photos === 0 ? 0 : run.refused.length / photos,
    };
  }

  /**
   * Makes what was measured the company's calibration: thresholds, scores and bands follow it from here on.
   * @returns why not, or 'applied'
   */
  async apply(
    company: CompanyId,
    id: string,
    act: AuditContext,
  ): Promise<'applied' | 'unknown-run' | 'mislabelled' | 'too-few'> {
    const { recognition, companyCalibrations } = this.#ports;
    const run = this.#find(company, id);
    const report = await this.report(company, id);
    if (run?.measured === undefined || report === undefined) return 'unknown-run';
    if (run.mislabelled) return 'mislabelled';
    if (report.tooFew !== null) return 'too-few';
    const shipped = recognition.shippedCalibration(run.pipeline);
    if (shipped === undefined) throw new PipelineChanged();
    const { people, photos, nonMatedPairs, matedPairs, failureToAcquire, points, det } = report;
    const calibration: CompanyCalibration = {
      company,
      pipeline: run.pipeline,
      calibration: calibrationFrom(run.measured, shipped),
      people,
      photos,
      nonMatedPairs,
      measured: { matedPairs, failureToAcquire, points, det },
      appliedAt: act.at,
    };
    await companyCalibrations.apply(calibration, act);
    return 'applied';
  }

  /** Of another company a run does not exist. */
  #find(company: CompanyId, id: string): Run | undefined {
    const run = this.#runs.get(id);
    if (run?.company !== company) return undefined;
    this.#runs.delete(id);
    this.#runs.set(id, run);
    return run;
  }
}
