import type { TFunction } from 'i18next';
import { verificationName } from '../../../core/contracts/verificationName.ts';

/** The name of a Trust Validation; one without a name of its own is named by its number, in the reader's language. */
export function validationName(t: TFunction, { id, name }: { id: number; name: string }): string {
  return name === verificationName(id) ? t('validations.unnamed', { id }) : name;
}
