/** Asks as a program on another machine does: over TLS, trusting the certificate that it was given. */
import { randomInt } from 'node:crypto';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';

/** Below the range of ephemeral ports: between two starts of a service no other program takes it. */
const OWN_PORTS = { from: 15_000, to: 32_000 };

/** A port without a listener, and that no other program will get by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(OWN_PORTS.from, OWN_PORTS.to);
    const probe = createServer().listen(port, '127.0.0.1');
    const free = await new Promise<boolean>((resolve) => {
      probe.once('listening', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!free) continue;
    await new Promise((done) => probe.close(done));
    return port;
  }
}

interface TlsAnswer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** As a program on another machine that was given the certificate would ask. */
export async function askOverTls(
  { name, port, ca }: { name: string; port: number; ca: string },
  sent: Sent = {},
): Promise<TlsAnswer> {
  const { path = '/health', method = 'GET', headers = {}, body } = sent;
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined;
    headers: Record<string, string | string[] | undefined>;
    body: string;
  }>();
  request(
    {
      host: '127.0.0.1',
      port,
      path,
      method,
      ca,
      servername: name,
      agent: false,
      headers: { host: `${name}:${port}`, ...headers },
    },
    (response) => {
      void text(response).then((read) =>
        resolve({ status: response.statusCode, headers: response.headers, body: read }),
      );
    },
  )
    .on('error', reject)
    .end(body);
  return promise;
}
