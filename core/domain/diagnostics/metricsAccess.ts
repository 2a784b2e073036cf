/** Access of a monitoring system to the metrics of the service. */
import { createToken, hashToken } from '../credentials/secrets.ts';
import { hexOf } from '../values/bytes.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { Storage } from '../../storage/index.ts';
import type { Platform } from '../ports/machine.ts';

type MetricsAccessPorts = Pick<Storage, 'installation'> & Pick<Platform, 'crypto'>;

/** Whether the service answers metrics. */
export async function metricsEnabled({
  installation,
}: Pick<MetricsAccessPorts, 'installation'>): Promise<boolean> {
  return (await installation.settings()).metricsToken !== null;
}

/** Turns metrics on with a new token. A token that was issued before is invalid from then on. @returns the token, which is not kept */
export async function enableMetrics(
  { installation, crypto }: MetricsAccessPorts,
  act: AuditContext,
): Promise<string> {
  const { token, hex } = createToken(crypto);
  await installation.update({ metricsToken: hex }, act);
  return token;
}

/** Turns metrics off. */
export async function disableMetrics(
  { installation }: Pick<MetricsAccessPorts, 'installation'>,
  act: AuditContext,
): Promise<void> {
  await installation.update({ metricsToken: null }, act);
}

/** Checks the token of a reader. @returns `off`: the service answers no metrics */
export async function admitReader(
  { installation, crypto }: MetricsAccessPorts,
  token: string | undefined,
): Promise<'off' | 'refused' | 'admitted'> {
  const { metricsToken } = await installation.settings();
  if (metricsToken === null) return 'off';
  // Digests are compared, of which a caller can choose no bit, so the time of the comparison reveals nothing.
  return token !== undefined && hexOf(hashToken(crypto, token)) === metricsToken ? 'admitted' : 'refused';
}
