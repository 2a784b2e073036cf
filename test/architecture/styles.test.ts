import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const RENDERER = join(import.meta.dirname, '..', '..', 'renderer');
/** A rule for a class alone: it also applies on every other screen, as soon as its sheet was loaded once. */
const CLASS_ALONE = /^\.([a-z][\w-]*)$/;

/** The classes that a sheet styles without a class of their screen before them. */
function stylesOf(sheet: string): Set<string> {
  const rules = sheet.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{/g);
  const selectors = [...rules].flatMap(([, heads = '']) => heads.split(',').map((head) => head.trim()));
  return new Set(selectors.flatMap((selector) => CLASS_ALONE.exec(selector)?.[1] ?? []));
}

function sharedClasses(sheets: ReadonlyMap<string, string>): string[] {
  const owners = new Map<string, string[]>();
  for (const [name, sheet] of sheets)
    for (const each of stylesOf(sheet)) owners.set(each, [...(owners.get(each) ?? []), name]);
  return [...owners].flatMap(([name, files]) =>
    files.length > 1 ? [`.${name}: ${files.sort().join(', ')}`] : [],
  );
}

test('no two style sheets style the same class: sheets of visited screens stay loaded', () => {
  const files = globSync('**/*.css', { cwd: RENDERER });
  assert.ok(files.length > 15, `only ${files.length} sheets were found`);
  const sheets = new Map(files.map((file) => [file, readFileSync(join(RENDERER, file), 'utf8')]));
  assert.deepEqual(sharedClasses(sheets), []);
});

test('a class of two sheets is found, also in a list of selectors and a media query', () => {
  const sheets = new Map([
    ['a.css', '.hit { gap: 4px; }'],
    ['b.css', '/* .hit { } */ @media (width < 9px) { .row,\n.hit { gap: 5px; } }'],
    ['c.css', '.side .hit { gap: 6px; } .hit:hover { gap: 7px; }'],
  ]);
  assert.deepEqual(sharedClasses(sheets), ['.hit: a.css, b.css']);
});
