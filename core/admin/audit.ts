import { problem, CodedError } from '../contracts/errors/problem.ts';
import type { AuditContext } from '../domain/ports/auditContext.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import { anchorAuditLog, type AnchorPorts } from '../domain/audit/anchor.ts';
import type { AuditService } from '../domain/audit/service.ts';
import type { NamingPorts } from '../domain/audit/entryNames.ts';
import { readAuditPage } from '../domain/audit/page.ts';
import { systemProblem } from '../contracts/errors/systemProblem.ts';
import type { Companies, Installation } from '../storage/settings/companies.ts';

/** The handlers of `vouch audit …`. */
export function auditCommands(
  ports: AnchorPorts &
    NamingPorts & { companies: Companies; installation: Installation; auditService: AuditService },
): Pick<
  AdminCommandHandlers,
  'audit.list' | 'audit.verify' | 'audit.anchor' | 'audit.accept' | 'audit.witness'
> {
  const { auditService } = ports;
  return {
    async 'audit.list'({ company, ...query }) {
      const of = company === undefined ? null : (await companyNamed(ports.companies, company)).id;
      return readAuditPage(ports, of, query);
    },
    'audit.verify': (input) => auditService.verify(null, asLocalAdmin(ports.clock), input.anchors),
    'audit.anchor': async () => ({ anchor: await auditService.anchor(null, asLocalAdmin(ports.clock)) }),
    'audit.accept': () => auditService.accept(asLocalAdmin(ports.clock)),
    async 'audit.witness'({ folder }) {
      const act = asLocalAdmin(ports.clock);
      if (folder === null) await ports.installation.update({ auditWitness: null }, act);
      else await beginWitness(ports, folder, act);
      return (await auditService.state()).witness;
    },
  };
}

/** Starts a witness file. Its first anchor covers the audit entry of this change. */
async function beginWitness(
  ports: AnchorPorts & { installation: Installation },
  folder: string,
  act: AuditContext,
): Promise<void> {
  let file: string;
  try {
    file = await ports.anchors.beginWitness(folder, act.at);
  } catch (error) {
    throw new CodedError(
      problem('WITNESS_NOT_WRITABLE', {
        folder,
        cause: systemProblem(error),
      }),
    );
  }
  await ports.installation.update({ auditWitness: file }, act);
  await anchorAuditLog(ports);
}
