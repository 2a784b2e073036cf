import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import type { AdminCommandHandlers } from './handlers.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { NetworkAccessService } from '../domain/network/service.ts';

/** The owner lets other machines in, and out again. */
export function networkCommands({
  lan,
  clock,
}: {
  lan: NetworkAccessService;
  clock: Clock;
}): Pick<AdminCommandHandlers, 'lan.show' | 'lan.open' | 'lan.renew' | 'lan.close'> {
  return {
    'lan.show': () => lan.state(),
    'lan.open': ({ given, ...request }) => lan.open(request, given, asLocalAdmin(clock)),
    'lan.renew': () => lan.renew(asLocalAdmin(clock)),
    'lan.close': () => lan.close(asLocalAdmin(clock)),
  };
}
