import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { NetworkAccessService } from '../domain/network/service.ts';

/** The handlers of `vouch network …`. */
export function networkCommands({
  network,
  clock,
}: {
  network: NetworkAccessService;
  clock: Clock;
}): Pick<
  AdminCommandHandlers,
  'network.status' | 'network.enable' | 'network.renew-certificate' | 'network.disable'
> {
  return {
    'network.status': () => network.state(),
    'network.enable': ({ given, ...request }) => network.open(request, given, asLocalAdmin(clock)),
    'network.renew-certificate': () => network.renew(asLocalAdmin(clock)),
    'network.disable': () => network.close(asLocalAdmin(clock)),
  };
}
