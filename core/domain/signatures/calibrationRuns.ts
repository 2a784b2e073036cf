import { KeptRuns } from '../work/keptRuns.ts';
import { CodedError, problem, errorOf } from '../../contracts/errors/problem.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type {
  AddedSignature,
  AppliedSignatureCalibration,
  LabelledSignature,
  SignatureCalibrationProgress,
  SignatureCalibrationReport,
} from '../../contracts/signatureCalibration.ts';
import { hexOf } from '../values/bytes.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import { compareLabelled, planComparisons, type PlannedComparisons } from './labelledComparison.ts';
import type { LabelledImage } from './pairs.ts';
import type { SignatureCalibrations } from '../../storage/screening/signatureCalibrations.ts';
import type { Parts } from '../serviceParts.ts';

/** Signatures of one run, and bytes of all runs of a company: they stay in memory until the run ends. */
const MAX_SIGNATURES = 2_000;
const MAX_BYTES = 512 * 1024 * 1024;

interface Run {
  company: CompanyId;
  images: LabelledImage[];
  bytes: number;
  /** By SHA-256 of the file. */
  known: Map<string, LabelledSignature>;
  /** The same file was added under two labels: rates from it would be wrong. */
  mislabelled: boolean;
  comparing?: { compared: number; total: number; since: Date };
  report?: SignatureCalibrationReport;
  /** Why the comparison stopped before its end; reported to the next reader, which can start it again. */
  failure?: Error;
}

export interface SignatureCalibrationPorts extends Pick<Parts, 'signatures' | 'clock' | 'crypto' | 'log'> {
  signatureCalibrations: Pick<SignatureCalibrations, 'list' | 'of' | 'apply' | 'reset'>;
}

/** Measurements of labelled signatures under way. They live in memory alone: no signature of a run is kept. */
export class SignatureCalibrationRuns {
  readonly #ports: SignatureCalibrationPorts;
  readonly #runs: KeptRuns<Run>;

  constructor(ports: SignatureCalibrationPorts) {
    this.#ports = ports;
    this.#runs = new KeptRuns(ports.clock);
  }

  begin(company: CompanyId): string {
    const id = this.#ports.crypto.randomUuid();
    this.#runs.add(id, { company, images: [], bytes: 0, known: new Map(), mislabelled: false });
    return id;
  }

  /**
   * Adds a signature. Whether it can be compared is found when the pairs are.
   * @throws {CodedError} the run is unknown, full or comparing already
   */
  add(company: CompanyId, id: string, { image, ...label }: LabelledImage): AddedSignature {
    const run = this.#runs.use(company, id);
    if (run.comparing !== undefined) throw new CodedError(problem('SIGNATURE_CALIBRATION_CLOSED'));
    const hash = hexOf(this.#ports.crypto.sha256(image));
    const sameAs = run.known.get(hash);
    if (sameAs !== undefined) {
      if (sameAs.writer !== label.writer || sameAs.forgery !== label.forgery) run.mislabelled = true;
      return { sameAs };
    }
    if (run.images.length >= MAX_SIGNATURES || this.#bytesOf(company) + image.byteLength > MAX_BYTES)
      throw new CodedError(
        problem('SIGNATURE_CALIBRATION_FULL', { most: MAX_SIGNATURES, megabytes: MAX_BYTES / 2 ** 20 }),
      );
    run.known.set(hash, label);
    run.images.push({ image, ...label });
    run.bytes += image.byteLength;
    return { sameAs: null };
  }

  /**
   * Starts to compare the pairs, unless it has begun, and says how far it is.
   * @throws {CodedError} the run is unknown, or a file is labelled twice
   */
  progress(company: CompanyId, id: string): SignatureCalibrationProgress {
    const run = this.#runs.use(company, id);
    if (run.mislabelled) throw new CodedError(problem('SIGNATURE_CALIBRATION_MISLABELLED'));
    if (run.failure !== undefined) {
      const { failure } = run;
      delete run.failure;
      delete run.comparing;
      throw failure;
    }
    const comparing = run.comparing ?? this.#start(id, run);
    const { compared, total, since } = comparing;
    const spent = this.#ports.clock.now().getTime() - since.getTime();
    const secondsLeft = compared === 0 ? null : Math.ceil(((total - compared) * spent) / compared / 1_000);
    return { run: id, compared, total, secondsLeft, report: run.report ?? null };
  }

  /**
   * Makes the measurement the company's scale: similarities and verdicts follow it from here on.
   * @throws {CodedError} the run is unknown or not compared yet, or there are too few signatures
   */
  async apply(company: CompanyId, id: string, act: AuditContext): Promise<void> {
    const { report } = this.#runs.use(company, id);
    if (report === undefined) throw new CodedError(problem('SIGNATURE_CALIBRATION_UNFINISHED'));
    if (report.tooFew !== null) throw new CodedError(problem('SIGNATURE_CALIBRATION_TOO_FEW'));
    const { tooFew: _tooFew, unusable: _unusable, ...measured } = report;
    const { modelVersion } = this.#ports.signatures;
    await this.#ports.signatureCalibrations.apply(
      { company, modelVersion, measured, appliedAt: act.at },
      act,
    );
  }

  #bytesOf(company: CompanyId): number {
    return this.#runs.of(company).reduce((sum, run) => sum + run.bytes, 0);
  }

  #start(id: string, run: Run): NonNullable<Run['comparing']> {
    const plan = planComparisons(run.images);
    const comparing = { compared: 0, total: plan.total, since: this.#ports.clock.now() };
    run.comparing = comparing;
    this.#compare(id, run, plan).catch((error: unknown) => {
      this.#ports.log.warn({ err: error }, 'a signature calibration stopped');
      run.failure = errorOf(error);
    });
    return comparing;
  }

  async #compare(id: string, run: Run, plan: PlannedComparisons): Promise<void> {
    const report = await compareLabelled(
      this.#ports.signatures.preparingOnce(run.company),
      run.images,
      plan,
      {
        // A run that gave way to newer ones, or that was left, ends.
        goesOn: () => this.#runs.has(id),
        compared: (pairs) => (run.comparing!.compared += pairs),
      },
    );
    if (report === null) return;
    run.report = report;
    run.images = [];
    run.bytes = 0;
  }

  /** Forgets the runs that were not used for an hour, with all that they hold. */
  forgetUnused(): void {
    this.#runs.forgetUnused();
  }
}

/** The scale of similarities at a company with the matcher in use, and its basis. */
export async function appliedSignatureCalibration(
  {
    signatures,
    signatureCalibrations,
  }: Pick<SignatureCalibrationPorts, 'signatures' | 'signatureCalibrations'>,
  company: CompanyId,
): Promise<AppliedSignatureCalibration> {
  const { modelVersion } = signatures;
  const all = await signatureCalibrations.list(company);
  const own = all.find((each) => each.modelVersion === modelVersion);
  return {
    modelVersion,
    appliedAt: own?.appliedAt.toISOString() ?? null,
    measured: own?.measured ?? null,
    elsewhere: all.filter((each) => each !== own).map((each) => each.modelVersion),
  };
}
