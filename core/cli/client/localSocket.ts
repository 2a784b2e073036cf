/** The client of the local socket, for the terminal and for the desktop window. */
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { LocalRequest, LocalResponse } from '../../contracts/local.ts';
import { request } from '../../platform/nodeHttp.ts';

/**
 * Sends a request through the socket of a service.
 * @param timeoutMs milliseconds without an answer after which the request fails; absent: it waits
 * @returns the response, its body not read yet. @throws {Error} the service does not answer
 */
export async function sendThroughSocket(
  socketPath: string,
  { method, path, headers, body }: LocalRequest,
  timeoutMs?: number,
): Promise<LocalResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // The shared agent would give up after 5 silent seconds. A command and a backup may take longer to answer.
  const options = { socketPath, path, method, headers, agent: false };
  const sent = request(options, resolve).on('error', reject);
  if (timeoutMs !== undefined)
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`No answer within ${timeoutMs} ms.`)));
  const answered = promise.then((response) => ({
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: response as AsyncIterable<Buffer>,
  }));
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    sent.end(body);
    return answered;
  }
  // The service can reject a body before its end and close the connection. Then its answer counts, not the broken upload.
  const sending = pipeline(body, sent).then(
    () => undefined,
    (error: unknown) => error,
  );
  return answered.catch(async (error: unknown) => {
    throw (await sending) ?? error;
  });
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
