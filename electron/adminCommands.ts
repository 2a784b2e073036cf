/** The administrator's commands that the desktop window sends to the service. */
import { postAdminCommand } from '../core/cli/client/adminSocket.ts';
import { ADMIN_COMMANDS } from '../core/contracts/admin/commands.ts';
import { problem, type Problem } from '../core/contracts/errors/problem.ts';
import { problemShape } from '../core/contracts/errors/problemShape.ts';
import type { FolderGrant } from '../core/contracts/shell.ts';
import type { QueueState } from './queueMonitor.ts';

const STATUS_TIMEOUT_MS = 3_000;
/** The service walks through the folder before it answers. */
const FOLDER_TIMEOUT_MS = 10 * 60_000;

/** Reads the state of the queue. @returns undefined where the service does not answer */
export async function readQueue(socket: string): Promise<QueueState | undefined> {
  const answer = await postAdminCommand(socket, 'status', {}, STATUS_TIMEOUT_MS).catch(() => undefined);
  return ADMIN_COMMANDS.status.output.safeParse(answer?.body).data;
}

/** Grants the operator of a session access to a folder. @returns the grant of the folder, or the reason why there is none */
export async function grantFolder(
  socket: string,
  folder: { session: string; path: string },
): Promise<FolderGrant> {
  const answer = await postAdminCommand(socket, 'folder.grant', folder, FOLDER_TIMEOUT_MS).catch(
    () => undefined,
  );
  if (answer === undefined) return { refused: problem('FOLDER_SERVICE_SILENT') };
  const granted = ADMIN_COMMANDS['folder.grant'].output.safeParse(answer.body).data;
  return granted ?? { refused: problemOf(answer.body) };
}

function problemOf(body: unknown): Problem {
  return problemShape.safeParse(body).data ?? problem('UNEXPECTED');
}
