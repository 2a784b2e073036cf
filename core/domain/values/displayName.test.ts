import { test } from 'node:test';
import assert from 'node:assert/strict';
import { blacklistFields } from '../../contracts/blacklists.ts';
import { newOperator } from '../../contracts/dashboard/operators.ts';
import { displayName, printable } from '../../contracts/displayName.ts';
import { flowName } from '../../contracts/flows.ts';
import { biometricsDetectionRequest } from '../../contracts/verifications.ts';
import { receivedFileName } from '../enrolment/incomingFile.ts';

const HOSTILE = '\u001b[31mAna\u202Egpj.exe\u2066\u200b\u009b\ufeff\r\nBe\u0000a\u200f ';
const SHOWN = '[31mAnagpj.exe Bea';

test('a stored name has no control, reordering or zero-width characters', () => {
  assert.equal(displayName(HOSTILE), SHOWN);
  assert.equal(displayName('Ana María 李 می‌روم 👩‍👧'), 'Ana María 李 می‌روم 👩‍👧', 'joiners are letters there');
  assert.equal(displayName('a\ud800b'), 'a\ufffdb');
});

test('every entrance of a name cleans it in the same way', () => {
  const passphrase = 'a long enough passphrase';
  assert.deepEqual(
    [
      blacklistFields.parse({ name: HOSTILE }).name,
      blacklistFields.parse({ name: 'x', description: HOSTILE }).description,
      newOperator.parse({ name: HOSTILE, role: 'admin', passphrase }).name,
      flowName.parse(HOSTILE),
      biometricsDetectionRequest.shape.username.parse(HOSTILE),
      receivedFileName(HOSTILE, 0),
    ],
    Array.from({ length: 6 }, () => SHOWN),
  );
});

test('a name of marks alone is none', () => {
  assert.equal(newOperator.shape.name.safeParse('\u202e\u200b').success, false);
  assert.equal(receivedFileName('\u202e\u200b', 3), 'image-3');
});

test('the terminal prints its own line ends and tabs, and no escape sequence of data', () => {
  assert.equal(printable('a\tb\nc\u001b]0;title\u0007\u202e'), 'a\tb\nc]0;title');
});
