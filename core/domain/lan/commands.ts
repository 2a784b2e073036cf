import { byOwner, CommandRefused, type Handlers } from '../commands.ts';
import type { Clock } from '../ports/machine.ts';
import { LanRefused, type LanDesk } from './desk.ts';

/** The owner lets other machines in, and out again. */
export function lanCommands({
  lan,
  clock,
}: {
  lan: LanDesk;
  clock: Clock;
}): Pick<Handlers, 'lan.show' | 'lan.open' | 'lan.close'> {
  return {
    'lan.show': () => lan.state(),
    async 'lan.open'({ given, ...request }) {
      try {
        return await lan.open(request, given, byOwner(clock));
      } catch (error) {
        throw error instanceof LanRefused ? new CommandRefused(error.message) : error;
      }
    },
    'lan.close': () => lan.close(byOwner(clock)),
  };
}
