import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { putOddFiles } from '../../../test/support/oddFiles.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { planFolder } from './plan.ts';

const JPEG = Buffer.from('ffd8ffe000104a46', 'hex');

test('photos are planned by content; other files are skipped with a reason', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'b', 'deep'), { recursive: true });
  mkdirSync(join(folder, '.hidden'));
  writeFileSync(join(folder, 'b', 'deep', 'photo without extension'), JPEG);
  writeFileSync(join(folder, 'a.jpg'), JPEG);
  writeFileSync(join(folder, 'empty.jpg'), '');
  writeFileSync(join(folder, 'text.jpg'), 'just words');
  writeFileSync(join(folder, 'scan.jpg'), 'II*\0 a picture');
  writeFileSync(join(folder, 'passport.bin'), Buffer.from('FAC\x00010\0', 'latin1'));
  writeFileSync(join(folder, 'phone.jpg'), '\0\0\0\x18ftypheic');
  writeFileSync(join(folder, 'large.jpg'), Buffer.concat([JPEG, Buffer.alloc(2000)]));
  writeFileSync(join(folder, '.hidden', 'x.jpg'), JPEG);
  symlinkSync(join(folder, 'a.jpg'), join(folder, 'link.jpg'));
  const plan = await planFolder(folder, 1000);
  assert.deepEqual(
    plan.files.map((file) => file.path),
    ['a.jpg', 'b/deep/photo without extension', 'passport.bin', 'scan.jpg'],
  );
  assert.deepEqual(
    plan.skipped.map(({ path, reason }) => [path, reason.split(/[.;]/)[0]]),
    [
      ['empty.jpg', 'The file is empty'],
      ['large.jpg', 'The file has 2 KiB'],
      ['link.jpg', 'A symbolic link is not followed'],
      ['phone.jpg', 'HEIC, JPEG XL, camera RAW, PDF, SVG or video'],
      ['text.jpg', 'Not a picture or face record by its content'],
    ],
  );
});

test('folders of systems and unfinished files are skipped with a reason', async (t) => {
  const folder = temporaryFolder(t);
  const system = [
    '@eaDir',
    '#recycle',
    '$RECYCLE.BIN',
    'lost+found',
    'System Volume Information',
    '@Recycle',
    '~snapshot',
    'files_versions',
    'Trash-1000',
    'Network Trash Folder',
  ];
  const unfinished = ['.part', '.filepart', '.crdownload', '.partial', '.download', '.tmp', '~'];
  unfinished.push('.!ut', '.xltd', '.downloading', '.sb-1a2b3c4d-Xy12');
  const own = ['J. Part.jpg', 'party.jpg', '~best.jpg'];
  for (const name of system) {
    mkdirSync(join(folder, 'all', name, 'below'), { recursive: true });
    writeFileSync(join(folder, 'all', name, 'below', 'a.jpg'), JPEG);
  }
  for (const ending of unfinished) writeFileSync(join(folder, 'all', `a.jpg${ending}`), JPEG);
  for (const name of [...own, '~$a.jpg']) writeFileSync(join(folder, 'all', name), JPEG);
  const { files, skipped } = await planFolder(folder, 1000);
  assert.deepEqual(
    files.map(({ path }) => path),
    own.map((name) => `all/${name}`),
  );
  assert.deepEqual(
    skipped.map(({ path, skip }) => `${skip} ${path}`).toSorted(),
    [
      'unfinished all/~$a.jpg',
      ...system.map((name) => `system all/${name}`),
      ...unfinished.map((ending) => `unfinished all/a.jpg${ending}`),
    ].toSorted(),
  );
});

test(
  'a pipe is named and never opened, and so is a name that is not UTF-8',
  { skip: process.platform === 'win32' },
  async (t) => {
    const folder = temporaryFolder(t);
    putOddFiles(folder, JPEG);
    const { files, skipped } = await planFolder(folder, 1000);
    assert.deepEqual(files, []);
    assert.deepEqual(
      skipped.map(({ path, skip }) => [path, skip]),
      [
        ['caf\\xe9.jpg', 'badName'],
        ['link.jpg', 'link'],
        ['pipe.jpg', 'special'],
      ],
    );
  },
);

test(
  'folders nested more deeply than a path can be are named; others are walked',
  { skip: process.platform === 'win32' },
  async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'z.jpg'), JPEG);
    // Relative to the folder before, because no path reaches the deepest ones.
    const nest = `for (let i = 0; i < 2100; i += 1) { fs.mkdirSync('d'); process.chdir('d'); }`;
    execFileSync(process.execPath, ['-e', nest], { cwd: folder });
    t.after(() => execFileSync('rm', ['-rf', join(folder, 'd')]));
    const { files, skipped } = await planFolder(folder, 1000);
    assert.deepEqual(
      files.map(({ path }) => path),
      ['z.jpg'],
    );
    assert.deepEqual(
      skipped.map(({ skip }) => skip),
      ['tooLong'],
    );
  },
);
