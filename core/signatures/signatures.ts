/** The signature port over worker processes of its own: comparisons and enrolment never wait for each other. */
import { fileURLToPath } from 'node:url';
import type { SignatureComparison, SignaturePort } from '../domain/ports/signatures.ts';
import { IMAGE_LIMITS } from '../contracts/limits/imageLimits.ts';
import { ProcessPool, type Staff } from '../workers/processPool.ts';
import { CALIBRATION } from './calibration.ts';
import { signatureAnswer } from './answers.ts';
import type { SignatureJob } from './engine.ts';

export interface SignatureOptions {
  /** Worker processes, about 100 MB each; one unless told: it does more than ten comparisons a second. */
  workers?: number;
  /** Time that one comparison may take, milliseconds. */
  timeLimitMs?: number;
  /** Comparisons that may wait; beyond it callers are told to come back later. */
  mostWaiting?: number;
  /** Program of a worker; the source beside this file unless told (a bundle has its own). */
  workerPath?: string;
  /** Told of every worker that ended unasked; for the log. */
  onWorkerDeath?: (reason: string) => void;
}

/**
 * A comparison makes short-lived arrays and is one core's work: collecting them on further threads costs more to hand
 * out than to do.
 */
export const SIGNATURE_WORKER_FLAGS: readonly string[] = ['--single-threaded-gc'];

/** Two progressive JPEGs of 25 megapixels take 2 s on a slow core; the caller waits for the answer. */
const TIME_LIMIT_MS = 10_000;
/** Less than ten seconds of work. */
const MOST_WAITING = 100;

/** Signature comparison over a pool of worker processes. */
export interface Signatures extends SignaturePort {
  /** Starts the first worker, so that the first comparison does not wait for it. @throws {UnavailableError} it cannot start */
  start(): Promise<void>;
  /** How the workers fare. */
  staff(): Staff;
}

/** Workers start with the first comparison, or with {@link Signatures.start}. */
export function createSignatures(options: SignatureOptions = {}): Signatures {
  const { modelVersion } = CALIBRATION;
  const pool = new ProcessPool<SignatureJob, SignatureComparison>({
    name: 'signature matching',
    workerPath: options.workerPath ?? fileURLToPath(new URL('./worker.ts', import.meta.url)),
    workerArguments: [],
    workerFlags: SIGNATURE_WORKER_FLAGS,
    reads: [],
    memoryLimit: () => IMAGE_LIMITS.workerBytes,
    workers: options.workers ?? 1,
    timeLimitMs: options.timeLimitMs ?? TIME_LIMIT_MS,
    mostWaiting: options.mostWaiting ?? MOST_WAITING,
    onWorkerDeath: options.onWorkerDeath ?? (() => undefined),
    check: signatureAnswer,
    // Which of the two images it was cannot be told any more.
    giveUp: (code) => ({ kind: 'inconclusive', reasons: { image1: code, image2: code }, modelVersion }),
  });
  return {
    modelVersion,
    compare: (image1, image2, { pictures }) => pool.submit({ image1, image2, pictures }, 'interactive'),
    start: () => pool.start(),
    staff: () => pool.staff,
    close: () => pool.close(),
  };
}
