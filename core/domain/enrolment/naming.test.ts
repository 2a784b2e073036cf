import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf } from '../../contracts/displayName.ts';

test("a face's name is the file name without folder and extension", () => {
  assert.equal(nameOf('Jane Doe.jpg'), 'Jane Doe');
  assert.equal(nameOf('staff/2024/Jane.Q.Doe.jpeg'), 'Jane.Q.Doe');
  assert.equal(nameOf('C:\\photos\\Jane.png'), 'Jane');
  for (const ending of ['avif', 'HEIC', 'tif', 'webp', 'jp2']) assert.equal(nameOf(`Jane.${ending}`), 'Jane');
  assert.equal(nameOf('no extension'), 'no extension');
  assert.equal(nameOf('.jpg'), '.jpg');
  assert.equal(nameOf('J. R. Smith'), 'J. R. Smith');
  assert.equal(nameOf('J. R. Smith.PNG'), 'J. R. Smith');
});
