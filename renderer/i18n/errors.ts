import i18next from 'i18next';
import type { ShownErrorCode } from '../../core/contracts/errors/problem.ts';
import { FAILURES, type FailureCode } from '../../core/contracts/errors/failures.ts';
import { errors } from './errors.en.ts';

/** A problem of the service, of this version or another one. */
export interface ServerMessage {
  code: string;
  parameters?: Readonly<Record<string, string | number | ServerMessage>>;
}

/** The sentence of an error in the language of the page, by its code. A code of another version is shown as it is. */
export function translateServerMessage({ code, parameters = {} }: ServerMessage): string {
  if (isFailure(code)) return i18next.t(`failures.${code}.sentence`);
  if (isShown(code)) return i18next.t(`errors.${code}`, inWords(parameters));
  return i18next.t('state.otherError', { code });
}

/** A cause inside a message becomes its sentence. */
function inWords(parameters: NonNullable<ServerMessage['parameters']>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'object' ? translateServerMessage(value) : value,
    ]),
  );
}

function isFailure(code: string): code is FailureCode {
  return Object.hasOwn(FAILURES, code);
}

function isShown(code: string): code is Exclude<ShownErrorCode, FailureCode> {
  return Object.hasOwn(errors, code);
}
