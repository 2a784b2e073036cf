/** Pictures in other formats than JPEG and PNG: taken from operators and the terminal, refused from programs. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { enrolledFace } from '../../../core/contracts/dashboard/faceImages.ts';
import { RECORD_STANDARDS } from '../../../core/contracts/faceRecords.ts';
import { readFaceRecord } from '../../../core/decoding/records/readRecord.ts';
import { photoOf } from '../../support/people.ts';
import { answerImages } from '../engine.ts';
import { FACES, formOf } from '../site.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

const AT = new Date('2026-03-01T12:00:10.000Z');
const TIFF = Buffer.from('II*\0 a picture', 'latin1');

test('an operator enrols a TIFF, and its hash and kind are kept; a program may not', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const refused = await site.call(FACES, { method: 'POST', body: formOf(TIFF) });
  assert.equal(refused.status, 422);
  assert.deepEqual((refused.body as { errors: object }).errors, {
    'images.0': ['The images.0 must be a file of type: jpg, jpeg, png.'],
  });
  const admin = await as('admin');
  const sent = await admin('POST', '/uploads', formOf(TIFF, photoOf(1)));
  assert.equal(sent.status, 202, JSON.stringify(sent));
  await answerImages(site, AT, ['face', 'face']);
  const originals = [];
  for (const id of [1, 2]) {
    const { original, remarks } = good(await admin('GET', `/faces/${id}`), enrolledFace);
    originals.push(original);
    assert.deepEqual(remarks, []);
  }
  const sha256 = createHash('sha256').update(TIFF).digest('hex');
  assert.deepEqual(originals, [{ kind: 'TIFF', sha256, record: null }, null]);
});

test('an enrolled face is written as a record of each standard, and read back', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  await admin('POST', '/uploads', formOf(photoOf(1)));
  await answerImages(site, AT, ['face']);
  const { faceImage } = good(await admin('GET', '/faces/1'), enrolledFace);
  for (const standard of RECORD_STANDARDS) {
    const asked = { company: site.company.name, params: { id: 1 }, query: { standard } };
    const { body } = await site.engine.terminal.open('GET /faces/:id/record', asked);
    const [face, ...others] = readFaceRecord(await buffer(body));
    assert.equal(others.length, 0);
    assert.deepEqual([face?.facts.standard, face?.facts.size], [standard, { width: 240, height: 320 }]);
    const [right, left] = faceImage.eyes!;
    assert.deepEqual(face?.facts.eyes, { left, right }, 'the first eye in the picture is the right one');
    assert.deepEqual(Buffer.from(face.image), Buffer.from(photoOf(1)));
  }
  const log = await site.storage.audit.list(site.company.id, { limit: 50 });
  const exports = log.filter(({ action, object }) => action === 'export.taken' && object === 'face:1');
  assert.equal(exports.length, RECORD_STANDARDS.length, 'each record is an export in the log');
});
