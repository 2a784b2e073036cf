import { byOwner, type Handlers } from '../commands.ts';
import type { AnchorPorts } from './anchor.ts';
import { AuditDesk } from './desk.ts';

/** What the owner of the machine may do with the audit log. */
export function auditCommands(ports: AnchorPorts): Pick<Handlers, 'audit.verify' | 'audit.anchor'> {
  const desk = new AuditDesk(ports);
  return {
    'audit.verify': (input) => desk.verify(null, byOwner(ports.clock), input.anchors),
    'audit.anchor': async () => ({ anchor: await desk.anchor(null, byOwner(ports.clock)) }),
  };
}
