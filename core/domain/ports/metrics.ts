/** Counts for a monitoring system. No label names a company, a person or a file. */
import type { TrustValidationStatus } from '../../contracts/codes.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';

/** A request that was answered. */
export interface AnsweredRequest {
  method: string;
  /** The pattern of the route, e.g. `/api/v1/blacklists/:id`; never the address, which can hold personal data. */
  route: string;
  /** HTTP status of the answer. */
  status: number;
  /** Code of the error; absent: the request was carried out. */
  code?: string | undefined;
  seconds: number;
}

/** Hears of each event while it happens. Nothing is counted before the first call of {@link MetricsText.text}. */
export interface Metrics {
  requestAnswered(request: AnsweredRequest): void;
  /** @param failure absent: the photo was enrolled */
  photoAnswered(failure?: FailureCode): void;
  verificationFinalised(status: TrustValidationStatus): void;
  /** @param faces the number of faces that were compared with the watchlists */
  searched(faces: number): void;
}

/** All counts as a monitoring system reads them. */
export interface MetricsText {
  /** The text exposition format of Prometheus, version 0.0.4. */
  text(): Promise<string>;
}
