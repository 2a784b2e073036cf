import { AUDIT_ACTIONS } from '../../core/contracts/audit.ts';
import { PERMISSIONS } from '../../core/contracts/dashboard/permissions.ts';
import type { Registers } from './registers.ts';

/** The contracts' own sentences, and what the scopes of programs open. */
export const registers: Registers = {
  actions: AUDIT_ACTIONS,
  permissions: PERMISSIONS,
  scopes: {
    enroll: 'Enrol faces for duplicate detection and follow the uploads',
    'blacklists:read': 'List blacklists',
    'blacklists:write': 'Upload faces into blacklists and follow the uploads',
    verify: 'Run verifications, and read Trust Validations with all their matches',
    signatures: 'Compare signatures',
  },
};
