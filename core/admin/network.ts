import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { NetworkAccessService } from '../domain/network/service.ts';

/** The handlers of `vouch network …`. */
export function networkCommands({
  lan,
  clock,
}: {
  lan: NetworkAccessService;
  clock: Clock;
}): Pick<
  AdminCommandHandlers,
  'network.status' | 'network.enable' | 'network.renew-certificate' | 'network.disable'
> {
  return {
    'network.status': () => lan.state(),
    'network.enable': ({ given, ...request }) => lan.open(request, given, asLocalAdmin(clock)),
    'network.renew-certificate': () => lan.renew(asLocalAdmin(clock)),
    'network.disable': () => lan.close(asLocalAdmin(clock)),
  };
}
