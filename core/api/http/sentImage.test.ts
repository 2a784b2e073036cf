import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './errors.ts';
import { imageOf, readSignatureImage } from './sentImage.ts';

const BYTES = Buffer.from('ffd8fffbefbefbefbe00ff', 'hex');
const DATA = BYTES.toString('base64');

/** The code of the refusal; undefined: the image is taken as it was. */
function faultOf(uri: string): string | undefined {
  try {
    assert.deepEqual(Buffer.from(imageOf(uri, 1000)), BYTES);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors?.get('image')?.[0]?.code;
  }
}

test('base64 whose plus signs became spaces is refused alike for faces and signatures', () => {
  assert.ok(DATA.includes('+'));
  const lost = `data:image/jpeg;base64,${DATA.replaceAll('+', ' ')}`;
  assert.equal(faultOf(lost), 'IMAGE_NOT_BASE64');
  assert.deepEqual(readSignatureImage(lost), { kind: 'fault', fault: 'NOT_BASE64' });
});

test('folded and indented base64 is read', () => {
  const folded = DATA.replaceAll(/.{5}/g, (line) => `${line}\r\n  `);
  assert.equal(faultOf(` data:image/jpeg;base64, ${folded} \n`), undefined);
});

test('the content of a data URI decides, where its type does not contradict', () => {
  for (const head of [
    'application/octet-stream;base64',
    ';base64',
    'base64',
    'image/*;base64',
    'image/heic;base64',
  ])
    assert.equal(faultOf(`data:${head},${DATA}`), undefined, head);
  assert.equal(faultOf(`data:text/plain;base64,${DATA}`), 'IMAGE_WRONG_TYPE');
  assert.equal(faultOf(`data:image/jpeg,${DATA}`), 'IMAGE_NOT_A_DATA_URI');
});
