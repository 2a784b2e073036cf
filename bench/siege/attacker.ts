/** One kind of attack on a service of this machine, for a bounded time. Started by index.ts in a process of its own. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { argv } from 'node:process';

/** Slow bodies, signed uploads with a wrong signature, sign-ins under invented names. */
export type Attack = 'slow' | 'forged' | 'signIn';

export interface Orders {
  attack: Attack;
  /** Connections at once. */
  connections: number;
  port: number;
  /** Milliseconds. */
  duration: number;
  /** The public user id of a signing key. */
  userId: string;
}

/** A connection that was closed is opened again after this long, milliseconds. */
const REOPEN = 200;
/** A slow body brings one byte in this time, milliseconds. */
const SLOW = 5_000;
const FORGED_BYTES = 20 * 1024 * 1024;
const PIECE = Buffer.alloc(256 * 1024, 'x');

function head(port: number, target: string, length: number, headers: Record<string, string>): string {
  const all = { Host: `127.0.0.1:${port}`, 'Content-Length': String(length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function run({ attack, connections, port, duration, userId }: Orders): void {
  const until = performance.now() + duration;
  const json = { 'Content-Type': 'application/json' };
  const dashboard = { ...json, Origin: `http://127.0.0.1:${port}` };
  const open = (index: number): void => {
    if (performance.now() >= until) return;
    const socket = connect(port, '127.0.0.1');
    let timer: NodeJS.Timeout | undefined;
    const begin: Record<Attack, () => void> = {
      slow: () => {
        socket.write(head(port, '/api/dashboard/session', 1000, dashboard));
        timer = setInterval(() => socket.write(' '), SLOW);
      },
      forged: () => {
        const signed = {
          'X-USER-ID': userId,
          'X-TIMESTAMP': String(Math.floor(Date.now() / 1000)),
          'X-HMAC-SIGNATURE': randomBytes(32).toString('hex'),
        };
        const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };
        const [target, type] =
          index % 2 === 0
            ? ['/api/v3/verifications/biometrics-verification', json]
            : ['/api/v3/duplicate-detection/faces', multipart];
        socket.write(head(port, target, FORGED_BYTES, { ...signed, ...type }));
        socket.write('--b\r\nContent-Disposition: form-data; name="images[]"; filename="a.jpg"\r\n\r\n');
        socket.write(Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
        let sent = 100;
        const send = () => {
          while (sent < FORGED_BYTES - PIECE.length && performance.now() < until) {
            sent += PIECE.length;
            if (!socket.write(PIECE)) return;
          }
        };
        socket.on('drain', send);
        send();
      },
      signIn: () => {
        const body = JSON.stringify({
          operator: randomBytes(6).toString('hex'),
          passphrase: 'not the passphrase',
        });
        socket.write(head(port, '/api/dashboard/session', body.length, dashboard) + body);
        socket.on('data', () => socket.destroy());
      },
    };
    socket.on('connect', begin[attack]);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(timer);
        setTimeout(open, attack === 'signIn' ? 0 : REOPEN, index);
      });
    setTimeout(() => socket.destroy(), Math.max(0, until - performance.now())).unref();
  };
  for (let index = 0; index < connections; index += 1) open(index);
  setTimeout(() => process.exit(0), duration + 1_000);
}

const [, , orders] = argv;
if (orders !== undefined) run(JSON.parse(orders) as Orders);
