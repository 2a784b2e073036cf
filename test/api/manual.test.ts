/** The manual inside the dashboard: static pages, offline, without a credential. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test, type TestContext } from 'node:test';
import Fastify from 'fastify';
import { dashboardPages } from '../../core/api/dashboard/pages.ts';
import { manualFiles } from '../../scripts/manual.ts';
import { temporaryFolder } from '../support/site.ts';

const FILES = manualFiles();

function served(t: TestContext) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'secret.txt'), 'outside the manual');
  for (const [path, content] of FILES) {
    mkdirSync(dirname(join(folder, 'manual', path)), { recursive: true });
    writeFileSync(join(folder, 'manual', path), content);
  }
  const app = Fastify();
  dashboardPages(app, folder);
  t.after(() => app.close());
  return app;
}

test('the manual is served without scripts, and only the dashboard may frame it', async (t) => {
  const app = served(t);
  const { statusCode, headers, body } = await app.inject('/manual/guides/first-day.html');
  assert.equal(statusCode, 200);
  assert.match(String(headers['content-type']), /^text\/html/);
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'self'.*frame-ancestors 'self'$/,
  );
  assert.match(body, /<h1[^>]*>First day<\/h1>/);
  assert.equal((await app.inject('/manual/')).statusCode, 200);
  assert.equal((await app.inject('/manual/pictures/pipeline.svg')).headers['content-type'], 'image/svg+xml');
});

test('no address of the manual reaches a file outside it', async (t) => {
  const app = served(t);
  for (const address of ['../secret.txt', '..%2fsecret.txt', '%2e%2e/secret.txt', 'guides/../../secret.txt'])
    assert.notEqual((await app.inject(`/manual/${address}`)).body, 'outside the manual', address);
  assert.equal((await app.inject('/manual/guides/none.html')).statusCode, 404);
});

test('every link and picture of the manual leads to a file and heading of it', () => {
  const pages = [...FILES].flatMap(([path, content]) =>
    typeof content === 'string' ? [[path, content] as const] : [],
  );
  let links = 0;
  for (const [path, content] of pages) {
    assert.doesNotMatch(
      content,
      /<script|\son\w+=|\sstyle=|https?:\/\/(?!127\.0\.0\.1|localhost)[^<"]*"/,
      path,
    );
    for (const [, link = ''] of content.matchAll(/<(?:a|img|link)[^>]*? (?:href|src)="([^"]+)"/g)) {
      const [target = '', anchor] = link.split('#');
      const file = target === '' ? path : posix.normalize(posix.join(posix.dirname(path), target));
      const found = FILES.get(file);
      assert.ok(found !== undefined, `${path}: ${link}`);
      if (anchor !== undefined) assert.ok(found.includes(`id="${anchor}"`), `${path}: ${link}`);
      links += 1;
    }
  }
  assert.ok(links > 500, `${links} links`);
});

test('every screen has its page of the manual', () => {
  const navigation = readFileSync(join(import.meta.dirname, '../../renderer/appShell/navigation.ts'), 'utf8');
  const pages = [...navigation.matchAll(/help: '([^']+)'/g)].map(([, page]) => `${page}.html`);
  assert.equal(pages.length, [...navigation.matchAll(/^ {4}path: '/gm)].length);
  assert.ok(pages.length > 10);
  for (const page of pages) assert.ok(FILES.has(page), page);
});
