/** The interface description holds nothing but what is answered, and all of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPES } from '../../core/contracts/codes.ts';
import { companySettings } from '../../core/contracts/settings.ts';
import { UnavailableError } from '../../core/domain/ports/machine.ts';
import { photoOf } from '../support/people.ts';
import { TEST_ACT } from '../support/act.ts';
import type { ProgramRequest } from './access/programRequest.ts';
import { PROGRAM_ROUTES } from './access/programRoutes.ts';
import type { Operation } from './description.ts';
import { sendRaw, type RawAnswer } from './rawRequest.ts';
import { until } from '../support/until.ts';
import { walkPersons } from './personWalk.ts';
import { CREATE, DETECT, dataUri, openScreeningSite } from './screeningSite.ts';
import { openSite, type Answer, type CallOptions, type TestSite } from './site.ts';

const CORRELATION = '3f0c1a52-7a0e-4c62-9a55-0f6f1f7e8d11';
const PUBLIC: Record<string, ProgramRequest> = {
  'GET /health': { method: 'GET', target: '/health' },
  'GET /api/user/api-trust-flow/get-design-settings/{id}': {
    method: 'GET',
    target: '/api/user/api-trust-flow/get-design-settings/1',
  },
};

/** A whole head, to which no body need follow. */
function headOf({ method, target }: ProgramRequest, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function received({ status, head, body }: RawAnswer) {
  const lines = head.split('\r\n').slice(1);
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trim()];
    }),
  );
  return { status, headers, body: JSON.parse(body) as unknown };
}

/** Sends a request of the table with other headers. */
function send(
  site: TestSite,
  request: ProgramRequest,
  token: string | null,
  headers: Record<string, string> = {},
) {
  const { method, target, body, contentType, headers: own } = request;
  const options: CallOptions = {
    token,
    method,
    ...(body && { body: new Uint8Array(body) }),
    headers: {
      'x-request-id': CORRELATION,
      ...own,
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...headers,
    },
  };
  return site.call(target, options);
}

test('each operation answers every status, header and field that is described', async (t) => {
  let fault: Error | undefined;
  let inPublic = false;
  /** The port, of which each call fails while there is a fault. */
  const failing = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          if (fault !== undefined) throw fault;
          return Reflect.apply(member, target, given);
        };
      },
    });
  const opened = await openScreeningSite(
    t,
    ({ companies, uploads, validations, installation, ...identity }) => {
      const settings = installation.settings.bind(installation);
      return {
        blacklists: failing(identity.blacklists),
        persons: failing(identity.persons),
        duplicateGroups: failing(identity.duplicateGroups),
        duplicateRuns: failing(identity.duplicateRuns),
        companies: failing(companies),
        uploads: failing(uploads),
        validations: failing(validations),
        installation: Object.assign(installation, {
          // Read before the rate limit of each request, so only the public route fails here.
          settings: () => (inPublic && fault !== undefined ? Promise.reject(fault) : settings()),
        }),
      };
    },
  );
  const { site } = opened;
  const description = site.description;
  const raw = async (request: ProgramRequest, headers: Record<string, string>) => {
    const all = {
      Host: `127.0.0.1:${site.port}`,
      Connection: 'close',
      'X-Request-Id': CORRELATION,
      ...headers,
    };
    description.check(
      request.method,
      request.target,
      received(await sendRaw(site.port, headOf(request, all))),
    );
  };
  const other = await site.newCompany();
  const otherToken = await site.newToken({ company: other });
  const without = await site.newCompany({ settings: companySettings.parse({ blacklistsEnabled: false }) });
  const withoutToken = await site.newToken({ company: without });

  // Starts on a site without faces.
  t.after(() => site.engine.duplicateSearch.stop());
  await walkPersons(opened);
  await site.engine.duplicateSearch.stop();

  // Rows with everything in them: two people of whom one is in a blacklist, and one who is seen again.
  const list = await opened.newBlacklist('Barred', { people: [1] });
  const flow = await opened.newFlow({
    blacklistDetection: { enabled: true, blacklistIds: [list.id] },
    targetFpir: 0.1,
  });
  const missing = await opened.newBlacklist('Inactive soon');
  const flowWithInactive = await opened.newFlow({
    blacklistDetection: { enabled: true, blacklistIds: [missing.id] },
  });
  await opened.service.setActive(site.company.id, missing.id, false);
  await opened.verify(flowWithInactive, 1);
  for (let again = 0; again < 2; again += 1) {
    const created = await opened.post(CREATE, { template_id: flow, metadata: { counter: 4 } });
    const { id } = created.body.verification as { id: string };
    const enrolled = await opened.post(DETECT, {
      image: dataUri(photoOf(1, again)),
      trustFlowId: flow,
      trustValidationId: id,
    });
    assert.equal(enrolled.status, 200, enrolled.text);
  }
  await opened.verify(flow, 1);
  await opened.verify(flow, null);

  for (const [route, operation] of description.operations()) {
    const program = PROGRAM_ROUTES[route];
    const request = PUBLIC[route] ?? (await program?.request(site, site.company));
    assert.ok(request, `${route} has no request in these tables`);
    const documented = Object.keys(operation.responses).map(Number);
    const expect = async (status: number, answer: Promise<Answer>) => {
      if (documented.includes(status))
        assert.equal((await answer).status, status, `${route}: ${(await answer).text}`);
    };
    const credential = program === undefined ? null : site.token;
    const bearer: Record<string, string> =
      credential === null ? {} : { authorization: `Bearer ${credential}` };

    await expect(program?.right ?? 200, send(site, request, credential));
    await expect(403, send(site, request, credential, { origin: 'https://elsewhere.example' }));
    await raw(request, { Host: 'elsewhere.example' });
    await raw(request, { Filler: 'x'.repeat(20_000) });
    inPublic = program === undefined;
    fault = new Error('a fault of the program');
    await expect(500, send(site, request, credential));
    fault = new UnavailableError('The disk is away.');
    await expect(503, send(site, request, credential));
    fault = undefined;
    await site.storage.installation.update({ requestsPerMinute: 1 }, TEST_ACT);
    const limited = program === undefined ? null : await site.newToken();
    await send(site, request, limited);
    await expect(429, send(site, request, limited));
    await site.storage.installation.update({ requestsPerMinute: 100_000 }, TEST_ACT);
    if (program === undefined) continue;

    await expect(401, send(site, request, null));
    const scopes = SCOPES.filter((scope) => scope !== program.scope && scope !== program.orScope);
    await expect(403, send(site, request, await site.newToken({ scopes })));
    if (program.otherCompany === 404) await expect(404, send(site, request, otherToken));
    await refuseAll(site, { operation, request, route, bearer, raw });
    if (documented.includes(422)) {
      const [lookup, key] = request.target.split('idempotencyKey=');
      const wrong: ProgramRequest = request.target.includes('uploads')
        ? { ...request, target: key === undefined ? request.target : `${lookup}idempotencyKey=` }
        : request.method === 'GET'
          ? { ...request, target: `${request.target}?per_page=0&limit=0` }
          : {
              ...request,
              ...(request.body && {
                body: Buffer.from(
                  request.contentType === 'application/json' ? '{"oneIn":1}' : '--access--\r\n',
                ),
              }),
              headers: { 'idempotency-key': 'not a key' },
            };
      await expect(
        422,
        send(
          site,
          wrong,
          wrong.target === request.target && request.method === 'GET' ? withoutToken : site.token,
        ),
      );
    }
  }

  // A slow body ends in 408 on a site that waits for none.
  const hasty = await openSite(t, () => ({ bounds: { bodyGrace: 3_000, bodyRate: 1_000_000 } }));
  await Promise.all(
    [...description.operations()].map(async ([route, { responses }]) => {
      if (responses['408'] === undefined) return;
      const asked = await PROGRAM_ROUTES[route]!.request(hasty, hasty.company);
      const target = asked.target;
      const head = headOf(asked, {
        Host: `127.0.0.1:${hasty.port}`,
        Authorization: `Bearer ${hasty.token}`,
        'Content-Type': asked.contentType ?? '',
        'Content-Length': '100',
        'X-Request-Id': CORRELATION,
      });
      description.check(asked.method, target, received(await sendRaw(hasty.port, head)));
    }),
  );

  const unseen = [...description.promised()].filter((each) => !description.seen.has(each));
  assert.deepEqual(unseen, []);
});

interface Asked {
  operation: Operation;
  request: ProgramRequest;
  route: string;
  bearer: Record<string, string>;
  raw: (request: ProgramRequest, headers: Record<string, string>) => Promise<void>;
}

/** Sends bodies that are broken, too large, of another type, or sent twice at once, and checks the answers. */
async function refuseAll(site: TestSite, { operation, request, route, bearer, raw }: Asked): Promise<void> {
  if (operation.requestBody === undefined) return;
  const type = request.contentType ?? '';
  await raw(request, { ...bearer, 'Content-Type': type, 'Content-Length': '100000000000000' });
  assert.equal((await send(site, request, site.token, { 'content-type': 'text/plain' })).status, 415, route);
  const broken = { ...request, body: Buffer.from('{"image":') };
  assert.equal((await send(site, broken, site.token)).status, 400, route);
  if (operation.responses['409'] === undefined || type === 'application/json') return;
  const key = { 'idempotency-key': route.replaceAll(' ', '') };
  let end: () => void = () => undefined;
  const slow = new ReadableStream({
    start(controller) {
      controller.enqueue(request.body?.subarray(0, 20));
      end = () => {
        controller.close();
      };
    },
  });
  const first = site.call(request.target, {
    method: 'POST',
    body: slow,
    duplex: 'half',
    headers: { ...key, 'content-type': type },
  });
  // The lookup takes no key, so the slow request is the one that gets it.
  const uploads = request.target.replace(/(?:\d+\/)?faces$/, 'uploads');
  const lookup = `${uploads}?idempotencyKey=${encodeURIComponent(key['idempotency-key'])}`;
  await until(
    async () => (await send(site, { method: 'GET', target: lookup }, site.token)).status === 409,
    'the slow request',
  );
  const second = await send(site, { ...request, body: Buffer.from('--access--\r\n') }, site.token, key);
  assert.equal(second.status, 409, route);
  end();
  await first;
}

test('operations have names, texts, examples that fit and schemas that say something', async (t) => {
  const { description } = await openSite(t);
  const operations = [...description.operations().values()];
  assert.ok(operations.length >= 13);
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  for (const { operationId, responses, requestBody } of operations) {
    for (const [status, { description: text, content }] of Object.entries(responses)) {
      assert.match(text, /^[A-Z].*\.$/, `${operationId} ${status}`);
      if (Number(status) >= 400) continue;
      const { schema, example } = content['application/json'] ?? { schema: {} };
      assert.equal(description.problems(schema, example), '', `the example of ${operationId}`);
    }
    for (const [type, { schema, example }] of Object.entries(requestBody?.content ?? {}))
      if (type === 'application/json' || example !== undefined)
        assert.equal(description.problems(schema, example), '', `the example of ${operationId} as ${type}`);
  }
  assert.deepEqual(emptySchemas(description.document), []);
});

/** Where the description allows anything without a word about it. */
function emptySchemas(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const at = `${path}/${key}`;
    if (key === 'example') return [];
    const isSchema = /\/(properties\/[^/]+|items|schema|anyOf\/\d+)$/.test(at);
    if (isSchema && typeof each === 'object' && each !== null && Object.keys(each as object).length === 0)
      return [at];
    return emptySchemas(each, at);
  });
}
