import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import { disableMetrics, enableMetrics, metricsEnabled } from '../domain/diagnostics/metricsAccess.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import type { CryptoPort } from '../domain/ports/crypto.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { Installation } from '../storage/settings/companies.ts';

/** The handlers of `vouch metrics …`. */
export function metricsCommands(ports: {
  installation: Installation;
  crypto: CryptoPort;
  clock: Clock;
}): Pick<AdminCommandHandlers, 'metrics.status' | 'metrics.enable' | 'metrics.disable'> {
  const state = async () => ({ enabled: await metricsEnabled(ports) });
  return {
    'metrics.status': state,
    'metrics.enable': async () => ({ token: await enableMetrics(ports, asLocalAdmin(ports.clock)) }),
    async 'metrics.disable'() {
      await disableMetrics(ports, asLocalAdmin(ports.clock));
      return state();
    },
  };
}
