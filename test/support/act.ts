import type { AuditContext } from '../../core/domain/ports/auditContext.ts';

/** The actor of a change in tests that do not depend on the actor. */
export const TEST_ACT: AuditContext = { by: 'local-admin', at: new Date('2026-01-02T03:04:05.678Z') };
