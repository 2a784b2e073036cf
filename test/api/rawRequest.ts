import { connect, type Socket } from 'node:net';
import { until } from '../support/until.ts';

export interface RawAnswer {
  /** 0 when the other side hung up without an answer. */
  status: number;
  head: string;
  body: string;
}

/** Sends bytes as they are over a socket of their own and reads one answer. */
export async function sendRaw(port: number, request: string | Uint8Array): Promise<RawAnswer> {
  const socket = await open(port);
  socket.write(request);
  return readAnswer(socket);
}

/** Sends bytes, waits until `reached` says so, and tears the connection down in the middle. */
export async function sendAndHangUp(
  port: number,
  request: string | Uint8Array,
  reached: () => Promise<boolean>,
): Promise<void> {
  const socket = await open(port);
  socket.write(request);
  await until(reached);
  socket.destroy();
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** Reads head and body (by Content-Length), then closes the connection. */
function readAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let text = '';
    const finish = () => {
      socket.destroy();
      const [head = '', ...rest] = text.split('\r\n\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
      resolve({ status, head, body: rest.join('\r\n\r\n') });
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end >= 0 && text.length >= end + 4 + length && !text.startsWith('HTTP/1.1 100')) finish();
    });
    socket.on('error', finish);
    socket.on('close', finish);
  });
}

/** A multipart body from raw part heads and contents. */
export function multipart(
  boundary: string,
  parts: readonly { head: string; content: Uint8Array | string }[],
): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`, 'latin1'),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

/** The head of a file part. */
export function fileHead(field: string, name = 'a.jpg'): string {
  return `Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/jpeg`;
}

/** The bytes of a whole request. */
export function requestBytes(
  method: string,
  target: string,
  body: Uint8Array,
  headers: Record<string, string>,
): Buffer {
  const lines = Object.entries({ ...headers, 'Content-Length': body.length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    body,
  ]);
}
