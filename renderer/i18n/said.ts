import i18next from 'i18next';
import { FAILURE_CODES, FAILURES, type FailureCode } from '../../core/contracts/failures.ts';
import { FIELD_MESSAGES, MESSAGES } from '../../core/contracts/messages.ts';

/** What the core says in fixed words, beside the reasons of images: each has its place among the texts. */
export const FIXED = {
  ...FIELD_MESSAGES,
  storageNotConfigured: MESSAGES.storageNotConfigured,
  registrationDisabled: MESSAGES.registrationDisabled,
  blacklistsDisabled: MESSAGES.blacklistsDisabled,
  blacklistInactive: MESSAGES.blacklistInactive,
  queueUnavailable: MESSAGES.queueUnavailable,
  validationError: MESSAGES.validationError,
  unauthenticated: MESSAGES.unauthenticated,
  unauthorized: MESSAGES.unauthorized,
  reauthenticate: MESSAGES.reauthenticate,
  notFound: MESSAGES.notFound,
  badRequest: MESSAGES.badRequest,
  unsupportedMediaType: MESSAGES.unsupportedMediaType,
  payloadTooLarge: MESSAGES.payloadTooLarge,
  requestTimeout: MESSAGES.requestTimeout,
  tooManyAttempts: MESSAGES.tooManyAttempts,
  stillWaiting: MESSAGES.stillWaiting,
  decidedMeanwhile: MESSAGES.decidedMeanwhile,
  auditContradicted: MESSAGES.auditContradicted,
  imageDamaged: MESSAGES.imageDamaged,
  planChanged: MESSAGES.planChanged,
  noPipelineChange: MESSAGES.noPipelineChange,
  unexpected: MESSAGES.unexpected,
} as const;

const KEYS = new Map<string, `fixed.${keyof typeof FIXED}` | `failures.${FailureCode}.sentence`>([
  ...(Object.keys(FIXED) as (keyof typeof FIXED)[]).map((key) => [FIXED[key], `fixed.${key}`] as const),
  ...FAILURE_CODES.map((code) => [FAILURES[code].sentence, `failures.${code}.sentence`] as const),
]);

/** A sentence of the core in the language of the page; undefined where it has it in English alone. */
export function inOurLanguage(sentence: string): string | undefined {
  if (i18next.resolvedLanguage === 'en') return sentence;
  const key = KEYS.get(sentence);
  return key === undefined ? undefined : i18next.t(key);
}
