import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastest, MANY_TIMES } from '../../../test/support/fastest.ts';
import {
  isImageField,
  isTooLongName,
  isUnreadableName,
  receivedFileName,
  unknownKey,
} from './incomingFile.ts';

test('images, images[] and images[n] are image fields, nothing else is', () => {
  for (const name of ['images', 'images[]', 'images[0]', 'images[49]', 'images[007]'])
    assert.ok(isImageField(name), name);
  for (const name of [
    'image',
    'images[',
    'images[a]',
    'images[-1]',
    'images[0][0]',
    'Images',
    ' images',
    'images.0',
    '',
  ])
    assert.ok(!isImageField(name), name);
});

test('a file name loses control characters, is one line and is never empty', () => {
  assert.equal(receivedFileName('Zoë 😀.jpg', 0), 'Zoë 😀.jpg');
  assert.equal(receivedFileName('a\u0000b\r\nc\u0085.png', 0), 'ab c.png');
  assert.equal(receivedFileName('x\ud800.jpg', 0), 'x\ufffd.jpg');
  assert.equal(receivedFileName(undefined, 3), 'image-3');
  assert.equal(receivedFileName(' \t ', 4), 'image-4');
});

test('a file name may have 255 characters, however many bytes they take', () => {
  const longest = `${'😀'.repeat(250)}.jpeg`;
  assert.equal(receivedFileName(longest, 0), longest);
  assert.ok(!isTooLongName(longest));
  assert.ok(isTooLongName(`${longest}x`));
});

test('a name of question marks has lost its letters, and a long one is told at once', async () => {
  for (const name of ['???.jpg', '? ?', '?']) assert.ok(isUnreadableName(name), name);
  for (const name of ['who?.jpg', ' .jpg', '?.a.b']) assert.ok(!isUnreadableName(name), name);
  const many = 15_000;
  const plain = await fastest(() => isUnreadableName('?'.repeat(many)));
  assert.ok((await fastest(() => isUnreadableName(`${'?'.repeat(many)}x`))) < MANY_TIMES * plain);
});

test('quotation marks in a file name are those that browsers send as %22', () => {
  assert.equal(receivedFileName('Ali %22The Fox%22 Reza.jpg', 0), 'Ali "The Fox" Reza.jpg');
});

test('an error repeats only the beginning of an endless field name', () => {
  assert.equal(unknownKey('passport'), 'passport');
  assert.equal(unknownKey('p'.repeat(10_000)).length, 100);
});
