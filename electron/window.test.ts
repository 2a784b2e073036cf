import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { _electron } from 'playwright-core';
import { buildShell } from '../scripts/buildShell.ts';
import { electronBinary } from '../scripts/electronBinary.ts';

const PROJECT = join(import.meta.dirname, '..');

const binary = electronBinary();

test(
  'the real window shows the service and ends it when it closes',
  {
    skip: binary === undefined ? "Electron's binary is not installed here: the window was not opened" : false,
  },
  async (t) => {
    if (binary === undefined) return;
    await buildShell();
    const folder = mkdtempSync(join(tmpdir(), 'vouch-window-'));
    t.after(() => {
      rmSync(folder, { recursive: true });
    });
    const app = await _electron.launch({
      executablePath: binary,
      args: [PROJECT, `--user-data-dir=${join(folder, 'user')}`],
      env: { ...process.env, VOUCH_HOME: join(folder, 'home'), VOUCH_PORT: '0' },
    });
    const page = await app.firstWindow();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//);
    const address = new URL(page.url()).origin;
    await page.evaluate(() => {
      window.location.href = 'https://example.org/';
      window.open('https://example.org/');
    });
    await page.waitForTimeout(500);
    assert.equal(new URL(page.url()).origin, address);
    assert.equal(app.windows().length, 1);
    assert.deepEqual(
      await page.evaluate(() => [
        typeof Reflect.get(window, 'require'),
        typeof Reflect.get(window, 'vouchShell'),
      ]),
      ['undefined', 'object'],
    );
    await app.close();
    await assert.rejects(fetch(address), 'the service ended with the window');
  },
);
