import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isImageField, receivedFileName, unknownKey } from './intakeFields.ts';

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

test('a file name loses control characters and half characters, is one line, and is never empty', () => {
  assert.equal(receivedFileName('Zoë 😀.jpg', 0), 'Zoë 😀.jpg');
  assert.equal(receivedFileName('a\u0000b\r\nc\u0085.png', 0), 'ab c.png');
  assert.equal(receivedFileName('x\ud800.jpg', 0), 'x\ufffd.jpg');
  assert.equal(receivedFileName(undefined, 3), 'image-3');
  assert.equal(receivedFileName(' \t ', 4), 'image-4');
});

test('a file name of any length is cut to 255 characters and keeps its extension', () => {
  const cut = receivedFileName(`${'😀'.repeat(400)}.jpeg`, 0);
  assert.equal(Array.from(cut).length, 255);
  assert.ok(cut.isWellFormed() && cut.endsWith('😀.jpeg'));
  assert.equal(receivedFileName('n'.repeat(300), 0), 'n'.repeat(255));
});

test('an error repeats only the beginning of an endless field name', () => {
  assert.equal(unknownKey('passport'), 'passport');
  assert.equal(unknownKey('p'.repeat(10_000)).length, 100);
});
