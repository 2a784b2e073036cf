import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { createSignatures } from '../../core/signatures/signatures.ts';
import { TEST_ACT } from '../support/act.ts';
import { openSite, PNG, type TestSite } from '../api/site.ts';

const MATCH = '/api/v1/verification/signature/match';
/** The permitted statuses of an answer: no server error except 503, which asks the caller to retry. */
const FORESEEN = new Set([200, 400, 413, 415, 422, 503]);

const scripted = `data:image/png;base64,${Buffer.concat([PNG.subarray(0, 8), Buffer.from('80')]).toString('base64')}`;
const good = { image1: scripted, image2: scripted, template_id: 't', verification_id: 'v' };

/** Cuts, repeats, replaces and inserts in a text. */
const mutation = fc.record({
  kind: fc.constantFrom('cut' as const, 'repeat' as const, 'replace' as const, 'insert' as const),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 12 }),
  text: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '"',
      '\\',
      '\\u0000',
      '\\ud800',
      'data:',
      ';base64,',
      '=',
      '{',
      ']',
      '1e999',
      'null',
      '\r\n',
    ),
  ),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(text: string, { kind, at, length, text: other }: Mutation): string {
  const start = Math.floor(at * text.length);
  const piece = text.slice(start, start + length);
  const middle = { cut: '', repeat: piece + piece, replace: other, insert: other + piece }[kind];
  return text.slice(0, start) + middle + text.slice(start + length);
}

/** Straight into the interface: what is mutated is the body, and thousands of connections would only take time. */
async function post({ api, token }: TestSite, body: string): Promise<number> {
  const answer = await api.inject({
    method: 'POST',
    url: MATCH,
    headers: {
      host: 'localhost',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    },
    payload: body,
  });
  if (answer.statusCode !== 200)
    assert.equal(answer.json<{ status: boolean }>().status, false, answer.payload);
  return answer.statusCode;
}

test('5,000 mutated requests: each is answered, none with a fault of the service', async (t) => {
  const site = await openSite(t);
  await site.storage.installation.update({ requestsPerMinute: 1_000_000 }, TEST_ACT);
  const field = fc.oneof(fc.string(), fc.constant(scripted), fc.anything({ maxDepth: 2 }));
  const request = fc.oneof(
    fc
      .array(mutation, { minLength: 1, maxLength: 4 })
      .map((list) => list.reduce(mutate, JSON.stringify(good))),
    fc
      .record(
        { image1: field, image2: field, template_id: field, verification_id: field },
        { requiredKeys: [] },
      )
      .map((body) =>
        JSON.stringify({ ...good, ...body }, (_key, value: unknown) =>
          typeof value === 'bigint' ? 1 : value,
        ),
      ),
  );
  const seen = new Map<number, number>();
  for (const batch of chunked(fc.sample(request, 5_000), 20)) {
    for (const status of await Promise.all(batch.map((body) => post(site, body)))) {
      assert.ok(FORESEEN.has(status) && status !== 503, `answered ${status}`);
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
  }
  for (const status of [200, 400, 422]) assert.ok((seen.get(status) ?? 0) > 50, `hardly any ${status}`);
  assert.deepEqual(
    site.lines.filter((line) => line.level === 'error'),
    [],
  );
});

test('damaged pictures reach the real matcher and take nothing with them', async (t) => {
  const signatures = createSignatures({ workers: 1 });
  t.after(() => signatures.close());
  const site = await openSite(t, () => ({ signatures }));
  const picture = await sharp(
    Buffer.from(
      '<svg width="160" height="80"><path d="M9 60 C40 5 60 75 90 30 S140 50 150 20" fill="none" stroke="#113" stroke-width="3"/></svg>',
    ),
  )
    .flatten({ background: '#fff' })
    .jpeg()
    .toBuffer();
  const uri = (image: Uint8Array) => `data:image/jpeg;base64,${Buffer.from(image).toString('base64')}`;
  const body = (image1: Uint8Array) => JSON.stringify({ ...good, image1: uri(image1), image2: uri(picture) });
  assert.equal(await post(site, body(picture)), 200);
  const damages = fc.sample(
    fc.array(fc.tuple(fc.nat(picture.length - 4), fc.nat(255)), { minLength: 1, maxLength: 30 }),
    // Each ends a worker process. `npm run bench -- hostileImages` sends thousands.
    12,
  );
  for (const damage of damages) {
    const damaged = Buffer.from(picture);
    for (const [at, byte] of damage) damaged[3 + at] = byte;
    assert.ok([200, 422].includes(await post(site, body(damaged))));
  }
  for (const length of [8, 100, picture.length >> 1, picture.length - 1])
    assert.ok([200, 422].includes(await post(site, body(picture.subarray(0, length)))));
  assert.equal(await post(site, body(picture)), 200, 'and it still works');
});

function chunked<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
