import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const RENDERER = join(import.meta.dirname, '..');
const STYLES = join(RENDERER, '..', 'node_modules', '@mantine', 'core', 'styles');

test('every Mantine component of a screen has its stylesheet loaded', () => {
  const loaded = readFileSync(join(import.meta.dirname, 'mantine.ts'), 'utf8');
  const files = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const used = new Set(
    files.flatMap((file) =>
      [
        ...readFileSync(join(RENDERER, file), 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
      ].flatMap(([, names = '']) => names.split(',').map((name) => name.trim())),
    ),
  );
  assert.ok(used.has('Button') && used.size > 15, 'the imports are written otherwise than expected');
  const missing = [...used].filter(
    (name) => existsSync(join(STYLES, `${name}.css`)) && !loaded.includes(`/styles/${name}.css'`),
  );
  assert.deepEqual(missing, [], 'add these to renderer/theme/mantine.ts');
});
