/** Services that people reach by several ways: one instance each, so that locks, counters and `stop()` are shared. */
import { OperatorDesk, type OperatorDeskPorts } from './identity/operatorService.ts';
import { SignIn, type SignInPorts } from './identity/signInService.ts';
import type { AnchorPorts } from './audit/anchor.ts';
import { AuditDesk } from './audit/service.ts';
import { CredentialDesk, type CredentialDeskPorts } from './credentials/service.ts';
import { ErasureDesk } from './erasure/service.ts';
import { Retention, type RetentionPorts } from './erasure/retention.ts';
import { BlacklistDesk } from './blacklists/service.ts';
import { FlowDesk } from './trustFlows/service.ts';

/** Sign-in, operators, programs and the audit log. */
export interface AccessServices {
  signIn: SignIn;
  operatorDesk: OperatorDesk;
  auditDesk: AuditDesk;
  credentialDesk: CredentialDesk;
}

/** What is done with the data of a company. */
export interface CompanyServices {
  blacklistDesk: BlacklistDesk;
  flowDesk: FlowDesk;
  erasureDesk: ErasureDesk;
  retention: Retention;
}

export function createAccessServices(
  ports: SignInPorts & OperatorDeskPorts & AnchorPorts & CredentialDeskPorts,
): AccessServices {
  return {
    signIn: new SignIn(ports),
    operatorDesk: new OperatorDesk(ports),
    auditDesk: new AuditDesk(ports),
    credentialDesk: new CredentialDesk(ports),
  };
}

export function createCompanyServices(
  ports: RetentionPorts &
    ConstructorParameters<typeof BlacklistDesk>[0] &
    ConstructorParameters<typeof FlowDesk>[0],
): CompanyServices {
  const erasureDesk = new ErasureDesk(ports);
  return {
    blacklistDesk: new BlacklistDesk(ports),
    flowDesk: new FlowDesk(ports),
    erasureDesk,
    retention: new Retention(ports, erasureDesk),
  };
}
