/**
 * The requests of the hosted service's public Flutter client, byte for byte as its HTTP library (package:http) writes
 * them: small letters in the part heads, no content type for text, a boundary of 70 characters.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { photoOf } from '../support/people.ts';
import { sendRaw } from './rawRequest.ts';
import { CREATE, FINALIZE, SELFIE, dataUri, openScreeningSite } from './screeningSite.ts';
import type { TestSite } from './site.ts';

const BOUNDARY = 'dart-http-boundary-Qm4LvyI0bR7h2+Yk9c1uZsW8xT3aJ5dNfEoGpV6KrXtCqH_nwSi';

function flutterRequest(site: TestSite, path: string, fields: Record<string, string>): string {
  const body = [
    ...Object.entries(fields).map(
      ([name, value]) =>
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${BOUNDARY}--\r\n`,
  ].join('');
  return [
    `POST ${path} HTTP/1.1`,
    'user-agent: Dart/3.4 (dart:io)',
    'accept: application/json',
    'accept-encoding: gzip',
    `content-length: ${Buffer.byteLength(body)}`,
    `authorization: Bearer ${site.token}`,
    `host: 127.0.0.1:${site.port}`,
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
    '',
    body,
  ].join('\r\n');
}

test('the Flutter client creates and finalises a verification', async (t) => {
  assert.equal(BOUNDARY.length, 70);
  const { site, newFlow, newBlacklist, post } = await openScreeningSite(t);
  const list = await newBlacklist('VIP', { people: [1] });
  const flow = await newFlow({ blacklistDetection: { enabled: true, blacklistIds: [list.id] } });
  const created = await sendRaw(site.port, flutterRequest(site, CREATE, { template_id: String(flow) }));
  assert.equal(created.status, 200, created.body);
  const { verification, plans, tool_settings, status } = JSON.parse(created.body) as Record<string, unknown>;
  // What the client looks at: `status === false` is a failure to it, the id is taken as text, the lists are walked.
  assert.notEqual(status, false);
  assert.ok(Array.isArray(plans) && Array.isArray(tool_settings));
  const { id } = verification as { id: string };
  await post(SELFIE, { image: dataUri(photoOf(1)), trust_flow_id: flow, trust_validation_id: id });
  const fields = { template_id: String(flow), verification_id: id };
  const finalized = await sendRaw(site.port, flutterRequest(site, FINALIZE, fields));
  assert.equal(finalized.status, 200, finalized.body);
  const answer = JSON.parse(finalized.body) as Record<string, unknown>;
  assert.deepEqual([answer.status, answer.status_message, answer.finalized], [2, 'REVIEW_NEEDED', true]);
});
