import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sniffImageFormat } from './bytes.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test('JPEG and PNG are known by their first bytes', () => {
  assert.equal(sniffImageFormat(latin1('\xff\xd8\xff\xe0\0\x10JFIF')), 'jpeg');
  assert.equal(sniffImageFormat(latin1('\xff\xd8\xff\xdb')), 'jpeg');
  assert.equal(sniffImageFormat(latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')), 'png');
});

test('every format except JPEG and PNG is rejected', () => {
  const others = [
    'GIF89a',
    'II*\0',
    'MM\0*',
    '\0\0\x01\0',
    'RIFF\0\0\0\0WEBP',
    '\0\0\0\x1cftypavif',
    '<svg xmlns=',
    '<html>',
    '%PDF-1.7',
    'just text named face.jpg',
    '',
    '\xff\xd8',
    '\x89PNG',
  ];
  for (const content of others) assert.equal(sniffImageFormat(latin1(content)), undefined, content);
});

test('a PNG whose line ends were translated on the way is not taken for a PNG', () => {
  assert.equal(sniffImageFormat(latin1('\x89PNG\r\r\n\x1a')), undefined);
  assert.equal(sniffImageFormat(latin1('\x89PNG\n\x1a\n\0')), undefined);
});
