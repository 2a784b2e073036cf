/**
 * Sends requests to Vouch from Node 20 or later. No packages needed: copy this file.
 *
 *   node vouch-client.mjs enroll photo1.jpg FOLDER     queues photos in batches of 50; prints each receipt
 *   node vouch-client.mjs poll UPLOAD_ID         prints the progress
 *   node vouch-client.mjs verify FLOW SELFIE       creates, gives the selfie, finalises; prints the outcome
 *   node vouch-client.mjs face IMAGE1 IMAGE2       compares two faces
 *   node vouch-client.mjs signature IMAGE1 IMAGE2    compares two signatures (token only)
 *
 * Environment: VOUCH_URL (default http://127.0.0.1:4610), and either VOUCH_TOKEN, or VOUCH_USER_ID and VOUCH_SECRET of a
 * signing key (VOUCH_PROFILE=v2 for a key of profile v2).
 *
 * A signature is lowercase hex of HMAC-SHA256, keyed with the secret, over lines joined by line feeds:
 *   v1: X-TIMESTAMP, METHOD, path with query, hex(SHA-256 of the raw body)
 *   v2: the same, then Content-Type and Idempotency-Key (empty where absent); the hash is sent as X-CONTENT-SHA256
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';

export class VouchClient {
  #address;
  #userId;
  #secret;
  #token;
  #profile;
  #lastTimestamp = 0;

  constructor({ address = 'http://127.0.0.1:4610', userId, secret, token, profile = 'v1' }) {
    this.#address = address.replace(/\/$/, '');
    this.#userId = userId;
    this.#secret = secret;
    this.#token = token;
    this.#profile = profile;
  }

  /** Queues image files, at most as many as the setting maxBatchImages allows; resolves to the answer's status and body. Memory does not grow with their size. */
  async enroll(files) {
    const boundary = `vouch-${randomUUID()}`;
    const parts = await Promise.all(
      files.map(async (path) => ({
        path,
        head: partHead(boundary, basename(path)),
        bytes: (await stat(path)).size,
      })),
    );
    const tail = `--${boundary}--\r\n`;
    const length = parts.reduce(
      (sum, part) => sum + Buffer.byteLength(part.head) + part.bytes + 2,
      tail.length,
    );
    // The body is read twice: once for its hash, which goes ahead in a header, and once to be sent.
    const hash = createHash('sha256');
    for await (const chunk of bodyOf(parts, tail)) hash.update(chunk);
    return this.#send('POST', '/api/v3/duplicate-detection/faces', hash.digest('hex'), {
      body: Readable.toWeb(Readable.from(bodyOf(parts, tail))),
      duplex: 'half',
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(length),
      },
    });
  }

  async poll(uploadId) {
    const path = `/api/v3/duplicate-detection/uploads/${encodeURIComponent(uploadId)}`;
    return this.#send('GET', path, createHash('sha256').digest('hex'));
  }

  /** Creates a verification with a Trust Flow, gives it the selfie and finalises it; stops at the first refusal. */
  async verify(flow, selfie) {
    const created = await this.#post('/api/v1/verification/create-verification', { template_id: flow });
    if (created.status !== 200) return created;
    const names = { template_id: flow, verification_id: created.body.verification.id };
    const image = await dataUri(selfie);
    const taken = await this.#post('/api/v1/verification/biometricsverification', { ...names, image });
    if (taken.status !== 200) return taken;
    return this.#post('/api/v1/verification/finalize-verification', names);
  }

  compareFaces(image1, image2, reference = randomUUID()) {
    return this.#compare('/api/v1/verification/biometricsfacecompare', image1, image2, reference);
  }

  /** Takes a token only: the service refuses signed requests here. */
  compareSignatures(image1, image2, reference = randomUUID()) {
    return this.#compare('/api/v1/verification/signature/match', image1, image2, reference);
  }

  async #compare(path, image1, image2, reference) {
    return this.#post(path, {
      image1: await dataUri(image1),
      image2: await dataUri(image2),
      template_id: 'client',
      verification_id: reference,
    });
  }

  #post(path, fields) {
    const body = JSON.stringify(fields);
    const hash = createHash('sha256').update(body).digest('hex');
    return this.#send('POST', path, hash, { body, headers: { 'content-type': 'application/json' } });
  }

  async #send(method, target, bodyHash, init = {}) {
    const response = await fetch(this.#address + target, {
      ...init,
      method,
      headers: {
        ...init.headers,
        ...this.#credential(method, target, bodyHash, init.headers?.['content-type'] ?? ''),
      },
    });
    return { status: response.status, body: await response.json() };
  }

  #credential(method, target, bodyHash, contentType) {
    if (this.#token) return { authorization: `Bearer ${this.#token}` };
    const timestamp = String(this.#nextTimestamp());
    const isV2 = this.#profile === 'v2';
    const lines = [timestamp, method, target, bodyHash, ...(isV2 ? [contentType, ''] : [])];
    return {
      'x-user-id': this.#userId,
      'x-timestamp': timestamp,
      'x-hmac-signature': createHmac('sha256', this.#secret).update(lines.join('\n')).digest('hex'),
      ...(isV2 && { 'x-content-sha256': bodyHash }),
    };
  }

  /** Every signature is accepted once, so two equal requests within a second need two timestamps. */
  #nextTimestamp() {
    this.#lastTimestamp = Math.max(Math.floor(Date.now() / 1000), this.#lastTimestamp + 1);
    return this.#lastTimestamp;
  }
}

function partHead(boundary, name) {
  const quoted = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `--${boundary}\r\nContent-Disposition: form-data; name="images[]"; filename="${quoted}"\r\n\r\n`;
}

async function* bodyOf(parts, tail) {
  for (const { path, head } of parts) {
    yield Buffer.from(head);
    yield* createReadStream(path);
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(tail);
}

async function dataUri(path) {
  return `data:image/jpeg;base64,${(await readFile(path)).toString('base64')}`;
}

/** The files of the arguments; a folder stands for the JPEG and PNG files in it and below it. */
async function batchesOf(paths, most = 50) {
  const files = [];
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) files.push(path);
    else {
      const names = await readdir(path, { recursive: true });
      files.push(
        ...names
          .filter((name) => /\.(jpe?g|png)$/i.test(name))
          .sort()
          .map((name) => join(path, name)),
      );
    }
  }
  const starts = Array.from({ length: Math.ceil(files.length / most) }, (_, index) => index * most);
  return starts.map((start) => files.slice(start, start + most));
}

const ARGUMENTS = { poll: 1, verify: 2, face: 2, signature: 2 };

async function* answers(client, command, rest) {
  if (command === 'enroll') for (const files of await batchesOf(rest)) yield client.enroll(files);
  if (command === 'poll') yield client.poll(rest[0]);
  if (command === 'verify') yield client.verify(rest[0], rest[1]);
  if (command === 'face') yield client.compareFaces(rest[0], rest[1]);
  if (command === 'signature') yield client.compareSignatures(rest[0], rest[1]);
}

if (process.argv[1] === import.meta.filename) {
  const [command, ...rest] = process.argv.slice(2);
  const { VOUCH_URL, VOUCH_TOKEN, VOUCH_USER_ID, VOUCH_SECRET, VOUCH_PROFILE } = process.env;
  const isKnown = command === 'enroll' ? rest.length > 0 : rest.length === ARGUMENTS[command];
  if (!isKnown || (!VOUCH_TOKEN && !(VOUCH_USER_ID && VOUCH_SECRET))) {
    console.error(
      'usage: VOUCH_TOKEN=… node vouch-client.mjs enroll FILE|FOLDER… | poll UPLOAD_ID | verify FLOW SELFIE | ' +
        'face IMAGE1 IMAGE2 | signature IMAGE1 IMAGE2',
    );
    process.exit(2);
  }
  const client = new VouchClient({
    userId: VOUCH_USER_ID,
    secret: VOUCH_SECRET,
    token: VOUCH_TOKEN,
    ...(VOUCH_PROFILE && { profile: VOUCH_PROFILE }),
    ...(VOUCH_URL && { address: VOUCH_URL }),
  });
  for await (const { status, body } of answers(client, command, rest)) {
    console.log(JSON.stringify(body, null, 2));
    if (status < 300) continue;
    process.exitCode = 1;
    break;
  }
}
