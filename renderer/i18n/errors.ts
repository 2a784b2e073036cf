import i18next from 'i18next';
import type { ShownErrorCode } from '../../core/contracts/errors/problem.ts';
import { FAILURES, type FailureCode } from '../../core/contracts/errors/failures.ts';
import { errors } from './errors.en.ts';

/** The sentence of an error in the language of the page, by its code. A code of another version is shown as it is. */
export function translateServerMessage({
  code,
  parameters = {},
}: {
  code: string;
  parameters?: Readonly<Record<string, string | number>>;
}): string {
  if (isFailure(code)) return i18next.t(`failures.${code}.sentence`);
  if (isShown(code)) return i18next.t(`errors.${code}`, parameters);
  return i18next.t('state.otherError', { code });
}

function isFailure(code: string): code is FailureCode {
  return Object.hasOwn(FAILURES, code);
}

function isShown(code: string): code is Exclude<ShownErrorCode, FailureCode> {
  return Object.hasOwn(errors, code);
}
