import type { AdminCommand, AdminOutput, AdminRequest } from '../contracts/admin/commands.ts';

/** One function per command of the owner, its input checked already. */
export type AdminCommandHandlers = {
  [C in AdminCommand]: (input: AdminRequest<C>) => Promise<AdminOutput<C>>;
};
