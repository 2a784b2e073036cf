import type { TrustValidationId } from '../../contracts/ids.ts';
import type { Actor, Company } from '../ports/auditContext.ts';
import type { Clock } from '../ports/machine.ts';
import { DECIDED, type Verifications } from './verifications.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';

type Outcome = Awaited<ReturnType<Verifications['decide']>>;
type Decision = Parameters<Verifications['decide']>[2];

interface BatchPorts {
  verifications: Pick<Verifications, 'decide'>;
  audit: Pick<AuditLog, 'record'>;
  clock: Clock;
}

/**
 * One decision with one note on several validations, each by itself: one that was decided meanwhile keeps no other from
 * being decided. The audit log has an entry for the batch and one for each validation.
 * @param validations with the status that the operator saw
 */
export async function decideBatch(
  { verifications, audit, clock }: BatchPorts,
  company: Company,
  decision: Omit<Decision, 'seenStatus'>,
  validations: readonly { id: TrustValidationId; seenStatus: Decision['seenStatus'] }[],
  by: Actor,
): Promise<{ id: TrustValidationId; outcome: Outcome }[]> {
  // Before the first decision: after a crash the log shows that the decisions belong to one batch.
  await audit.record(
    { by, at: clock.now() },
    {
      company: company.id,
      action: 'validation.batch-decided',
      object: null,
      details: { to: DECIDED[decision.decision].status, validations: validations.length },
    },
  );
  const results = [];
  for (const { id, seenStatus } of validations)
    results.push({ id, outcome: await verifications.decide(company, id, { ...decision, seenStatus }, by) });
  return results;
}
