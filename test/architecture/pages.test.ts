/** Links and citations resolve inside the repository. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const PROJECT = join(import.meta.dirname, '..', '..');
const TEXT = /\.(?:md|ts|tsx|mjs|cjs|js|css|pl|json|yml|html|service)$/;
const ADRS = new Set(readdirSync(join(PROJECT, 'docs/adr')).map((name) => name.slice(0, 4)));

const files = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: PROJECT,
  encoding: 'utf8',
})
  .stdout.split('\n')
  .filter(
    (file) => TEXT.test(file) && !file.endsWith('package-lock.json') && existsSync(join(PROJECT, file)),
  );
const texts = new Map(files.map((file) => [file, readFileSync(join(PROJECT, file), 'utf8')]));
const pages = [...texts].filter(([file]) => file.endsWith('.md'));

/** The anchors of a page as GitHub forms them: lower case, spaces as hyphens, other marks left out. */
function anchors(page: string): Set<string> {
  const titles = page.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...titles].map(([, title = '']) =>
      title
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/** @returns why a link of a page leads nowhere; undefined: it leads somewhere */
function deadLink(file: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
  if (!existsSync(join(PROJECT, target))) return `${file}: ${link} does not exist`;
  const page = texts.get(target);
  if (anchor === undefined || page === undefined || !target.endsWith('.md')) return undefined;
  return anchors(page).has(anchor) ? undefined : `${file}: ${link} has no such heading`;
}

test('every link of a page leads to a file, and to a heading of it', () => {
  const dead = pages.flatMap(([file, text]) =>
    [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].flatMap(
      ([, link = '']) => deadLink(file, link) ?? [],
    ),
  );
  assert.deepEqual(dead, []);
});

test('every page of docs is reached by a link', () => {
  const linked = new Set(
    pages.flatMap(([file, text]) =>
      [...text.matchAll(/\]\((?!https?:)([^)\s#]+)[^)]*\)/g)].map(([, link = '']) =>
        normalize(join(dirname(file), link)),
      ),
    ),
  );
  const orphans = pages.map(([file]) => file).filter((file) => file.startsWith('docs/') && !linked.has(file));
  assert.deepEqual(orphans, []);
});

test('every path of the repository that a text names exists', () => {
  const absent = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/(?<![\w/.-])docs\/[\w./-]+\.(?:md|svg|png)\b/g)]
      .map(([path]) => path)
      .filter((path) => !existsSync(join(PROJECT, path)))
      .map((path) => `${file}: ${path}`),
  );
  const folders = /`((?:core|renderer|electron|test|bench|scripts|models|resources)\/[\w./-]*\w)`/g;
  const named = pages.flatMap(([file, text]) =>
    [...text.matchAll(folders)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(PROJECT, path)))
      .map((path) => `${file}: ${path}`),
  );
  assert.deepEqual([...absent, ...named], []);
});

test('every TypeScript file that a comment or a page names exists', () => {
  const names = new Set(files.map((file) => basename(file)));
  const absent = [...texts].flatMap(([file, text]) =>
    text
      .split('\n')
      .filter((line) => file.endsWith('.md') || (/\.tsx?$/.test(file) && /^\s*(?:\/\*\*|\*|\/\/)/.test(line)))
      .flatMap((line) => [...line.matchAll(/(?<![\w.*<{…$/-])(?:[\w.-]+\/)*([a-z][\w.-]*\.tsx?)\b/g)])
      .filter(([, name = '']) => !names.has(name))
      .map(([path]) => `${file}: ${path}`),
  );
  assert.deepEqual(absent, []);
});

test('the code reads each variable of the pages; settings.md has those of the package', () => {
  const variables = (text: string) =>
    [...text.matchAll(/\bVOUCH_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => name);
  const read = new Set([...texts].flatMap(([file, text]) => (file.endsWith('.md') ? [] : variables(text))));
  const unknown = pages.flatMap(([file, text]) =>
    variables(text)
      .filter((name) => !read.has(name))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(unknown, []);
  // An administrator sets what the template of the Debian package has.
  const settings = texts.get('docs/reference/settings.md')!;
  const template = readFileSync(join(PROJECT, 'resources/deb/default'), 'utf8');
  assert(variables(template).length > 5);
  assert.deepEqual(
    variables(template).filter((name) => !settings.includes(`\`${name}\``)),
    [],
  );
});

test('every cited ADR exists, and each has its status, date and parts', () => {
  const unknown = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/\bADR (\d{4})\b/g)]
      .filter(([, number = '']) => !ADRS.has(number))
      .map(([citation]) => `${file}: ${citation}`),
  );
  assert.deepEqual(unknown, []);
  for (const [file, text] of pages.filter(([path]) => /^docs\/adr\/\d/.test(path)))
    assert.match(
      text,
      /^# \d{4} .+\n\nStatus: \w+\nDate: \d{4}-\d\d-\d\d\n\n## Context\n[^]+\n## Decision\n[^]+\n## Consequences\n/,
      file,
    );
});

test('no text cites a document outside the repository', () => {
  const outside = /\bcontract(?:\.md)? ?§|(?<![\w-])(?:service|contract)\.md\b|\b[Dd]ecisions?[ /]\d{4}\b/;
  const citing = [...texts]
    .filter(([file]) => file !== 'test/architecture/pages.test.ts')
    .flatMap(([file, text]) => {
      const cited = outside.exec(text);
      return cited === null ? [] : `${file}: ${cited[0]}`;
    });
  assert.deepEqual(citing, []);
});
