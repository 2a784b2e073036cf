import type { AuditContext } from '../../core/domain/ports/auditContext.ts';

/** Who changes something in a test where it does not matter who. */
export const TEST_ACT: AuditContext = { by: 'local-admin', at: new Date('2026-01-02T03:04:05.678Z') };
