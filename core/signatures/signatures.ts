/** The signature port over worker processes of its own: comparisons and enrolment never wait for each other. */
import { fileURLToPath } from 'node:url';
import type { SignaturePort } from '../domain/ports/signatures.ts';
import type { CompanyId } from '../contracts/ids.ts';
import { IMAGE_LIMITS } from '../contracts/limits/limits.ts';
import { ProcessPool, type WorkerStats } from '../workers/processPool.ts';
import { CALIBRATION } from './calibration.ts';
import type { SignatureFault } from '../contracts/signatures.ts';
import { signatureAnswer } from './answers.ts';
import type { SignatureWorkerJob, SignatureWorkerResult } from './engine.ts';
import { partedAnswer, preparedAnswer, scoredAnswer } from './known/answers.ts';
import { compareKnownSet, type Crew, type GaveUp } from './known/knownSet.ts';
import { preparingOnce } from './known/preparedOnce.ts';

export interface SignatureOptions {
  /** Worker processes, about 100 MB each; one by default: it does more than ten comparisons a second. The pairs of a known set are spread over them. */
  workers?: number;
  /** Time that one comparison may take, milliseconds. */
  timeLimitMs?: number;
  /** Comparisons that may wait; beyond this number a request is rejected and asks the caller to retry later. */
  maxWaiting?: number;
  /** Program of a worker; default: the source beside this file. */
  workerPath?: string;
  /** Told of every worker that ended unasked; for the log. */
  onWorkerDeath?: (reason: string) => void;
}

/**
 * A comparison makes short-lived arrays and is one core's work: collecting them on further threads costs more to hand
 * out than to do. They live outside of V8's heap, which would be marked because of them if it could not grow.
 */
export const SIGNATURE_WORKER_FLAGS: readonly string[] = ['--single-threaded-gc', '--initial-heap-size=128'];

/** Two progressive JPEGs of 25 megapixels take 2 s on a slow core; the caller waits for the answer. */
const TIME_LIMIT_MS = 10_000;
/** Less than ten seconds of work. */
const MAX_WAITING = 100;

/** Signature comparison over a pool of worker processes. */
export interface Signatures extends SignaturePort {
  /** Starts the first worker, so that the first comparison does not wait for it. @throws {UnavailableError} it cannot start */
  start(): Promise<void>;
  /** Counts and confinement of the workers. */
  workerStats(): WorkerStats;
}

/** A worker's result to a job, checked. */
function checkedAnswer(answer: unknown, job: SignatureWorkerJob): SignatureWorkerResult {
  if (job.kind === 'prepare') return preparedAnswer(answer, job);
  if (job.kind === 'part') return partedAnswer(answer, job);
  return job.kind === 'score' ? scoredAnswer(answer, job) : signatureAnswer(answer, job);
}

/** Faults that a decoder found. */
const DECODER_FAULTS: ReadonlySet<SignatureFault | undefined> = new Set(['UNDECODABLE', 'UNSUPPORTED_KIND']);

/** Whether an image of the answer is damaged. */
function undecodable(result: SignatureWorkerResult | GaveUp): boolean {
  if (result.kind === 'fault') return DECODER_FAULTS.has(result.fault);
  if (result.kind !== 'refused') return false;
  return DECODER_FAULTS.has(result.faults.image1) || DECODER_FAULTS.has(result.faults.image2);
}

/** The check of answers lets no other kind of result through. */
function unexpected(kind: string): Error {
  return new Error(`A signature worker answered another job: ${kind}.`);
}

type Pool = ProcessPool<SignatureWorkerJob, SignatureWorkerResult | GaveUp>;

/** Workers start with the first comparison, or with {@link Signatures.start}. */
export function createSignatures(options: SignatureOptions = {}): Signatures {
  const { modelVersion } = CALIBRATION;
  const workers = options.workers ?? 1;
  const pool: Pool = new ProcessPool<SignatureWorkerJob, SignatureWorkerResult | GaveUp>({
    name: 'signature matching',
    workerPath: options.workerPath ?? fileURLToPath(new URL('./worker.ts', import.meta.url)),
    workerArguments: [],
    workerFlags: SIGNATURE_WORKER_FLAGS,
    reads: [],
    memoryLimit: () => IMAGE_LIMITS.workerBytes,
    workers,
    timeLimitMs: options.timeLimitMs ?? TIME_LIMIT_MS,
    maxWaiting: options.maxWaiting ?? MAX_WAITING,
    onWorkerDeath: options.onWorkerDeath ?? (() => undefined),
    check: checkedAnswer,
    isSuspect: undecodable,
    giveUp: (code) => ({ kind: 'gaveUp', code }),
  });
  return {
    modelVersion,
    compare: async (image1, image2, { pictures, company }) => {
      const result = await pool.submit({ kind: 'pair', image1, image2, pictures }, 'interactive', company);
      if (result.kind === 'compared' || result.kind === 'inconclusive' || result.kind === 'refused')
        return result;
      if (result.kind !== 'gaveUp') throw unexpected(result.kind);
      // The failed image of the two is no longer known.
      return { kind: 'inconclusive', reasons: { image1: result.code, image2: result.code }, modelVersion };
    },
    compareKnown: (set, { pictures, company }) =>
      compareKnownSet(crewOf(pool, workers, company), set, { pictures }),
    preparingOnce: (company) => preparingOnce(crewOf(pool, workers, company)),
    start: () => pool.start(),
    workerStats: () => pool.stats,
    close: () => pool.close(),
  };
}

function crewOf(pool: Pool, size: number, company: CompanyId): Crew {
  return {
    size,
    prepare: async (job) => {
      const result = await pool.submit(job, 'interactive', company);
      if (result.kind === 'prepared' || result.kind === 'unusable' || result.kind === 'fault') return result;
      if (result.kind === 'gaveUp') return result;
      throw unexpected(result.kind);
    },
    score: async (job) => {
      const result = await pool.submit(job, 'interactive', company);
      if (result.kind === 'scored' || result.kind === 'gaveUp') return result;
      throw unexpected(result.kind);
    },
    part: async (job) => {
      const result = await pool.submit(job, 'interactive', company);
      if (result.kind === 'parted' || result.kind === 'gaveUp') return result;
      throw unexpected(result.kind);
    },
  };
}
