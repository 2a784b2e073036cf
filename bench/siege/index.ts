/** How an honest caller is served while callers without a credential attack the service from the same machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ALLOCATOR } from '../../core/platform/environment.ts';
import { run, startService, tokenFor, type ServiceProcess } from '../../test/support/serviceProcess.ts';
import { publish, table } from '../report.ts';
import type { Attack, Orders } from './attacker.ts';

const COMPANY = 'Siege';
const OPERATOR = 'Ana';
const PASSPHRASE = 'violet harbour by the sea 7';
/** After this long a caller gives up, milliseconds. */
const TIMEOUT_MS = 30_000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    slow: { type: 'string', default: '600' },
    forged: { type: 'string', default: '64' },
    signIn: { type: 'string', default: '150' },
    /** How long the service rests before its memory is read again. */
    rest: { type: 'string', default: '60' },
    /** Only the phases whose name contains this. The first one always runs: it measures the usual values. */
    phase: { type: 'string', default: '' },
    'no-report': { type: 'boolean', default: false },
  },
});
const duration = 1000 * Number(values.seconds);
const connections: Record<Attack, number> = {
  slow: Number(values.slow),
  forged: Number(values.forged),
  signIn: Number(values.signIn),
};
const PHASES: { name: string; attacks: readonly Attack[] }[] = [
  { name: 'no attack', attacks: [] },
  { name: `${connections.slow} slow connections`, attacks: ['slow'] },
  { name: `${connections.forged} forged uploads`, attacks: ['forged'] },
  { name: `${connections.signIn} sign-in floods`, attacks: ['signIn'] },
  { name: 'all together', attacks: ['slow', 'forged', 'signIn'] },
];

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** One request over a connection of its own. @returns milliseconds; status 0: no answer */
function ask(port: number, { method, path, headers = {}, body }: Sent) {
  const begun = performance.now();
  return new Promise<{ status: number; ms: number; headers: IncomingHttpHeaders }>((resolve) => {
    const end = (status: number, answered: IncomingHttpHeaders = {}) => {
      resolve({ status, ms: performance.now() - begun, headers: answered });
    };
    const asked = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers,
      agent: false,
      timeout: TIMEOUT_MS,
    });
    asked.on('response', (response) => {
      response.resume().on('end', () => {
        end(response.statusCode ?? 0, response.headers);
      });
    });
    asked
      .on('timeout', () => asked.destroy())
      .on('error', () => {
        end(0);
      });
    asked.end(body);
  });
}

/** The least share of `times` that are not above it, milliseconds. */
function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** Resident memory of the service's main process, MiB; NaN where the system does not report it. */
function memoryOf({ pid }: ServiceProcess): number {
  if (process.platform !== 'linux') return NaN;
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}

const form = Buffer.concat([
  Buffer.from('--h\r\nContent-Disposition: form-data; name="images[]"; filename="a.jpg"\r\n\r\n'),
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]),
  Buffer.alloc(300_000),
  Buffer.from('\r\n--h--\r\n'),
]);

interface Honest {
  port: number;
  token: string;
  browser: string;
}

function signInOf({ port, browser }: Honest, withBrowser: boolean): Sent {
  return {
    method: 'POST',
    path: '/api/dashboard/session',
    headers: {
      origin: `http://127.0.0.1:${port}`,
      'content-type': 'application/json',
      ...(withBrowser && { cookie: browser }),
    },
    body: Buffer.from(JSON.stringify({ operator: OPERATOR, passphrase: PASSPHRASE })),
  };
}

/** Asks again and again until the time is over. @returns milliseconds of each, and how many were answered otherwise */
async function repeat(
  port: number,
  sent: Sent,
  { every, right }: { every: number; right: number },
  until: number,
) {
  const times: number[] = [];
  let errors = 0;
  while (performance.now() < until) {
    const { status, ms } = await ask(port, sent);
    times.push(ms);
    if (status !== right) errors += 1;
    await sleep(Math.max(0, every - ms));
  }
  return { times, errors };
}

async function phase(honest: Honest, attacks: readonly Attack[], userId: string) {
  const { port, token } = honest;
  const attackers = attacks.map((attack) => {
    const orders: Orders = {
      attack,
      connections: connections[attack],
      port,
      duration: duration + 2_000,
      userId,
    };
    return spawn(process.execPath, [join(import.meta.dirname, 'attacker.ts'), JSON.stringify(orders)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });
  const ended = attackers.map((attacker) => once(attacker, 'exit'));
  await sleep(2_000);
  const until = performance.now() + duration;
  const upload: Sent = {
    method: 'POST',
    path: '/api/v3/duplicate-detection/faces',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=h' },
    body: form,
  };
  const [health, uploads, known, fresh] = await Promise.all([
    repeat(port, { method: 'GET', path: '/health' }, { every: 50, right: 200 }, until),
    repeat(port, upload, { every: 1_000, right: 202 }, until),
    repeat(port, signInOf(honest, true), { every: 2_000, right: 204 }, until),
    repeat(port, signInOf(honest, false), { every: 2_000, right: 204 }, until),
  ]);
  await Promise.all(ended);
  return { health, uploads, known, fresh };
}

const work = mkdtempSync(join(tmpdir(), 'vouch-siege-'));
const home = join(work, 'home');
// As the product's own programs start it.
const service = await startService(home, 0, 2, ALLOCATOR);
try {
  const port = Number(new URL(service.address).port);
  await run(home, ['company', 'create', COMPANY]);
  const secret = join(work, 'passphrase');
  writeFileSync(secret, PASSPHRASE);
  const named = ['operator', 'create', OPERATOR, '--company', COMPANY, '--role', 'admin'];
  const made = await run(home, [...named, '--passphrase-file', secret]);
  if (made.code !== 0) throw new Error(made.stderr);
  const token = await tokenFor(home, COMPANY, 'enroll');
  const scopes = ['--scope', 'enroll', 'verify'];
  const key = await run(home, ['--json', 'key', 'create', '--company', COMPANY, '--name', 'k', ...scopes]);
  const { userId } = JSON.parse(key.stdout) as { userId: string };
  const first = await ask(port, signInOf({ port, token, browser: '' }, false));
  const browser = (first.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
  if (first.status !== 204) throw new Error(`The first sign-in was answered ${first.status}.`);
  const honest = { port, token, browser };
  const rows: (string | number)[][] = [];
  let before = NaN;
  for (const { name, attacks } of PHASES.filter(
    (one) => one.attacks.length === 0 || one.name.includes(values.phase),
  )) {
    const { health, uploads, known, fresh } = await phase(honest, attacks, userId);
    if (attacks.length === 0) before = memoryOf(service);
    const ms = (times: readonly number[], share: number) => Math.round(quantile(times, share));
    rows.push([
      name,
      ms(health.times, 0.5),
      ms(health.times, 0.99),
      ms(uploads.times, 1),
      ms(known.times, 1),
      ms(fresh.times, 1),
      [health, uploads, known, fresh].map(({ times, errors }) => `${errors}/${times.length}`).join(' '),
      memoryOf(service),
    ]);
    console.log(rows.at(-1)?.join(' | '));
  }
  await sleep(1000 * Number(values.rest));
  const after = memoryOf(service);
  const head = [
    'attack',
    '/health p50, ms',
    '/health p99, ms',
    'upload, slowest, ms',
    'sign-in in a known browser, slowest, ms',
    'sign-in in a new browser, slowest, ms',
    'errors of each',
    'memory, MiB',
  ];
  const body = `${values.seconds} s of each attack, from child processes on the same machine, beside one honest caller that opens a connection for each request. Slow connections announce a sign-in and bring one byte every 5 s; forged uploads carry 20 MiB under a known user id and a wrong signature (half of them JSON); floods sign in under invented names as fast as they are answered. Closed connections are opened again.

${table(head, rows)}

Memory of the service's main process: ${before} MiB before the first attack, ${after} MiB ${values.rest} s after the last (${Math.round((100 * after) / before)} %).

Targets: \`/health\` 250 ms (p99), an upload accepted in 2 s, the right passphrase signs in within 5 s, memory within 20 % of its start, no errors.`;
  if (values['no-report']) console.log(body);
  else publish({ name: 'siege', title: 'Served under attack', body, args: process.argv.slice(2) });
} finally {
  await service.kill();
  rmSync(work, { recursive: true, force: true });
}
