/** Access of a monitoring system to the metrics of the service. */
import { createToken, hashToken } from '../credentials/secrets.ts';
import { hexOf } from '../common/encoding.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { Installation } from '../ports/companies.ts';
import type { CryptoPort } from '../ports/crypto.ts';

interface MetricsAccessPorts {
  site: Installation;
  crypto: CryptoPort;
}

/** Whether the service answers metrics. */
export async function metricsEnabled({ site }: Pick<MetricsAccessPorts, 'site'>): Promise<boolean> {
  return (await site.settings()).metricsToken !== null;
}

/** Turns metrics on with a new token. A token that was issued before is invalid from then on. @returns the token, which is not kept */
export async function enableMetrics(
  { site, crypto }: MetricsAccessPorts,
  act: AuditContext,
): Promise<string> {
  const { token, hex } = createToken(crypto);
  await site.update({ metricsToken: hex }, act);
  return token;
}

/** Turns metrics off. */
export async function disableMetrics(
  { site }: Pick<MetricsAccessPorts, 'site'>,
  act: AuditContext,
): Promise<void> {
  await site.update({ metricsToken: null }, act);
}

/** Checks the token of a reader. @returns `off`: the service answers no metrics */
export async function admitReader(
  { site, crypto }: MetricsAccessPorts,
  token: string | undefined,
): Promise<'off' | 'refused' | 'admitted'> {
  const { metricsToken } = await site.settings();
  if (metricsToken === null) return 'off';
  // Digests are compared, of which a caller can choose no bit, so the time of the comparison reveals nothing.
  return token !== undefined && hexOf(hashToken(crypto, token)) === metricsToken ? 'admitted' : 'refused';
}
