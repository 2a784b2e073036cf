import { AUDIT_ACTIONS } from '../../core/contracts/audit.ts';
import { PERMISSIONS } from '../../core/contracts/dashboard/permissions.ts';
import type { EnumLabels } from './enumLabels.ts';

/** The English labels of closed lists: those of the contracts, and of the scopes of credentials. */
export const enumLabels: EnumLabels = {
  actions: AUDIT_ACTIONS,
  permissions: PERMISSIONS,
  scopes: {
    enroll: 'Enrol faces for duplicate detection and follow uploads',
    'blacklists:read': 'List blacklists',
    'blacklists:write': 'Upload faces into blacklists and follow uploads',
    verify: 'Run verifications and read Trust Validations with all their matches',
    signatures: 'Compare signatures',
    'duplicates:read': 'Read groups of possible duplicates and runs',
    'duplicates:review': 'Decide groups of possible duplicates and undo decisions',
    'duplicates:run': 'Start, pause, resume and cancel runs of duplicate detection',
    'persons:read': 'Read persons and their faces',
    'persons:write': 'Create, change, merge, split and delete persons, and undo such changes',
    'abis:read': 'Read encounters with their photos and templates through the OSIA interface',
    'abis:write': 'Create, change, merge and erase encounters through the OSIA interface',
    'abis:search': 'Search and compare faces through the OSIA interface',
  },
};
