import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureIn, readyIn } from '../../contracts/serving.ts';

test('only the line of JSON says that the service is ready, not its sentence', () => {
  const ready = { address: 'http://127.0.0.1:4610', home: '/home', notice: null };
  assert.deepEqual(readyIn(JSON.stringify(ready)), ready);
  assert.equal(
    readyIn('Vouch listens on http://127.0.0.1:4610 (data directory /home). Ctrl C stops it.'),
    undefined,
  );
  assert.equal(readyIn('{"address":4610}'), undefined);
});

test('the failure message is read from its JSON line; other output is kept as it is', () => {
  const failure = JSON.stringify({ error: { message: 'Port 4610 is in use.', exitCode: 1 } });
  assert.equal(failureIn(`a warning\n${failure}\n`), 'Port 4610 is in use.');
  assert.equal(failureIn('node: bad option\n'), 'node: bad option');
});
