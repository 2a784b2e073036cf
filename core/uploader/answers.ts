/** How an upload continues after each answer of the service. */

/** The answer to a batch. */
export type SendAnswer =
  | { kind: 'accepted'; uploadId: string }
  /** By their place in the batch: photos that are not acceptable, with the reason. The others can be sent without them. */
  | { kind: 'refused'; reasons: ReadonlyMap<number, string> }
  /** The service takes fewer photos in one upload. */
  | { kind: 'tooMany'; status: number; message: string }
  /** Not sent: a photo of the batch could not be read. */
  | { kind: 'unreadable' }
  | NoAnswer;

/** The answer to a poll. @typeParam O the results of the upload, as the caller shows them */
export type ProgressAnswer<O> = { kind: 'progress'; finished: boolean; outcome: O } | NoAnswer;

/** The answer to the question which upload a key has. `unknown`: the service has none. */
export type FindAnswer = { kind: 'accepted'; uploadId: string } | { kind: 'unknown' } | NoAnswer;

/** The service did not do what it was asked. */
export type NoAnswer =
  /** To be asked again after this time. */
  | { kind: 'later'; status: number; message: string; seconds: number }
  /** No upload is possible until an operator acts: storage, feature, permission, token. */
  | { kind: 'blocked'; status: number; message: string }
  | { kind: 'unreachable'; cause: string };

/** The batch is still being received, too many requests, the queue is full or paused. */
const TEMPORARY: readonly number[] = [409, 429, 503];
/** Where the service names no time, seconds. */
const DEFAULT_RETRY_AFTER = 5;
/** A longer wait than this is asked for by no service of this product, seconds. */
const MAX_RETRY_AFTER = 3600;

/** The answers of the service that are no success. */
export interface ErrorAnswer {
  status: number;
  message: string;
  /** By field: `images.3` is the fourth photo of the request, `images` their number. */
  fields?: Readonly<Record<string, readonly string[]>>;
  /** The header `Retry-After`. */
  retryAfter?: string | null;
}

/** Classifies an answer that is no success. The same rule for the terminal and the dashboard. */
export function errorAnswer(
  answer: ErrorAnswer,
): Exclude<SendAnswer, { kind: 'accepted' | 'unreachable' | 'unreadable' }> {
  const { status, message, fields = {} } = answer;
  if (TEMPORARY.includes(status))
    return { kind: 'later', status, message, seconds: retryAfterSeconds(answer.retryAfter) };
  if (status === 422) {
    const reasons = refusedPhotos(fields);
    if (reasons.size > 0) return { kind: 'refused', reasons };
    if (Object.keys(fields).join() === 'images') return { kind: 'tooMany', status, message };
  }
  return { kind: 'blocked', status, message };
}

/** The same for a poll, which no photo can spoil. */
export function pollErrorAnswer(answer: ErrorAnswer): Extract<NoAnswer, { kind: 'later' | 'blocked' }> {
  const { status, message, retryAfter } = answer;
  if (TEMPORARY.includes(status))
    return { kind: 'later', status, message, seconds: retryAfterSeconds(retryAfter) };
  return { kind: 'blocked', status, message };
}

/** The same for the question which upload a key has. */
export function findErrorAnswer(
  answer: ErrorAnswer,
): Exclude<FindAnswer, { kind: 'accepted' | 'unreachable' }> {
  return answer.status === 404 ? { kind: 'unknown' } : pollErrorAnswer(answer);
}

function refusedPhotos(fields: NonNullable<ErrorAnswer['fields']>): Map<number, string> {
  return new Map(
    Object.entries(fields).flatMap(([field, reasons]) => {
      const place = /^images\.(\d+)$/.exec(field)?.[1];
      return place === undefined ? [] : [[Number(place), reasons.join(' ')] as const];
    }),
  );
}

/** @param header the header `Retry-After`, in seconds @returns seconds, 1 to 3600 */
export function retryAfterSeconds(header: string | null | undefined): number {
  const seconds = /^\d{1,9}$/.test(header ?? '') ? Number(header) : DEFAULT_RETRY_AFTER;
  return Math.min(MAX_RETRY_AFTER, Math.max(1, seconds));
}
