/**
 * Malformed requests to every route of the server: one answer each, in time, and no 5xx but a documented 503.
 * VOUCH_ROUTE_FUZZ: how many (default 300); VOUCH_SEED: the seed of a run that failed.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { addOperator, signIn } from '../api/access/operators.ts';
import { newSigner, signatureHeaders, signatureHeadersV2, type Signer } from '../api/signing.ts';
import { openSite, type TestSite } from '../api/site.ts';
import { SEED, seededRandom } from '../support/seed.ts';
import { TEST_ACT } from '../support/act.ts';

const REQUESTS = Number(process.env.VOUCH_ROUTE_FUZZ ?? 300);
/** Milliseconds in which an answer must come, on a machine that does much else. */
const TIMEOUT_MS = 20_000;
/** How long a second answer is waited for, milliseconds. */
const AFTERWARDS = 5;
/** Requests that are under way together. */
const TOGETHER = 8;
/** The time of a fresh site, Unix seconds. */
const NOW = Date.parse('2026-03-01T12:00:00Z') / 1000;

/** The 503 that an answer may be, by its code: the site refuses for a reason that it documents. */
const DOCUMENTED = new Set(['QUEUE_PAUSED', 'QUEUE_FULL', 'DISK_FULL', 'STORAGE_UNAVAILABLE']);
/** The routes of the service itself: the pages are files, which tests do not build. */
const OWN = /^\/(api\/|health$|docs|openapi\.json$)/;
/** Its answer never ends. */
const ENDLESS = '/api/dashboard/events';

class Dice {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  of<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error('There is nothing to choose from.');
    return chosen;
  }

  maybe(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}

/** Every method and path of the server, from its own tree of routes. */
function routesOf(api: FastifyInstance): { method: string; path: string }[] {
  const above: string[] = [];
  const routes: { method: string; path: string }[] = [];
  for (const line of api.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = /^([│ ]*)[├└]── (\S+) \(([A-Z, -]+)\)/.exec(line);
    if (found === null) continue;
    const [, indent = '', part = '', methods = ''] = found;
    above.splice(indent.length / 4, Infinity, part);
    const path = above.join('').replace('//', '/');
    for (const method of methods.split(', ')) routes.push({ method, path });
  }
  return routes;
}

const WORDS = [
  '',
  '0',
  '-1',
  '1',
  '1.5',
  '1e309',
  '9007199254740993',
  'null',
  'true',
  '[]',
  '{}',
  '%',
  '%00',
  '%2e%2e%2f',
  '%ff',
  '..',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '\u202e',
  'a'.repeat(300),
  '00000000-0000-4000-8000-000000000000',
  '2026-02-30T25:61:61Z',
];
const KEYS = [
  'id',
  'ids',
  'name',
  'operator',
  'passphrase',
  'image',
  'images[]',
  'images[0]',
  'template_id',
  'verification_id',
  'trust_flow_id',
  'trust_validation_id',
  'trustFlowId',
  'trustValidationId',
  'username',
  'metadata',
  'metadata[a]',
  'status',
  'scopes',
  'kind',
  'page',
  'per_page',
  'cursor',
  'signature_1',
  'signature_2',
  'settings',
  '__proto__',
];
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'text/plain',
  'application/octet-stream',
  ';;;',
];
const IMAGE = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]);

function anyValue(dice: Dice, depth = 0): unknown {
  switch (dice.below(depth > 3 ? 6 : 9)) {
    case 0:
      return null;
    case 1:
      return dice.below(2) === 0;
    case 2:
      return dice.of([0, -1, 1, 1.5, 1e300, 2 ** 53]);
    case 3:
      return `data:image/jpeg;base64,${IMAGE.toString('base64')}${dice.of(['', '=', '!', '===='])}`;
    case 4:
    case 5:
      return dice.of(WORDS);
    case 6:
      return Array.from({ length: dice.below(5) }, () => anyValue(dice, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: dice.below(6) }, () => [dice.of(KEYS), anyValue(dice, depth + 1)]),
      );
  }
}

function multipartBody(dice: Dice): Buffer {
  const parts = Array.from({ length: dice.below(4) }, () => {
    const name = dice.maybe(8) ? '' : ` name="${dice.of(KEYS)}";`;
    const file = dice.maybe(2) ? ` filename="${dice.of(['a.jpg', '', '../../x', '\u0000'])}"` : '';
    const content = dice.maybe(2) ? IMAGE : dice.bytes(dice.below(40));
    return Buffer.concat([
      Buffer.from(`--b\r\nContent-Disposition: form-data;${name}${file}\r\n`),
      Buffer.from(dice.maybe(4) ? 'Content-Type: image/jpeg\r\n\r\n' : '\r\n'),
      content,
      Buffer.from('\r\n'),
    ]);
  });
  const whole = Buffer.concat([...parts, Buffer.from('--b--\r\n')]);
  return dice.maybe(2) ? whole.subarray(0, dice.below(whole.length + 1)) : whole;
}

function bodyOf(dice: Dice, type: string): Buffer {
  if (type.startsWith('multipart') && !dice.maybe(8)) return multipartBody(dice);
  if (dice.maybe(6)) return dice.bytes(dice.below(200));
  const value = dice.maybe(5)
    ? anyValue(dice)
    : Object.fromEntries(KEYS.filter(() => dice.maybe(4)).map((key) => [key, anyValue(dice)]));
  const text = type.includes('urlencoded')
    ? KEYS.filter(() => dice.maybe(5))
        .map((key) => `${key}=${dice.of(WORDS)}`)
        .join('&')
    : JSON.stringify(value);
  const body = Buffer.from(text);
  return dice.maybe(6) ? body.subarray(0, dice.below(body.length + 1)) : body;
}

interface Known {
  site: TestSite;
  cookie: string;
  signers: Signer[];
}

/** The bytes of one request, and what to call it when it fails. */
function requestOf(dice: Dice, routes: readonly { method: string; path: string }[], known: Known) {
  const { method: own, path } = dice.of(routes);
  const method = dice.maybe(10) ? dice.of(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) : own;
  const filled = path.replaceAll(/:\w+/g, () => dice.of(WORDS.slice(1, -1)).replaceAll(' ', '%20'));
  const query = dice.maybe(2)
    ? `?${Array.from({ length: 1 + dice.below(4) }, () => `${dice.of(KEYS)}=${dice.of(WORDS)}`)
        .join('&')
        .replaceAll(' ', '+')}`
    : '';
  const target = Buffer.from(filled + query, 'latin1').toString('latin1');
  const type = dice.of(TYPES);
  const body = ['GET', 'HEAD'].includes(method) ? Buffer.alloc(0) : bodyOf(dice, type);
  const { site } = known;
  const headers: Record<string, string> = { Host: `127.0.0.1:${site.port}` };
  if (body.length > 0) headers['Content-Type'] = type;
  if (!dice.maybe(6)) headers.Origin = site.address;
  const signed = {
    method,
    target,
    body,
    contentType: headers['Content-Type'] ?? '',
    at: NOW + dice.below(200),
  };
  switch (dice.below(7)) {
    case 0:
    case 1:
      headers.Authorization = `Bearer ${dice.maybe(5) ? dice.of(WORDS.slice(0, 5)) : site.token}`;
      break;
    case 2:
      Object.assign(headers, signatureHeaders(known.signers[0]!, signed));
      break;
    case 3:
      Object.assign(headers, signatureHeadersV2(known.signers[1]!, signed));
      break;
    case 4:
      headers['X-USER-ID'] = known.signers[0]!.key.userId;
      break;
    default:
      headers.Cookie = dice.maybe(6) ? `vouch_session=${dice.of(['', '%', 'x;;=', '"'])}` : known.cookie;
  }
  if (dice.maybe(8)) headers['Idempotency-Key'] = dice.of(['', 'a', 'é', 'k'.repeat(300)]);
  if (dice.maybe(12)) headers['Content-Encoding'] = dice.of(['gzip', 'identity', 'x']);
  if (dice.maybe(12)) headers.Expect = dice.of(['100-continue', 'something']);
  if (dice.maybe(12)) headers.Range = 'bytes=0-1,5-';
  if (dice.maybe(20)) headers['X-HTTP-Method-Override'] = 'DELETE';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const chunked = body.length > 0 && dice.maybe(4);
  const framing = chunked ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${body.length}\r\n`;
  const framed = chunked
    ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
    : body;
  const head = Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${lines.join('')}${framing}Connection: close\r\n\r\n`,
    'latin1',
  );
  return {
    name: `${method} ${target}`.slice(0, 120),
    sent: method,
    path,
    bytes: Buffer.concat([head, framed]),
  };
}

/** Whether the text begins with a whole answer. An interim answer (100) is none. */
function isWhole(text: string, sent: string): boolean {
  const final = text.replace(/^(HTTP\/1\.1 100 [^]*?\r\n\r\n)+/, '');
  const end = final.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (sent === 'HEAD' || /^HTTP\/1\.1 (204|304) /.test(final)) return true;
  const body = final.length - end - 4;
  const announced = /^content-length: (\d+)/im.exec(final.slice(0, end))?.[1];
  if (announced !== undefined) return body >= Number(announced);
  return /^transfer-encoding: chunked/im.test(final.slice(0, end)) && final.endsWith('0\r\n\r\n');
}

/** The bytes that the server sends to one request and shortly after it; undefined: no complete answer came in time. */
function exchange(
  port: number,
  { bytes, sent }: { bytes: Uint8Array; sent: string },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    let ending: NodeJS.Timeout | undefined;
    const end = (answer: string | undefined) => {
      clearTimeout(late);
      clearTimeout(ending);
      socket.destroy();
      resolve(answer);
    };
    const late = setTimeout(() => {
      end(undefined);
    }, TIMEOUT_MS);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      heard += chunk;
      if (isWhole(heard, sent))
        ending ??= setTimeout(() => {
          end(heard);
        }, AFTERWARDS);
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        end(heard);
      });
    socket.write(bytes);
  });
}

function faultOf(answer: string | undefined): string | undefined {
  if (answer === undefined) return 'no answer in time';
  const heads = answer.match(/^HTTP\/1\.1 (?!100)\d{3} /gm) ?? [];
  if (heads.length !== 1) return `${heads.length} answers`;
  const status = Number(heads[0].slice(9, 12));
  if (status < 500) return undefined;
  const code = /"code":"(\w+)"/.exec(answer)?.[1] ?? '';
  return status === 503 && DOCUMENTED.has(code) ? undefined : `${status} ${code}`;
}

test('malformed requests get one timely answer each, and no undocumented 5xx', async (t) => {
  const dice = new Dice(seededRandom(t));
  const site = await openSite(t);
  await site.storage.installation.update({ requestsPerMinute: 1_000_000 }, TEST_ACT);
  await addOperator(site, 'Ana', 'admin');
  const known: Known = {
    site,
    cookie: await signIn(site, 'Ana'),
    signers: [await newSigner(site), await newSigner(site, { profile: 'v2' })],
  };
  const routes = routesOf(site.api).filter(({ path }) => OWN.test(path) && path !== ENDLESS);
  assert.ok(routes.length > 100, 'the tree of routes was not understood');
  for (const path of ['/health', '/api/v3/duplicate-detection/faces', '/api/dashboard/session'])
    assert.ok(
      routes.some((route) => route.path === path),
      path,
    );
  const faults: string[] = [];
  const tried = new Set<string>();
  let done = 0;
  while (done < REQUESTS) {
    const batch = Array.from({ length: Math.min(TOGETHER, REQUESTS - done) }, () =>
      requestOf(dice, routes, known),
    );
    const answers = await Promise.all(batch.map((request) => exchange(site.port, request)));
    for (const [index, { name, path }] of batch.entries()) {
      tried.add(path);
      const fault = faultOf(answers[index]);
      if (fault !== undefined) faults.push(`${name}: ${fault}`);
    }
    done += batch.length;
    // A request may have signed the operator out.
    if (done % 200 < TOGETHER) known.cookie = await signIn(site, 'Ana').catch(() => known.cookie);
  }
  const logged = site.lines
    .filter(({ level }) => level === 'error')
    .map(({ facts }) => JSON.stringify(facts).slice(0, 300));
  t.diagnostic(`${done} requests to ${tried.size} paths`);
  assert.deepEqual({ faults, logged }, { faults: [], logged: [] }, `seed ${SEED}`);
});
