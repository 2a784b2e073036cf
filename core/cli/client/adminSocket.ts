/** The client of the admin socket, for the terminal and for the desktop window. */
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { AdminCommand, AdminInput } from '../../contracts/admin/commands.ts';

interface AdminPost {
  headers?: OutgoingHttpHeaders;
  body?: string | AsyncIterable<Uint8Array>;
  /** Milliseconds without an answer after which the request fails; absent: it waits. */
  timeoutMs?: number | undefined;
}

/** Posts to the admin socket. @returns the response, its body not read yet. @throws {Error} the service does not answer */
export async function postToAdminSocket(
  socketPath: string,
  path: string,
  { headers = {}, body = '', timeoutMs }: AdminPost = {},
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = {
    socketPath,
    path: `/${path}`,
    method: 'POST',
    headers,
    // The shared agent would give up after 5 silent seconds. A command and a backup may take longer to answer.
    agent: false,
  };
  const sent = request(options, resolve).on('error', reject);
  if (timeoutMs !== undefined)
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`No answer within ${timeoutMs} ms.`)));
  if (typeof body === 'string') {
    sent.end(body);
    return promise;
  }
  // The service can reject a body before its end and close the connection. Then its answer counts, not the broken upload.
  const sending = pipeline(body, sent).then(
    () => undefined,
    (error: unknown) => error,
  );
  return promise.catch(async (error: unknown) => {
    throw (await sending) ?? error;
  });
}

/**
 * Sends an administrator's command.
 * @returns the status and the JSON body of the answer, which is not checked yet. @throws {Error} the service does not answer
 */
export async function postAdminCommand<C extends AdminCommand>(
  socketPath: string,
  command: C,
  input: AdminInput<C>,
  timeoutMs?: number,
): Promise<{ status: number | undefined; body: unknown }> {
  const body = JSON.stringify(input);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const response = await postToAdminSocket(socketPath, command, { headers, body, timeoutMs });
  return { status: response.statusCode, body: await json(response) };
}

/** Whether a process listens on the socket of the home. */
export async function listensOn(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath, () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => {
      resolve(false);
    });
  });
}
