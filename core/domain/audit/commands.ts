import { byOwner, companyNamed, type Handlers } from '../commands.ts';
import type { Companies } from '../ports/companies.ts';
import type { AnchorPorts } from './anchor.ts';
import { AuditDesk } from './desk.ts';
import type { NamingPorts } from './names.ts';
import { readAuditPage } from './page.ts';

/** What the owner of the machine may do with the audit log. */
export function auditCommands(
  ports: AnchorPorts & NamingPorts & { companies: Companies },
): Pick<Handlers, 'audit.list' | 'audit.verify' | 'audit.anchor'> {
  const desk = new AuditDesk(ports);
  return {
    async 'audit.list'({ company, ...query }) {
      const of = company === undefined ? null : (await companyNamed(ports.companies, company)).id;
      return readAuditPage(ports, of, query);
    },
    'audit.verify': (input) => desk.verify(null, byOwner(ports.clock), input.anchors),
    'audit.anchor': async () => ({ anchor: await desk.anchor(null, byOwner(ports.clock)) }),
  };
}
