import { byOwner } from '../domain/ports/auditContext.ts';
import { CommandRefused } from '../contracts/errors/commandRefused.ts';
import type { Handlers } from './handlers.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { LanState } from '../contracts/network.ts';
import type { LanDesk } from '../domain/network/service.ts';
import { LanRefused } from '../domain/ports/network.ts';

/** The owner lets other machines in, and out again. */
export function lanCommands({
  lan,
  clock,
}: {
  lan: LanDesk;
  clock: Clock;
}): Pick<Handlers, 'lan.show' | 'lan.open' | 'lan.renew' | 'lan.close'> {
  return {
    'lan.show': () => lan.state(),
    'lan.open': ({ given, ...request }) => inWords(lan.open(request, given, byOwner(clock))),
    'lan.renew': () => inWords(lan.renew(byOwner(clock))),
    'lan.close': () => lan.close(byOwner(clock)),
  };
}

async function inWords(change: Promise<LanState>): Promise<LanState> {
  try {
    return await change;
  } catch (error) {
    throw error instanceof LanRefused ? new CommandRefused(error.problem, { cause: error }) : error;
  }
}
