import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/site.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** A file with a forbidden import, and the rule that must name it. */
const PLANTED: readonly { file: string; imports: string; rule: string }[] = [
  { file: 'core/contracts/a.ts', imports: '../domain/target.ts', rule: 'contracts-stand-alone' },
  { file: 'core/contracts/b.ts', imports: 'node:fs', rule: 'contracts-need-only-zod' },
  { file: 'core/contracts/c.ts', imports: 'kysely', rule: 'contracts-need-only-zod' },
  { file: 'core/domain/a.ts', imports: '../storage/target.ts', rule: 'domain-knows-no-io' },
  { file: 'core/domain/b.ts', imports: 'node:crypto', rule: 'domain-needs-no-platform' },
  { file: 'core/storage/a.ts', imports: '../vision/target.ts', rule: 'storage-alone' },
  { file: 'core/vision/a.ts', imports: '../gallery/target.ts', rule: 'vision-alone' },
  { file: 'core/domain/ports/a.ts', imports: '../erasure/target.ts', rule: 'ports-name-no-capability' },
  { file: 'core/signatures/a.ts', imports: '../vision/target.ts', rule: 'signatures-alone' },
  { file: 'core/reports/a.ts', imports: '../storage/target.ts', rule: 'reports-alone' },
  { file: 'core/metrics/a.ts', imports: '../storage/target.ts', rule: 'metrics-alone' },
  { file: 'core/transfer/a.ts', imports: '../storage/target.ts', rule: 'transfer-alone' },
  { file: 'core/encryption/a.ts', imports: '../storage/target.ts', rule: 'encryption-alone' },
  { file: 'core/platform/a.ts', imports: '../storage/target.ts', rule: 'platform-alone' },
  { file: 'core/workers/a.ts', imports: '../vision/target.ts', rule: 'workers-alone' },
  { file: 'core/decoding/a.ts', imports: '../vision/target.ts', rule: 'decoding-alone' },
  { file: 'core/gallery/a.ts', imports: '../storage/target.ts', rule: 'gallery-alone' },
  { file: 'core/api/a.ts', imports: '../storage/target.ts', rule: 'api-through-domain' },
  { file: 'renderer/a.tsx', imports: '../core/domain/target.ts', rule: 'renderer-only-contracts' },
  { file: 'core/uploader/a.ts', imports: '../domain/target.ts', rule: 'uploader-only-contracts' },
  { file: 'core/uploader/b.ts', imports: 'node:fs', rule: 'uploader-needs-no-platform' },
  { file: 'core/domain/c.ts', imports: '../../electron/target.ts', rule: 'core-without-window' },
  { file: 'core/api/b.ts', imports: 'electron', rule: 'electron-only-in-shell' },
  { file: 'electron/a.ts', imports: '../core/storage/target.ts', rule: 'window-outside-the-service' },
  { file: 'core/api/c.ts', imports: '../../test/target.ts', rule: 'product-without-tests' },
  { file: 'core/service/a.ts', imports: 'onnxruntime-node', rule: 'networks-only-in-workers' },
  { file: 'core/gallery/b.ts', imports: './nowhere.ts', rule: 'resolvable' },
];

test('a planted import is named by its rule, and a circle of folders by its folders', (t) => {
  const folder = temporaryFolder(t);
  plant(folder);
  const checked = spawnSync(process.execPath, [join(PROJECT, 'scripts', 'boundaries.ts')], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(checked.status, 1);
  const named = checked.stderr.trim().split('\n');
  const isNamed = (rule: string, file: string) => named.some((line) => line.startsWith(`${rule}: ${file} `));
  for (const { file, imports, rule } of PLANTED)
    assert(isNamed(rule, file), `${file} importing ${imports} must break "${rule}"`);
  assert(isNamed('no-circles', 'core/storage/circleA.ts'), 'a circle is named');
  assert(!named.some((line) => line.includes('/typed.ts ')), 'the rules may name types of the store');
  for (const each of ['core/storage/one', 'core/storage/two'])
    assert(isNamed('no-folder-circles', each), named.join('\n'));
  assert(!isNamed('no-folder-circles', 'core/three'), 'a test may import what its folder must not');
});

/** A small project of the same shape, with the real rules. */
function plant(folder: string): void {
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'tsconfig.base.json', 'package.json'])
    copyFileSync(join(PROJECT, name), join(folder, name));
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const files: Record<string, string> = Object.fromEntries(
    PLANTED.map(({ file, imports }) => [
      file,
      `import * as planted from '${imports}';\nexport { planted };\n`,
    ]),
  );
  for (const target of [
    'core/domain',
    'core/domain/erasure',
    'core/storage',
    'core/vision',
    'core/gallery',
    'electron',
    'test',
  ])
    files[`${target}/target.ts`] = 'export const target = 1;\n';
  files['core/domain/typed.ts'] =
    "import type { typed } from '../storage/typed.ts';\nexport type A = typeof typed;\n";
  files['core/storage/typed.ts'] =
    "import type { A } from '../domain/typed.ts';\nexport const typed: A[] = [];\n";
  files['core/storage/circleA.ts'] = "import { b } from './circleB.ts';\nexport const a = () => b;\n";
  files['core/storage/circleB.ts'] = "import { a } from './circleA.ts';\nexport const b = () => a;\n";
  files['core/storage/one/a.ts'] = "import { b } from '../two/b.ts';\nexport const a = () => b;\n";
  files['core/storage/one/c.ts'] = 'export const c = 1;\n';
  files['core/storage/two/b.ts'] = "import { c } from '../one/c.ts';\nexport const b = () => c;\n";
  files['core/three/a.ts'] = "import { c } from '../four/c.ts';\nexport const a = () => c;\n";
  files['core/four/c.ts'] = 'export const c = 1;\n';
  files['core/four/c.test.ts'] = "import { a } from '../three/a.ts';\nexport const b = () => a;\n";
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
