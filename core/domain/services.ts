/** Services that people reach by several ways: one instance each, so that locks, counters and `stop()` are shared. */
import { OperatorService, type OperatorServicePorts } from './identity/operatorService.ts';
import { SignInService, type SignInPorts } from './identity/signInService.ts';
import { AuditService, type AuditServicePorts } from './audit/auditService.ts';
import { CredentialService, type CredentialServicePorts } from './credentials/credentialService.ts';
import { ErasureService } from './erasure/erasureService.ts';
import { Retention, type RetentionPorts } from './erasure/retention.ts';
import { FaceListingService } from './blacklists/faceListings.ts';
import { WatchedFolders } from './enrolment/folderGrants.ts';

/** Sign-in, operators, programs and the audit log. */
export interface AccessServices {
  signIn: SignInService;
  operatorService: OperatorService;
  auditService: AuditService;
  credentialService: CredentialService;
}

/** The services that work with the data of a company. */
export interface CompanyServices {
  faceListingService: FaceListingService;
  erasureService: ErasureService;
  retention: Retention;
  watchedFolders: WatchedFolders;
}

export function createAccessServices(
  ports: SignInPorts & OperatorServicePorts & AuditServicePorts & CredentialServicePorts,
): AccessServices {
  return {
    signIn: new SignInService(ports),
    operatorService: new OperatorService(ports),
    auditService: new AuditService(ports),
    credentialService: new CredentialService(ports),
  };
}

export function createCompanyServices(
  ports: RetentionPorts & ConstructorParameters<typeof FaceListingService>[0],
): CompanyServices {
  const erasureService = new ErasureService(ports);
  return {
    faceListingService: new FaceListingService(ports),
    erasureService,
    retention: new Retention(ports, erasureService),
    watchedFolders: new WatchedFolders(ports),
  };
}
