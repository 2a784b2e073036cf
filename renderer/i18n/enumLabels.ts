import { useTranslation } from 'react-i18next';
import type { AuditAction } from '../../core/contracts/audit.ts';
import type { Scope } from '../../core/contracts/codes.ts';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';

/**
 * Labels of the values of closed lists. They are apart from the other texts, because their keys contain dots and colons,
 * which i18next interprets, and because so many typed keys slow the compiler down.
 */
export interface EnumLabels {
  actions: Readonly<Record<AuditAction, string>>;
  permissions: Readonly<Record<Permission, string>>;
  scopes: Readonly<Record<Scope, string>>;
}

/** The labels in the language of the page. */
export function useEnumLabels(): EnumLabels {
  const { i18n } = useTranslation();
  return i18n.getResourceBundle(i18n.language, 'enumLabels') as EnumLabels;
}
