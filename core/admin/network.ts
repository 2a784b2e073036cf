import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { CommandRefused } from '../contracts/errors/commandRefused.ts';
import type { AdminCommandHandlers } from './handlers.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { NetworkAccessState } from '../contracts/network.ts';
import type { NetworkAccessService } from '../domain/network/service.ts';
import { NetworkAccessRejected } from '../domain/ports/network.ts';

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
    'lan.open': ({ given, ...request }) => inWords(lan.open(request, given, asLocalAdmin(clock))),
    'lan.renew': () => inWords(lan.renew(asLocalAdmin(clock))),
    'lan.close': () => lan.close(asLocalAdmin(clock)),
  };
}

async function inWords(change: Promise<NetworkAccessState>): Promise<NetworkAccessState> {
  try {
    return await change;
  } catch (error) {
    throw error instanceof NetworkAccessRejected
      ? new CommandRefused(error.problem, { cause: error })
      : error;
  }
}
