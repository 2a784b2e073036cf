/** Asks as a program on another machine does: over TLS, trusting the certificate that it was given. */
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A port that nothing has, at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
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
