import { sentenceOf } from '../../core/contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import {
  SIGNATURE_FAULT_PROBLEMS,
  SIGNATURE_REASON_TEXT,
  type SignatureFault,
  type SignatureReason,
} from '../../core/contracts/signatures.ts';
import { createSignatures } from '../../core/signatures/signatures.ts';
import { openSite } from '../api/site.ts';
import {
  encoded,
  landscape,
  onOnePage,
  paint,
  pageOfText,
  pngThatClaims,
  signings,
} from '../signatures/specimens.ts';
import { portrait } from '../support/facePhotos.ts';

const uri = (image: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(image).toString('base64')}`;

const empty = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();

/** Everything of docs/explanation/signatures.md that is no signature, and what the page says becomes of it. */
async function unusable(): Promise<
  Record<string, [image: string, answer: SignatureFault | SignatureReason]>
> {
  const [one, again] = signings(11, 2, 'tablet');
  return {
    'a blank page': [uri(await empty(400, 200, '#fff')), 'BLANK'],
    'a transparent PNG': [uri(await empty(400, 200, '#0000')), 'BLANK'],
    'the photo of a face': [uri(await portrait(2), 'image/jpeg'), 'NOT_INK'],
    'a landscape': [uri(await encoded(landscape(1), 'jpeg'), 'image/jpeg'), 'NOT_INK'],
    'a page of text': [uri(await encoded(pageOfText())), 'TEXT_PAGE'],
    'two signatures': [uri(await encoded(onOnePage(one!, again!, 120, 'stacked'))), 'SEVERAL_SIGNATURES'],
    'a tick': [
      uri(
        await encoded(paint(400, 200, (x, y) => (x === 200 && y % 190 < 12 ? [0, 0, 0] : [255, 255, 255]))),
      ),
      'TOO_LITTLE_INK',
    ],
    'one pixel': [uri(await empty(1, 1, '#000')), 'TOO_SMALL'],
    'a header of 30,000 × 30,000': [uri(pngThatClaims(30_000, 30_000)), 'TOO_MANY_PIXELS'],
    'no image': [uri(Buffer.from('name,amount\nA,1\n')), 'NOT_AN_IMAGE'],
    'half an image': [uri((await encoded(one!)).subarray(0, 4000)), 'UNDECODABLE'],
    'no data URI': ['https://192.0.2.1/signature.png', 'NOT_A_DATA_URI'],
    'a wrong media type': [uri(await encoded(one!), 'image/webp'), 'WRONG_MEDIA_TYPE'],
    'no base64': ['data:image/png;base64,%%%%', 'NOT_BASE64'],
    'nothing after the comma': ['data:image/png;base64,', 'EMPTY'],
    '11 MB': [uri(Buffer.alloc(11 * 1024 * 1024, 1)), 'TOO_MANY_BYTES'],
  };
}

const isFault = (answer: SignatureFault | SignatureReason): answer is SignatureFault =>
  answer in SIGNATURE_FAULT_PROBLEMS;

test('an image without a signature gets its documented answer, on either side', async (t) => {
  const signatures = createSignatures({ timeLimitMs: 60_000 });
  t.after(() => signatures.close());
  const site = await openSite(t, () => ({ signatures }));
  const good = uri(await encoded(signings(31, 1)[0]!));
  for (const [i, [name, [image, answer]]] of Object.entries(await unusable()).entries()) {
    const [key, other] = i % 2 === 0 ? (['image1', 'image2'] as const) : (['image2', 'image1'] as const);
    const { status, body } = await site.call('/api/v1/verification/signature/match', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ [key]: image, [other]: good, template_id: 't', verification_id: 'v' }),
    });
    if (isFault(answer)) {
      assert.deepEqual([status, body.status, body.message], [422, false, 'Validation error'], name);
      assert.deepEqual(body.errors, { [key]: [sentenceOf(SIGNATURE_FAULT_PROBLEMS[answer](key))] }, name);
      continue;
    }
    assert.deepEqual([status, body.verdict, body.verification_status_code], [200, 'Inconclusive', 2], name);
    assert.ok(String(body.message).includes(`${key}: ${SIGNATURE_REASON_TEXT[answer]}`), name);
    assert.ok(!String(body.message).includes(`${other}:`), `${name}: the good side is not blamed`);
  }
});
