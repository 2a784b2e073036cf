import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { CodedError, sentenceOf } from '../../contracts/errors/problem.ts';
import type { PipelineId } from '../../contracts/ids.ts';
import { writePerturbedPack } from '../../../test/support/pack.ts';
import { portrait } from '../../../test/support/facePhotos.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { loadParts } from '../descriptor.ts';
import { createEngine } from '../pool/engine.ts';
import { listPipelines } from '../pool/pipelines.ts';
import { createVision } from '../pool/vision.ts';
import { loadPackExtractor } from './templateExtractor.ts';
import { readPack } from './reading.ts';

const MODELS = join(import.meta.dirname, '..', '..', '..', 'models');

async function reasonFor(t: TestContext, spoil: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = temporaryFolder(t);
  await writePerturbedPack(folder, 'other');
  await spoil(join(folder, 'other'));
  const { refused } = await listPipelines({ models: MODELS, packs: folder });
  const [first] = refused;
  assert.equal(refused.length, 1);
  assert.equal(first?.name, 'other');
  return sentenceOf(first.reason);
}

async function changed(pack: string, change: (manifest: Record<string, never>) => object): Promise<void> {
  const path = join(pack, 'pipeline.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, never>;
  await writeFile(path, JSON.stringify({ ...manifest, ...change(manifest) }));
}

test('a model pack can be selected under an id derived from its content', async (t) => {
  const folder = temporaryFolder(t);
  await writePerturbedPack(folder, 'other');
  const { pipelines, refused } = await listPipelines({ models: MODELS, packs: folder });
  assert.deepEqual(refused, []);
  assert.deepEqual(
    pipelines.map(({ name, builtIn, dimensions }) => [name, builtIn, dimensions]),
    [
      ['full', true, 128],
      ['light', true, 64],
      ['other', false, 128],
    ],
  );
  const { id } = pipelines[2]!;
  assert.match(id, /^pack:other@[0-9a-f]{16}$/);
  await changed(join(folder, 'other'), () => ({ title: 'Renamed', licence: 'other' }));
  assert.equal((await readPack(folder, 'other')).id, id, 'what people read does not move it');
  await changed(join(folder, 'other'), () => ({ views: 'straight' }));
  assert.notEqual((await readPack(folder, 'other')).id, id, 'what moves templates does');
});

test('a bad pack is refused with what is wrong, and hides no other pipeline', async (t) => {
  const reason = (spoil: (pack: string) => Promise<unknown>) => reasonFor(t, spoil);
  const path = (pack: string) => join(pack, 'pipeline.json');
  assert.match(await reason((pack) => writeFile(path(pack), '{')), /not valid JSON/);
  assert.match(
    await reason((pack) => writeFile(join(pack, 'net.onnx'), 'other')),
    /differs from the file .* SHA-256/,
  );
  assert.match(await reason((pack) => changed(pack, () => ({ file: '../net.onnx' }))), /file/);
  assert.match(await reason((pack) => changed(pack, () => ({ file: 'gone.onnx' }))), /gone\.onnx is missing/);
  assert.match(await reason((pack) => changed(pack, () => ({ licence: undefined }))), /licence/);
  assert.match(await reason((pack) => changed(pack, () => ({ surprise: 1 }))), /surprise/);
  assert.match(
    await reason(async (pack) => {
      await rename(path(pack), join(pack, 'elsewhere.json'));
      await symlink(join(pack, 'elsewhere.json'), path(pack));
    }),
    /pipeline\.json is a link/,
  );
  assert.match(
    await reason((pack) =>
      changed(pack, () => ({ file: 'folder.onnx' })).then(() => mkdir(join(pack, 'folder.onnx'))),
    ),
    /folder\.onnx is a link, a folder or a device/,
  );
  assert.match(await reason((pack) => truncate(path(pack), 2 ** 20 + 1)), /larger than 1 MiB/);
  assert.match(await reason((pack) => truncate(join(pack, 'net.onnx'), 2 ** 30 + 1)), /larger than 1024 MiB/);
  const rising = [
    { fmr: 0.01, threshold: 0.3 },
    { fmr: 1e-4, threshold: 0.4 },
    { fmr: 1e-6, threshold: 0.5 },
  ];
  assert.match(
    await reason((pack) => changed(pack, () => ({ calibration: rising }))),
    /a lower rate of false matches must need/,
  );
  assert.match(
    await reason((pack) => changed(pack, () => ({ calibration: rising.slice(0, 2) }))),
    /calibration/,
  );
});

test(
  'a pipe in place of a file of a pack is refused without waiting for it',
  { skip: !existsSync('/usr/bin/mkfifo') },
  async (t) => {
    const pipe = (path: string) => {
      rmSync(path);
      return Promise.resolve(spawnSync('/usr/bin/mkfifo', [path]));
    };
    assert.match(await reasonFor(t, (pack) => pipe(join(pack, 'pipeline.json'))), /pipeline\.json is a link/);
    assert.match(await reasonFor(t, (pack) => pipe(join(pack, 'net.onnx'))), /net\.onnx is a link/);
  },
);

test('a folder without manifest, with a built-in or an unusable name is refused', async (t) => {
  const folder = temporaryFolder(t);
  await writePerturbedPack(folder, 'full');
  await mkdir(join(folder, 'empty'));
  await mkdir(join(folder, 'A b'));
  const { pipelines, refused } = await listPipelines({ models: MODELS, packs: folder });
  assert.deepEqual(
    pipelines.map(({ builtIn }) => builtIn),
    [true, true],
  );
  assert.deepEqual(refused.map(({ name }) => name).sort(), ['A b', 'empty', 'full']);
});

test('a net that contradicts its manifest is refused before any extraction', async (t) => {
  const folder = temporaryFolder(t);
  const load = async (name: string, change: Parameters<typeof writePerturbedPack>[2]) => {
    await writePerturbedPack(folder, name, change);
    return loadPackExtractor(await readPack(folder, name));
  };
  const output = { name: 'descriptor', dimension: 64 };
  await assert.rejects(load('dimension', { output }), /returns 128 numbers per face, not 64/);
  await assert.rejects(
    load('name', { output: { name: 'x', dimension: 128 } }),
    (error) => error instanceof CodedError && error.message.includes('has no output "x"'),
  );
  const input = { name: 'image', size: 150, layout: 'NCHW', type: 'float32', colours: 'BGR' };
  await assert.rejects(load('input', { input }), /does not accept the input that the manifest names/);
});

test('a model pack extracts the same templates as the built-in net it copies', async (t) => {
  const folder = temporaryFolder(t);
  await writePerturbedPack(folder, 'other', { alignment: { method: 'mean-face', widening: 1 } });
  const five = {
    method: 'five-points',
    leftEye: [0.31, 0.37],
    rightEye: [0.69, 0.37],
    noseTip: [0.5, 0.52],
    leftMouthCorner: [0.36, 0.69],
    rightMouthCorner: [0.64, 0.69],
  };
  await writePerturbedPack(folder, 'five', { alignment: five, views: 'straight' });
  const parts = await loadParts(MODELS);
  const ownNet = await createEngine(MODELS, {
    pipelineId: 'own' as PipelineId,
    extract: async (view, face) => (await parts(view, face)).recognition,
  });
  const photo = await portrait(0);
  const enrolled = await ownNet.enrol(photo, {});
  assert.ok(enrolled.kind === 'face');
  for (const name of ['other', 'five']) {
    const engine = ownNet.using(await loadPackExtractor(await readPack(folder, name)));
    const again = await engine.reextract(photo, enrolled.face.box);
    assert.ok(again.kind === 'extracted');
    const { vector } = again.template;
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    const distance = Math.hypot(...vector.map((value, i) => value - enrolled.face.template.vector[i]!));
    assert.ok(distance > 0 && distance < 0.35, `${name}: ${distance}`);
  }
  const elsewhere = { ...enrolled.face.box, x: enrolled.face.box.x + 2 * enrolled.face.box.width };
  assert.deepEqual(await ownNet.reextract(photo, elsewhere), { kind: 'refused', code: 'NO_FACE' });
});

test('a model pack put back while the service runs is found again', async (t) => {
  const folder = temporaryFolder(t);
  const elsewhere = temporaryFolder(t);
  await writePerturbedPack(elsewhere, 'other');
  const { pipelines } = await listPipelines({ models: MODELS, packs: elsewhere });
  const { id } = pipelines.find(({ name }) => name === 'other')!;
  const vision = await createVision({
    modelsFolder: MODELS,
    packsFolder: folder,
    pipeline: 'light' as const,
    workers: 1,
  });
  t.after(() => vision.close());
  assert.equal(vision.using(id), undefined);
  await rename(join(elsewhere, 'other'), join(folder, 'other'));
  while (vision.using(id) === undefined) await setTimeout(50, undefined, { signal: t.signal });
  const found = await vision.using(id)!.search(await portrait(1), { priority: 'bulk' });
  assert.equal(found.kind, 'faces');
});

test('workers test a pack before use and refuse one changed under its name', async (t) => {
  const folder = temporaryFolder(t);
  await writePerturbedPack(folder, 'other');
  await writePerturbedPack(folder, 'liar', { output: { name: 'descriptor', dimension: 64 } });
  const vision = await createVision({
    modelsFolder: MODELS,
    packsFolder: folder,
    pipeline: 'light',
    workers: 1,
  });
  t.after(() => vision.close());
  const { pipelines } = await vision.list();
  const idOf = (name: string) => pipelines.find((each) => each.name === name)!.id;
  assert.equal(await vision.problemWith(idOf('other')), undefined);
  assert.deepEqual(await vision.problemWith(idOf('liar')), {
    code: 'PACK_NET_LENGTH_WRONG',
    parameters: { file: 'net.onnx', found: 128, expected: 64 },
  });
  const full = idOf('full');
  assert.equal(vision.successorOf(full), undefined);
  const earlier = full.replace(/\d+$/, '0') as PipelineId;
  assert.equal(vision.successorOf(earlier)?.id, full, 'what an update replaced goes on by what replaced it');
  const recogniser = vision.using(idOf('other'))!;
  assert.equal((await recogniser.search(await portrait(1), { priority: 'bulk' })).kind, 'faces');
  const second = await createVision({
    modelsFolder: MODELS,
    packsFolder: folder,
    pipeline: 'light',
    workers: 1,
  });
  t.after(() => second.close());
  await changed(join(folder, 'other'), () => ({ views: 'straight' }));
  await assert.rejects(
    second.using(idOf('other'))!.search(await portrait(1), { priority: 'bulk' }),
    /was changed/,
  );
});
