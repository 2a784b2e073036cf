/**
 * Signs and sends requests to Vouch from Node 20 or later. No packages needed: copy this file.
 *
 *   node vouch-client.mjs enroll photo1.jpg photo2.png     prints the receipt
 *   node vouch-client.mjs poll UPLOAD_ID                   prints the progress
 *
 * Environment: VOUCH_URL (default http://127.0.0.1:4610), VOUCH_USER_ID, VOUCH_SECRET.
 *
 * A signature is lowercase hex of HMAC-SHA256, keyed with the secret, over
 *   X-TIMESTAMP, METHOD, path with query, hex(SHA-256 of the raw body)    joined by line feeds.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';

export class VouchClient {
  #address;
  #userId;
  #secret;
  #lastTimestamp = 0;

  constructor({ address = 'http://127.0.0.1:4610', userId, secret }) {
    this.#address = address.replace(/\/$/, '');
    this.#userId = userId;
    this.#secret = secret;
  }

  /** Queues 1 to 50 image files; resolves to the answer's status and body. Memory does not grow with their size. */
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

  async #send(method, target, bodyHash, init = {}) {
    const timestamp = String(this.#nextTimestamp());
    const signature = createHmac('sha256', this.#secret)
      .update([timestamp, method, target, bodyHash].join('\n'))
      .digest('hex');
    const response = await fetch(this.#address + target, {
      ...init,
      method,
      headers: {
        ...init.headers,
        'x-user-id': this.#userId,
        'x-timestamp': timestamp,
        'x-hmac-signature': signature,
      },
    });
    return { status: response.status, body: await response.json() };
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

if (process.argv[1] === import.meta.filename) {
  const [command, ...rest] = process.argv.slice(2);
  const { VOUCH_URL, VOUCH_USER_ID, VOUCH_SECRET } = process.env;
  if (!VOUCH_USER_ID || !VOUCH_SECRET || !['enroll', 'poll'].includes(command) || rest.length === 0) {
    console.error(
      'usage: VOUCH_USER_ID=… VOUCH_SECRET=… node vouch-client.mjs enroll FILE… | poll UPLOAD_ID',
    );
    process.exit(2);
  }
  const client = new VouchClient({
    userId: VOUCH_USER_ID,
    secret: VOUCH_SECRET,
    ...(VOUCH_URL && { address: VOUCH_URL }),
  });
  const { status, body } = await (command === 'enroll' ? client.enroll(rest) : client.poll(rest[0]));
  console.log(JSON.stringify(body, null, 2));
  process.exitCode = status < 300 ? 0 : 1;
}
