/** Puts a staged service into a Debian package: files under /usr/lib/vouch, a system user, a hardened service. */
import { spawnSync } from 'node:child_process';
import { chmod, cp, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { walk } from './tar.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** @param staged as `stageService` lays it out. @param work a folder for the layout, emptied first */
export async function writeDeb(
  staged: string,
  work: string,
  file: string,
  about: { version: string; epoch: number },
): Promise<void> {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined) throw new Error(`There is no Debian package for ${process.arch}.`);
  await rm(work, { recursive: true, force: true });
  await place(join(work, 'usr/lib/vouch'), (target) => cp(staged, target, { recursive: true }));
  const resource = (name: string) => join(PROJECT, 'resources', name);
  await place(join(work, 'usr/lib/systemd/system/vouch.service'), (target) =>
    cp(resource('systemd/vouch.service'), target),
  );
  await place(join(work, 'usr/bin/vouch'), (target) => cp(resource('deb/vouch'), target));
  await chmod(join(work, 'usr/bin/vouch'), 0o755);
  await place(join(work, 'etc/default/vouch'), (target) => cp(resource('deb/default'), target));
  await place(join(work, 'usr/share/doc/vouch/copyright'), async (target) => {
    const licence = await readFile(join(PROJECT, 'LICENSE'), 'utf8');
    await writeFile(target, `${licence}\nParts by others, with their licences: /usr/lib/vouch/licences\n`);
  });
  const control = join(work, 'DEBIAN');
  await mkdir(control, { recursive: true });
  for (const script of ['postinst', 'prerm', 'postrm']) {
    await cp(resource(`deb/${script}`), join(control, script));
    await chmod(join(control, script), 0o755);
  }
  await writeFile(join(control, 'conffiles'), '/etc/default/vouch\n');
  await writeFile(join(control, 'control'), await controlText(work, about.version, architecture));
  await fixModes(work);
  const { status, stderr } = spawnSync(
    'dpkg-deb',
    ['--root-owner-group', '-Zgzip', '-z6', '--build', work, file],
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(about.epoch) }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`dpkg-deb failed: ${stderr}`);
}

async function controlText(work: string, version: string, architecture: string): Promise<string> {
  let bytes = 0;
  for await (const { path, entry } of walk(work))
    if (entry.isFile()) bytes += (await lstat(join(work, path))).size;
  return `Package: vouch
Version: ${version}
Architecture: ${architecture}
Maintainer: Vouch <vouch@localhost>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, passwd
Section: misc
Priority: optional
Description: have we seen this face before, is this the same signature
 Enrols face photos into a duplicate-detection watchlist, keeps private
 blacklists, screens verifications against both and compares signatures, on a
 machine without a network. The service listens on 127.0.0.1 alone.
`;
}

/** Modes do not depend on the umask of the building account. */
async function fixModes(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for await (const { path, entry } of walk(folder)) {
    if (entry.isSymbolicLink()) continue;
    const { mode } = await lstat(join(folder, path));
    await chmod(join(folder, path), entry.isDirectory() || (mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}

async function place(target: string, write: (target: string) => Promise<void>): Promise<void> {
  await mkdir(join(target, '..'), { recursive: true });
  await write(target);
}
