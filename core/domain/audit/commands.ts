import type { AdminOutput } from '../../contracts/administration.ts';
import { byOwner, type Handlers } from '../commands.ts';
import type { Clock } from '../ports.ts';
import { anchorAudit } from './anchor.ts';
import type { AuditAnchors, AuditLog } from './ports.ts';

export interface AuditPorts {
  audit: AuditLog;
  anchors: AuditAnchors;
  clock: Clock;
}

/** What the owner of the machine may do with the audit log: verify and anchor it. Nobody may change it. */
export function auditCommands(ports: AuditPorts): Pick<Handlers, 'audit.verify' | 'audit.anchor'> {
  const { audit, anchors, clock } = ports;
  return {
    async 'audit.verify'(input): Promise<AdminOutput<'audit.verify'>> {
      const verdict = await audit.verify([...(await anchors.read()), ...input.anchors]);
      // A log that is not whole is evidence: nothing more is written to it by looking at it.
      if (verdict.whole)
        await audit.record(byOwner(clock), {
          company: null,
          action: 'audit.verified',
          object: null,
          facts: { entries: verdict.entries },
        });
      return verdict;
    },
    async 'audit.anchor'() {
      await audit.record(byOwner(clock), { company: null, action: 'audit.anchored', object: null });
      return { anchor: (await anchorAudit(ports)) ?? null };
    },
  };
}
