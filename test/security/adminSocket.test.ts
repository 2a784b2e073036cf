import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { socketOf } from '../../core/platform/homePaths.ts';
import { startService } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';

test('names that every object has are no commands of the administrator', async (t) => {
  const home = temporaryFolder(t);
  const service = await startService(home, 0, 1);
  t.after(() => service.kill());
  for (const name of ['constructor', '__proto__', 'toString', 'no-command']) {
    const sent = request({
      socketPath: socketOf(home),
      method: 'POST',
      path: `/${name}`,
      headers: { 'content-type': 'application/json' },
    });
    sent.end('{}');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 404, name);
  }
});
