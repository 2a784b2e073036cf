import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { InstallationTrust } from '../../contracts/blacklistTransfer.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import { equalBytes } from '../values/bytes.ts';
import type { TransferPackages, TrustedInstallation } from '../ports/blacklistTransfer.ts';
import type { InstallationKeys } from '../../storage/home/installationKeys.ts';
import type { TrustedInstallations } from '../../storage/blacklistTransfer/trustedInstallations.ts';

/**
 * Trusts an installation's certificate if it is the one whose fingerprint was read out.
 * @throws {CodedError} another fingerprint, a changed certificate, the certificate of this installation, or a name that another installation has
 */
export async function trustInstallation(
  {
    trustedInstallations,
    installationKeys,
    packages,
  }: {
    trustedInstallations: TrustedInstallations;
    installationKeys: Pick<InstallationKeys, 'identity'>;
    packages: Pick<TransferPackages, 'readCertificate'>;
  },
  company: CompanyId,
  { certificate, name, fingerprint }: InstallationTrust,
  act: AuditContext,
): Promise<TrustedInstallation> {
  const read = packages.readCertificate(certificate);
  if (spelled(fingerprint) !== spelled(read.fingerprint))
    throw new CodedError(
      problem('INSTALLATION_CERTIFICATE_FINGERPRINT_WRONG', { fingerprint: read.fingerprint }),
    );
  const { signingKey, receivingKey, name: ownName } = read;
  const own = await installationKeys.identity();
  if (own !== undefined && equalBytes(own.signing.publicKey, signingKey))
    throw new CodedError(problem('INSTALLATION_CERTIFICATE_OWN'));
  const called = name ?? ownName;
  const trusted = await trustedInstallations.trust(company, { name: called, signingKey, receivingKey }, act);
  if (trusted === 'name-taken') throw new CodedError(problem('INSTALLATION_NAME_TAKEN', { name: called }));
  return trusted;
}

/** The digits of a fingerprint as people type or read it. */
function spelled(fingerprint: string): string {
  return fingerprint.toLowerCase().replaceAll(/[^0-9a-f]/g, '');
}
