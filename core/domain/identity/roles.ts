import type { OperatorRole } from '../../contracts/dashboard/session.ts';
import { type Permission, PERMISSIONS } from '../../contracts/dashboard/permissions.ts';

const VIEW = [
  'validations:read',
  'blacklists:read',
  'flows:read',
  'signatures:read',
  'duplicates:read',
  'persons:read',
] as const;

/**
 * The permissions of each role; docs/reference/permissions.md has the same table. An auditor sees actions and settings, never a
 * photo. An operator fills watchlists and decides nothing; a reviewer decides and fills nothing.
 */
export const ROLE_PERMISSIONS: Record<OperatorRole, readonly Permission[]> = {
  admin: Object.keys(PERMISSIONS) as Permission[],
  operator: [
    ...VIEW,
    'images:read',
    'uploads:read',
    'uploads:create',
    'verifications:create',
    'faces:compare',
    'queue:control',
    'blacklists:write',
    'signatures:compare',
    'duplicates:run',
  ],
  reviewer: [
    ...VIEW,
    'images:read',
    'uploads:read',
    'validations:decide',
    'faces:compare',
    'faces:examine',
    'signatures:compare',
    'duplicates:run',
    'duplicates:review',
    'persons:write',
  ],
  investigator: [
    ...VIEW,
    'images:read',
    'uploads:read',
    'verifications:create',
    'faces:compare',
    'faces:examine',
    'search:run',
    'blacklists:add',
    'signatures:compare',
    'duplicates:run',
    'exports:create',
  ],
  auditor: [
    ...VIEW,
    'uploads:read',
    'tokens:read',
    'settings:read',
    'operators:read',
    'audit:read',
    'audit:verify',
  ],
};

/** Actions that an unattended session must not allow: secrets, exports and erasure need a recent passphrase. */
export const FRESH_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>([
  'tokens:write',
  'operators:write',
  'exports:create',
  'persons:erase',
  'blacklists:erase',
  'blacklists:exchange',
  'network:write',
  'backups:write',
]);

/** Whether a role has a permission. */
export function mayRole(role: OperatorRole, permission: Permission): boolean {
  return ROLE_PERMISSIONS[role].includes(permission);
}
