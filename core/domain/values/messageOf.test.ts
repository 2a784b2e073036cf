import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageOf } from '../../contracts/errors/problem.ts';

test('the text of a caught value is its message, or the value when it is no error', () => {
  assert.equal(messageOf(new RangeError('The disk is full.')), 'The disk is full.');
  assert.equal(messageOf('stopped'), 'stopped');
  assert.equal(messageOf(undefined), 'undefined');
});
