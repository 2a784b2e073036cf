import { sentenceOf } from '../../contracts/errors/problem.ts';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  SIGNATURE_REASONS,
  VERDICTS,
  signatureMatchRequest,
  signatureMatchResponse,
} from '../../contracts/signatures.ts';
import { companySettings } from '../../contracts/settings.ts';
import { signatureMatchBody, signatureProblems } from './comparisonBodies.ts';
import { readSignatureImage } from './sentImage.ts';
import { verdictOf } from '../../domain/signatures/matching.ts';

const bands = { match: 70, possibleMatch: 40 };
const compared = (similarity: number) => ({
  verdict: verdictOf(similarity, bands),
  similarity,
  reasons: {},
});
const png = (extra = 8) =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(extra)]);
const uri = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;

test('a similarity on a threshold belongs to the band above it', () => {
  assert.equal(verdictOf(70, bands), 'MATCH');
  assert.equal(verdictOf(69.99, bands), 'POSSIBLE_MATCH');
  assert.equal(verdictOf(40, bands), 'POSSIBLE_MATCH');
  assert.equal(verdictOf(39.99, bands), 'NO_MATCH');
});

test('the bands of a company without settings of its own begin at 70 and 40', () => {
  assert.deepEqual(companySettings.parse({}).signatures, bands);
  assert.equal(companySettings.safeParse({ signatures: { match: 30, possibleMatch: 40 } }).success, false);
});

test('an answer carries every field, with the texts and codes of its verdict', () => {
  assert.deepEqual(signatureMatchBody(compared(91.25)), {
    status: true,
    message: 'Signature matching completed successfully.',
    result: {
      similarity: 91.25,
      verdict: 'MATCH',
      verification_status: 'Verified',
      verification_status_code: 3,
      verdict_display: 'Match',
    },
    match_status: 'matched',
    verification_status: 'Verified',
    verification_status_code: 3,
    verdict: 'Match',
  });
  const seen = [85, 50, 3].map((similarity) => signatureMatchBody(compared(similarity)));
  assert.deepEqual(
    seen.map((body) => [
      body.verdict,
      body.match_status,
      body.verification_status,
      body.verification_status_code,
    ]),
    [
      ['Match', 'matched', 'Verified', 3],
      ['Possible Match', 'review', 'Review Needed', 2],
      ['No Match', 'not_matched', 'Rejected', 1],
    ],
  );
});

test('an inconclusive answer names the image and the reason, and asks for a review', () => {
  for (const reason of SIGNATURE_REASONS) {
    const body = signatureMatchBody({
      verdict: verdictOf(null, bands),
      similarity: null,
      reasons: { image2: reason },
    });
    assert.equal(signatureMatchResponse.safeParse(body).success, true);
    assert.equal(body.result.verdict, 'INCONCLUSIVE');
    assert.equal(body.verification_status_code, 2);
    assert.match(body.message, /image2: /);
  }
});

test('at every similarity the answer has the published shape and names no forgery', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (hundredths) => {
      const body = signatureMatchResponse.parse(signatureMatchBody(compared(hundredths / 100)));
      assert.ok(VERDICTS.includes(body.result.verdict));
      assert.doesNotMatch(JSON.stringify(body), /genuine|forge/i);
    }),
  );
});

test('a data URI of PNG or JPEG content is read, whatever the case of its head', () => {
  const image = readSignatureImage(uri(png(), 'IMAGE/PNG'));
  assert.equal(image.kind, 'image');
  assert.deepEqual(Buffer.from(image.bytes), png());
  for (const type of ['image/jpeg', 'image/jpg'])
    assert.equal(readSignatureImage(uri(Buffer.from([0xff, 0xd8, 0xff, 0xe0]), type)).kind, 'image', type);
});

test('folded lines and left out padding are read as browsers read them', () => {
  const whole = uri(png(1000));
  const folded = whole.replace(/(.{76})/g, '$1\r\n').replace(/=+$/, '');
  assert.notEqual(folded, whole);
  const image = readSignatureImage(folded);
  assert.equal(image.kind, 'image');
  assert.deepEqual(Buffer.from(image.bytes), png(1000));
});

test('each kind of unreadable field has its own fault', () => {
  const faultOf = (text: string) => {
    const image = readSignatureImage(text);
    return image.kind === 'fault' ? image.fault : undefined;
  };
  assert.equal(faultOf('hello'), 'NOT_A_DATA_URI');
  assert.equal(faultOf(''), 'NOT_A_DATA_URI');
  assert.equal(faultOf('data:image/png,abc'), 'NOT_A_DATA_URI');
  assert.equal(faultOf(uri(png(), 'image/gif')), 'WRONG_MEDIA_TYPE');
  assert.equal(faultOf('data:image/png;base64,'), 'EMPTY');
  assert.equal(faultOf('data:image/png;base64,*$%&'), 'NOT_BASE64');
  assert.equal(faultOf('data:image/png;base64,QUJDR'), 'NOT_BASE64');
  assert.equal(faultOf('data:image/png;base64,QUI'), 'NOT_AN_IMAGE', 'padding may be left out');
  assert.equal(faultOf('data:image/png;base64,QQ='), 'NOT_BASE64', 'but not half of it');
  assert.equal(faultOf(uri(Buffer.from('a plain text, no picture'))), 'NOT_AN_IMAGE');
  assert.equal(faultOf(uri(png(11 * 1024 * 1024))), 'TOO_MANY_BYTES');
});

test('ten mebibytes are the most that an image may have', () => {
  const limit = 10 * 1024 * 1024;
  assert.equal(readSignatureImage(uri(png(limit - 8))).kind, 'image');
  assert.deepEqual(readSignatureImage(uri(png(limit - 7))), { kind: 'fault', fault: 'TOO_MANY_BYTES' });
});

test('no text at all makes the reader of data URIs throw', () => {
  fc.assert(
    fc.property(fc.string(), (tail) => {
      const image = readSignatureImage(`data:image/png;base64,${tail}`);
      assert.ok(image.kind === 'image' || image.fault);
    }),
  );
});

test('a validation error names each image at fault', () => {
  const problems = signatureProblems({ image1: 'TOO_SMALL', image2: 'TOO_MANY_PIXELS' });
  assert.deepEqual(Object.values(problems).flat().map(sentenceOf), [
    'The image1 must be at least 64 pixels on its shortest side.',
    'The image2 must not have more than 25 megapixels.',
  ]);
});

test('the request needs its two ids, as text or as whole numbers', () => {
  const request = { image1: 'a', image2: 'b', template_id: '7', verification_id: 'v-1' };
  assert.equal(signatureMatchRequest.safeParse(request).success, true);
  assert.equal(signatureMatchRequest.safeParse({ ...request, template_id: 7 }).success, true);
  for (const wrong of [1.5, true, null, undefined])
    assert.equal(signatureMatchRequest.safeParse({ ...request, template_id: wrong }).success, false);
});
