import { problem } from '../../contracts/errors/problem.ts';
import type { SiteTrust } from '../../contracts/blacklistTransfer.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Act } from '../ports/auditContext.ts';
import type { SiteKeys } from '../ports/backup.ts';
import { cardOf, ExchangeRefused } from './installationIdentity.ts';
import type { TrustedSite, TrustedSites } from '../ports/blacklistTransfer.ts';

/**
 * Takes a site's card, if it is the one whose fingerprint was read out.
 * @throws {ExchangeRefused} another fingerprint, a changed card, the card of this very site, or a name that another site has
 */
export async function trustSite(
  { trustedSites, siteKeys }: { trustedSites: TrustedSites; siteKeys: Pick<SiteKeys, 'identity'> },
  company: CompanyId,
  { card, name, fingerprint }: SiteTrust,
  act: Act,
): Promise<TrustedSite> {
  const { signingKey, receivingKey, name: ownName } = cardOf(card, fingerprint);
  const own = await siteKeys.identity();
  if (own !== undefined && Buffer.compare(own.signing.publicKey, signingKey) === 0)
    throw new ExchangeRefused(problem('CARD_OWN'));
  const called = name ?? ownName;
  const trusted = await trustedSites.trust(company, { name: called, signingKey, receivingKey }, act);
  if (trusted === 'name taken') throw new ExchangeRefused(problem('SITE_NAME_TAKEN', { name: called }));
  return trusted;
}
