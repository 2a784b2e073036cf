/**
 * `npm run package:service [-- FOLDER]`: the service for this platform as a folder, a .tar.gz and, where dpkg-deb is, a
 * .deb, in release/ or FOLDER. The same commit gives the same bytes.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { writeDeb } from './deb.ts';
import { sha256File } from './papers.ts';
import { PLATFORM, stageService, type Commit } from './stage.ts';
import { writeTarGz } from './tar.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** Of what is built: its hash and its time, from git, or from SOURCE_DATE_EPOCH where there is no git. */
function commitOf(project: string): Commit {
  const { stdout, status } = spawnSync('git', ['log', '-1', '--format=%H %ct'], {
    cwd: project,
    encoding: 'utf8',
  });
  const [hash = 'unknown', time] = status === 0 ? stdout.trim().split(' ') : [];
  const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? time);
  if (!Number.isSafeInteger(epoch))
    throw new Error('Build in a git checkout, or set SOURCE_DATE_EPOCH: packages carry no other time.');
  return { hash, epoch };
}

const release = resolve(process.argv[2] ?? join(PROJECT, 'release'));
const commit = commitOf(PROJECT);
await mkdir(release, { recursive: true });
const staging = join(release, 'service');
const version = await stageService(staging, commit);
const made = [join(release, `vouch-${version}-${PLATFORM}.tar.gz`)];
await writeTarGz(staging, `vouch-${version}-${PLATFORM}`, made[0]!, commit.epoch);
if (spawnSync('dpkg-deb', ['--version']).status === 0) {
  const deb = join(release, `vouch_${version}_${process.arch === 'x64' ? 'amd64' : process.arch}.deb`);
  const work = join(release, 'deb');
  await writeDeb(staging, work, deb, { version, epoch: commit.epoch });
  await rm(work, { recursive: true });
  made.push(deb);
} else console.log('dpkg-deb is not installed here: no .deb was made.');

const sums: string[] = [];
for (const file of made) sums.push(`${await sha256File(file)}  ${basename(file)}\n`);
await writeFile(join(release, 'SHA256SUMS'), sums.join(''));
console.log(sums.join('').trimEnd());
