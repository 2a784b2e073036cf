import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inheritedEnvironment } from './environment.ts';

test('a child process inherits no variable that loads code into it', () => {
  const harmless = { PATH: '/usr/bin', Path: 'C:\\Windows', LC_ALL: 'C', VOUCH_HOME: '/srv', TZ: 'UTC' };
  const harmful = {
    NODE_OPTIONS: '--require /tmp/x.cjs',
    NODE_PATH: '/tmp',
    LD_PRELOAD: '/tmp/x.so',
    LD_LIBRARY_PATH: '/tmp',
    DYLD_INSERT_LIBRARIES: '/tmp/x.dylib',
    ELECTRON_RUN_AS_NODE: '1',
  };
  assert.deepEqual(inheritedEnvironment({ ...harmless, ...harmful }), harmless);
});
