/**
 * The hosted service's public Flutter client (idmeta_sdk_flutter), request by request with its own rules of success, and
 * byte for byte as its HTTP library (package:http) writes them: small letters in the part heads, no content type for
 * ASCII text, application/octet-stream for files, a boundary of 70 characters.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { TEST_ACT } from '../support/act.ts';
import { NOBODY, photoOf } from '../support/people.ts';
import { sendRaw, type RawAnswer } from './rawRequest.ts';
import { CREATE, FINALIZE, VALIDATIONS, dataOf, dataUri, openScreeningSite } from './screeningSite.ts';
import type { TestSite } from './site.ts';

const BOUNDARY = 'dart-http-boundary-Qm4LvyI0bR7h2+Yk9c1uZsW8xT3aJ5dNfEoGpV6KrXtCqH_nwSi';
const VERIFY = '/api/v1/verification/biometricsverification';
const REGISTER = '/api/v1/verification/biometricsregistration';
const DESIGN = '/api/user/api-trust-flow/get-design-settings/';

type Body = Record<string, unknown>;
type Parts = Record<string, string>;
type Files = Record<string, Uint8Array>;

function dartRequest(site: TestSite, path: string, fields: Parts, files: Files = {}): Buffer {
  const body = Buffer.concat([
    ...Object.entries(fields).map(([name, value]) => Buffer.from(`${textHead(name, value)}${value}\r\n`)),
    ...Object.entries(files).flatMap(([name, content]) => [
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-type: application/octet-stream\r\n` +
          `content-disposition: form-data; name="${name}"; filename="CAP_1732.jpg"\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
  const head = [
    `POST ${path} HTTP/1.1`,
    'user-agent: Dart/3.4 (dart:io)',
    'accept: application/json',
    'accept-encoding: gzip',
    `content-length: ${body.length}`,
    `authorization: Bearer ${site.token}`,
    `host: 127.0.0.1:${site.port}`,
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

function textHead(name: string, value: string): string {
  const disposition = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`;
  const plain = Buffer.byteLength(value) === value.length;
  const type = '\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-transfer-encoding: binary';
  return `${disposition}${plain ? '' : type}\r\n\r\n`;
}

function record(value: unknown): Body {
  assert.ok(typeof value === 'object' && value !== null, JSON.stringify(value));
  return value as Body;
}

/** Accepts the answers that the client's `_sendMultipartRequest` treats as success; throws the message that its user reads. */
function accepted(path: string, { status, body }: RawAnswer): Body {
  const answer = record(JSON.parse(Buffer.from(body, 'latin1').toString()));
  if (status < 200 || status >= 300) throw new Error(String(answer.message));
  const result = answer.result == null ? {} : record(answer.result);
  if (answer.status === false || result.status === 'failed') {
    const said = result.message ?? answer.message;
    const message = typeof said === 'string' ? said : 'Verification failed';
    const known = message.includes('Account already exists') || message.includes('already registered');
    if (!path.includes(REGISTER) || !known) throw new Error(message);
  }
  return answer;
}

/** The client's own flow: create, one step per plan in the order of the plans, finalise. */
class FlutterClient {
  readonly site: TestSite;
  readonly templateId: string;
  id = '';
  steps: string[] = [];

  constructor(site: TestSite, templateId: number) {
    this.site = site;
    this.templateId = String(templateId);
  }

  async start(): Promise<void> {
    const answer = await this.#send(CREATE, { template_id: this.templateId });
    this.id = String(record(answer.verification).id);
    this.steps = (answer.plans as Body[]).map(({ plan }) => String(plan));
    const settings = (answer.tool_settings as Body[]).map(({ plan, config }) => [plan, record(config)]);
    assert.deepEqual(
      settings.map(([plan]) => plan),
      this.steps,
    );
  }

  step(image: Uint8Array, username = 'Ana Núñez'): Promise<Body> {
    const [step] = this.steps;
    const fields = { template_id: this.templateId, verification_id: this.id };
    if (step === 'biometrics_registration') return this.#send(REGISTER, { username, ...fields }, { image });
    assert.equal(step, 'biometrics_verification', 'the client has no screen for another step');
    return this.#send(VERIFY, fields, { image });
  }

  finish(): Promise<Body> {
    return this.#send(FINALIZE, { template_id: this.templateId, verification_id: this.id });
  }

  async #send(path: string, fields: Parts, files?: Files): Promise<Body> {
    return accepted(path, await sendRaw(this.site.port, dartRequest(this.site, path, fields, files)));
  }
}

async function openFlow(t: TestContext) {
  const screening = await openScreeningSite(t);
  const list = await screening.newBlacklist('VIP', { people: [1] });
  const flow = (registration: boolean) =>
    screening.newFlow({
      registration: { enabled: registration },
      blacklistDetection: { enabled: true, blacklistIds: [list.id] },
    });
  return { ...screening, flow };
}

async function run(client: FlutterClient, image: Uint8Array): Promise<Body> {
  await client.start();
  await client.step(image);
  return client.finish();
}

test('the Flutter client verifies a new face and gets REVIEW_NEEDED for known ones', async (t) => {
  assert.equal(BOUNDARY.length, 70);
  const { site, flow } = await openFlow(t);
  const template = await flow(false);
  const ends: Body[] = [];
  for (const image of [photoOf(2), photoOf(1, 7), photoOf(2, 8)])
    ends.push(await run(new FlutterClient(site, template), image));
  assert.deepEqual(
    ends.map(({ status, status_message, finalized }) => [status, status_message, finalized]),
    [
      [3, 'VERIFIED', true],
      [2, 'REVIEW_NEEDED', true],
      [2, 'REVIEW_NEEDED', true],
    ],
  );
});

test('the Flutter client registers a face once and passes when the account exists', async (t) => {
  const { site, flow } = await openFlow(t);
  const template = await flow(true);
  const client = new FlutterClient(site, template);
  await client.start();
  assert.deepEqual(client.steps, ['biometrics_registration']);
  assert.deepEqual(await client.step(photoOf(3)), {
    status: true,
    message: 'Biometrics registration processed successfully',
    one_person: false,
    result: { status: 'success', message: 'Biometrics registration processed successfully' },
    verification_status: 'VERIFIED',
    verification_status_code: 3,
    template_id: template,
    verification_id: client.id,
    verification_type: 'biometrics_registration',
    metadata: null,
  });
  const again = new FlutterClient(site, template);
  await again.start();
  const second = await again.step(photoOf(3, 2));
  assert.deepEqual([second.status, second.message], [false, 'Account already exists']);
  assert.equal((await again.finish()).status_message, 'REVIEW_NEEDED');
  const first = await client.finish();
  assert.equal(first.status_message, 'VERIFIED', 'a face in review is not enrolled');
  const detail = dataOf(await site.call(`${VALIDATIONS}/${client.id}`));
  assert.equal(detail.name, 'Ana Núñez', JSON.stringify(detail));
});

test('a rejected selfie gives the Flutter client the reason; the next passes', async (t) => {
  const { site, flow, post } = await openFlow(t);
  const template = await flow(false);
  const client = new FlutterClient(site, template);
  await client.start();
  const message = 'No face detected in the image. Please ensure face is clearly visible.';
  await assert.rejects(client.step(NOBODY), { message });
  const fields = { template_id: template, verification_id: client.id };
  const refused = await post(VERIFY, { ...fields, image: dataUri(NOBODY) });
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.body, {
    status: false,
    message,
    errors: { image: [message] },
    code: 'NO_FACE',
    problems: { image: [{ code: 'NO_FACE', parameters: {} }] },
    result: { status: 'failed', message },
  });
  assert.equal((await post(VERIFY, { ...fields, image: dataUri(photoOf(4)) })).status, 200);
  const finished = await client.finish();
  assert.equal(finished.status_message, 'VERIFIED');
  assert.deepEqual(await client.finish(), finished, 'finalising again changes nothing');
  const late = await post(VERIFY, { ...fields, image: dataUri(photoOf(5)) });
  assert.deepEqual([late.status, record(late.body.result).status], [422, 'failed']);
});

test('v1 biometrics routes need the scope "verify" and know no other company', async (t) => {
  const { site, flow, post } = await openFlow(t);
  const client = new FlutterClient(site, await flow(true));
  await client.start();
  const body = { template_id: client.templateId, verification_id: client.id, image: dataUri(photoOf(6)) };
  const signatures = await site.newToken({ scopes: ['signatures'] });
  const foreign = await site.newToken({ company: await site.newCompany() });
  const unknown = await post(VERIFY, { ...body, verification_id: 'none' });
  for (const path of [VERIFY, REGISTER]) {
    assert.equal((await post(path, body, signatures)).status, 403, path);
    const answer = await post(path, body, foreign);
    assert.deepEqual([answer.status, answer.body], [404, unknown.body], path);
  }
});

test('design settings need no credential and are limited per address', async (t) => {
  const { site, flow } = await openFlow(t);
  const nulls = [
    'id',
    'template_id',
    'logo',
    'settings',
    'is_active',
    'file_name',
    'created_at',
    'updated_at',
  ];
  const expected = { templateDesign: Object.fromEntries(nulls.map((key) => [key, null])) };
  for (const id of [await flow(false), 999_999, 'x']) {
    const answer = await fetch(`http://127.0.0.1:${site.port}${DESIGN}${id}`);
    assert.deepEqual([answer.status, await answer.json()], [200, expected]);
  }
  await site.storage.installation.update({ requestsPerMinute: 4 }, TEST_ACT);
  assert.equal((await fetch(`http://127.0.0.1:${site.port}${DESIGN}1`)).status, 200);
  const refused = await fetch(`http://127.0.0.1:${site.port}${DESIGN}1`);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
});
