import { problem } from '../../contracts/errors/problem.ts';
import type { InstallationTrust } from '../../contracts/blacklistTransfer.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { InstallationKeys } from '../ports/backup.ts';
import { cardOf, TransferRejected } from './installationIdentity.ts';
import type { TrustedInstallation, TrustedInstallations } from '../ports/blacklistTransfer.ts';

/**
 * Takes a site's card, if it is the one whose fingerprint was read out.
 * @throws {TransferRejected} another fingerprint, a changed card, the card of this very site, or a name that another site has
 */
export async function trustInstallation(
  {
    trustedSites,
    siteKeys,
  }: { trustedSites: TrustedInstallations; siteKeys: Pick<InstallationKeys, 'identity'> },
  company: CompanyId,
  { card, name, fingerprint }: InstallationTrust,
  act: AuditContext,
): Promise<TrustedInstallation> {
  const { signingKey, receivingKey, name: ownName } = cardOf(card, fingerprint);
  const own = await siteKeys.identity();
  if (own !== undefined && Buffer.compare(own.signing.publicKey, signingKey) === 0)
    throw new TransferRejected(problem('CARD_OWN'));
  const called = name ?? ownName;
  const trusted = await trustedSites.trust(company, { name: called, signingKey, receivingKey }, act);
  if (trusted === 'name taken') throw new TransferRejected(problem('SITE_NAME_TAKEN', { name: called }));
  return trusted;
}
