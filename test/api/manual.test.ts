/** The manual inside the dashboard: static pages, offline, without a credential. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test, type TestContext } from 'node:test';
import Fastify from 'fastify';
import { dashboardPages } from '../../core/api/dashboard/pages.ts';
import { DECLARED, manualPageOf } from '../../renderer/state/navigation.ts';
import { manualFiles } from '../../scripts/manual.ts';
import { fastest, MANY_TIMES } from '../support/fastest.ts';
import { temporaryFolder } from '../support/site.ts';

const FILES = manualFiles();

function served(t: TestContext, assets: Record<string, string> = {}) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'assets'));
  for (const [name, content] of Object.entries(assets)) writeFileSync(join(folder, 'assets', name), content);
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

test('the files of the dashboard are read together when the first is asked for', async (t) => {
  const folder = temporaryFolder(t);
  const app = Fastify();
  dashboardPages(app, folder);
  t.after(() => app.close());
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), 'first');
  writeFileSync(join(folder, 'assets', 'page.js'), 'first');
  const pageAndScript = async () => {
    const answers = [await app.inject('/'), await app.inject('/assets/page.js')];
    return answers.map(({ body }) => body);
  };
  assert.deepEqual(await pageAndScript(), ['first', 'first'], 'built after the start');
  for (const name of ['index.html', 'assets/page.js']) writeFileSync(join(folder, name), 'second');
  assert.deepEqual(await pageAndScript(), ['first', 'first'], 'the files of two builds do not mix');
});

test('a script is sent compressed to a browser that accepts it, and as it is to others', async (t) => {
  const app = served(t, { 'first.js': 'plain', 'first.js.br': 'compressed', 'face.png': 'picture' });
  const ask = async (file: string, encoding: string) => {
    const { headers, body } = await app.inject({
      url: `/assets/${file}`,
      headers: { 'accept-encoding': encoding },
    });
    return [body, headers['content-encoding'], headers['content-type'], headers.vary];
  };
  const rest = ['text/javascript; charset=utf-8', 'accept-encoding'];
  assert.deepEqual(await ask('first.js', 'gzip, deflate, br, zstd'), ['compressed', 'br', ...rest]);
  assert.deepEqual(await ask('first.js', 'gzip, deflate'), ['plain', undefined, ...rest]);
  assert.deepEqual(await ask('first.js', 'br;q=0, gzip'), ['plain', undefined, ...rest]);
  assert.deepEqual(await ask('first.js', 'gzip;q=0.5, br; q=1.0'), ['compressed', 'br', ...rest]);
  // Without a credential: its time follows its length.
  const plain = await fastest(() => ask('first.js', 'a'.repeat(15_000)));
  assert.ok((await fastest(() => ask('first.js', `a${' '.repeat(15_000)}b`))) < MANY_TIMES * plain);
  assert.deepEqual(await ask('face.png', 'br'), ['picture', undefined, 'image/png', 'accept-encoding']);
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

test('help of every screen opens a section of the manual that begins with words', () => {
  for (const address of DECLARED) {
    const [page = '', section] = manualPageOf(address).replace('/manual/', '').split('#');
    const text = FILES.get(page);
    assert.ok(typeof text === 'string', `${address}: ${page}`);
    const from = section === undefined ? text.indexOf('<h1') : text.indexOf(`id="${section}"`);
    assert.ok(from !== -1, `${address}: ${page}#${section}`);
    const [first] = /<(?:p|pre|ol|ul)>/.exec(text.slice(from)) ?? [];
    assert.notEqual(first, '<pre>', `${address}: ${page}#${section} begins with commands`);
  }
});
