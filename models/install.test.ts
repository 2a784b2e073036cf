import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { loadNet } from '../core/vision/nets/net.ts';
import { NET_NAMES, readManifest } from '../core/vision/nets/manifest.ts';

const MODELS = import.meta.dirname;

/** Runs the install step as npm does, on another folder of models. */
function install(folder: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [join(MODELS, 'install.ts'), '--folder', folder]);
}

async function withCopy(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-models-'));
  try {
    await cp(join(MODELS, 'manifest.json'), join(folder, 'manifest.json'));
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('an empty models folder is filled from the packages with exactly the pinned files', async () => {
  await withCopy(async (folder) => {
    await install(folder);
    for (const name of NET_NAMES) await loadNet(folder, name);
  });
});

test('files that are right are left alone and a damaged one is made again', async () => {
  await withCopy(async (folder) => {
    await install(folder);
    const { nets } = await readManifest(folder);
    const [damaged, sound] = [join(folder, nets.blazeface.file), join(folder, nets.facemesh.file)];
    const { mtimeMs } = await stat(sound);
    await writeFile(damaged, 'half a file');
    const { stdout } = await install(folder);
    assert.match(stdout, /converted blazeface\n/);
    assert.equal((await stat(sound)).mtimeMs, mtimeMs);
    await loadNet(folder, 'blazeface');
  });
});

test('a package whose weights are not the pinned ones is refused, and says so', async () => {
  await withCopy(async (folder) => {
    const path = join(folder, 'manifest.json');
    const { nets } = await readManifest(folder);
    nets.facemesh.source.files[1]!.sha256 = '0'.repeat(64);
    await writeFile(path, JSON.stringify({ nets }));
    await assert.rejects(install(folder), /facemesh\.bin of @vladmandic\/human is not the file/);
  });
});

test('vendored weights that differ from the pinned hash are refused by name', async () => {
  await withCopy(async (folder) => {
    const path = join(folder, 'manifest.json');
    const { nets } = await readManifest(folder);
    nets.mobilefacenet.source.vendored![1]!.sha256 = '0'.repeat(64);
    await writeFile(path, JSON.stringify({ nets }));
    await assert.rejects(install(folder), /models\/vendor\/mobilefacenet\.bin is not the file/);
  });
});

test('a net that was changed after the install is not loaded', async () => {
  await withCopy(async (folder) => {
    await install(folder);
    const path = join(folder, 'recognition.onnx');
    const content = await readFile(path);
    content[content.length >> 1]! ^= 1;
    await writeFile(path, content);
    await assert.rejects(loadNet(folder, 'recognition'), /not the file that was pinned/);
    await rm(path);
    await assert.rejects(loadNet(folder, 'recognition'), /not installed: run "npm run models"/);
  });
});
