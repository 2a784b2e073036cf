import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problem, sentenceOf } from '../../contracts/errors/problem.ts';
import { problemShape } from '../../contracts/errors/problemShape.ts';
import { systemProblem } from '../../contracts/errors/systemProblem.ts';

const reported = (code: string, text: string) => Object.assign(new Error(text), { code });

test('a cause of the operating system is a code, and its raw text is in no sentence', () => {
  const raw = 'ENOSPC: no space left on device, write';
  const full = problem('STORAGE_FOLDER_UNUSABLE', { cause: systemProblem(reported('ENOSPC', raw)) });
  assert.equal(sentenceOf(full), 'The folder cannot be used. That disk is full. Choose another folder.');
  assert.deepEqual(systemProblem(reported('ELOOP', 'ELOOP: too many links')), {
    code: 'SYSTEM_OTHER',
    parameters: { code: 'ELOOP' },
  });
  assert.equal(systemProblem(new Error('a text of a library')).code, 'CAUSE_IN_LOG');
});

test('a cause within a cause is transmitted, and no deeper one', () => {
  const port = { address: '192.0.2.1', port: 443, cause: problem('SYSTEM_FORBIDDEN') };
  const listening = problem('NETWORK_NOT_LISTENING', port);
  const both = problem('NETWORK_NOT_RESTORED', { cause: listening, again: listening });
  assert.deepEqual(problemShape.parse(JSON.parse(JSON.stringify(both))), both);
  assert.ok(!problemShape.safeParse(problem('STORAGE_FOLDER_AWAY', { cause: both })).success);
});
