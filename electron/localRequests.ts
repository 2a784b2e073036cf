/** The requests of the desktop window to the local socket of the service. */
import { DASHBOARD } from '../core/contracts/dashboard/operation.ts';
import { json } from 'node:stream/consumers';
import { join } from 'node:path';
import { sendThroughSocket } from '../core/cli/client/localSocket.ts';
import { problem } from '../core/contracts/errors/problem.ts';
import { problemShape } from '../core/contracts/errors/problemShape.ts';
import { installationStatus, offeredFolder, type LocalRequest } from '../core/contracts/local.ts';
import type { FolderGrant } from '../core/contracts/shell.ts';
import type { QueueState } from './trayIcon.ts';

const STATUS_TIMEOUT_MS = 3_000;
/** The service walks through the folder before it answers. */
const FOLDER_TIMEOUT_MS = 10 * 60_000;

/** Reads the state of the queue. @returns undefined where the service does not answer */
export async function readQueue(socket: string): Promise<QueueState | undefined> {
  const request = { method: 'GET', path: `${DASHBOARD}/local/status`, headers: {} };
  return installationStatus.safeParse(await answerOf(socket, request, STATUS_TIMEOUT_MS)).data;
}

/** Grants the operator of a session access to a folder. @returns the grant of the folder, or the reason why there is none */
export async function grantFolder(
  socket: string,
  folder: { session: string; path: string },
): Promise<FolderGrant> {
  const body = JSON.stringify(folder);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  const request = { method: 'POST', path: `${DASHBOARD}/local/folders`, headers, body };
  const answer = await answerOf(socket, request, FOLDER_TIMEOUT_MS);
  if (answer === undefined) return { refused: problem('FOLDER_SERVICE_SILENT') };
  const granted = offeredFolder.safeParse(answer).data;
  return granted ?? { refused: problemShape.safeParse(answer).data ?? problem('UNEXPECTED') };
}

/** @returns the body of the answer, whatever it says; undefined where the service does not answer */
async function answerOf(socket: string, request: LocalRequest, timeoutMs: number): Promise<unknown> {
  try {
    return await json((await sendThroughSocket(socket, request, timeoutMs)).body);
  } catch {
    return undefined;
  }
}

/** The paths of Node and of the service's program: in a package inside its resources, in a checkout in the sources. */
export function serviceExecutable(
  place: { packaged: true; resources: string } | { packaged: false; project: string },
): { node: string; cli: string } {
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  if (place.packaged) {
    const service = join(place.resources, 'service');
    return { node: join(service, 'bin', binary), cli: join(service, 'app', 'core', 'cli.js') };
  }
  return {
    node: join(place.project, 'node_modules', 'node', 'bin', binary),
    cli: join(place.project, 'core', 'cli.ts'),
  };
}
