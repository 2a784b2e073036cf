import { useTranslation } from 'react-i18next';
import type { AuditAction } from '../../core/contracts/audit.ts';
import type { Scope } from '../../core/contracts/codes.ts';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';

/**
 * Sentences for the words of closed lists. Apart from the other texts: their keys hold dots and colons, which i18next
 * reads as its own, and typing each of them as a text's address is more than the compiler can bear.
 */
export interface Registers {
  actions: Readonly<Record<AuditAction, string>>;
  permissions: Readonly<Record<Permission, string>>;
  scopes: Readonly<Record<Scope, string>>;
}

/** The sentences in the language of the page. */
export function useRegisters(): Registers {
  const { i18n } = useTranslation();
  return i18n.getResourceBundle(i18n.language, 'registers') as Registers;
}
