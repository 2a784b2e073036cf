/** An installation as a folder with a home, a program that can be updated, bundles of another site, and a backup key. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CliError } from '../../../core/cli/terminal/output.ts';
import { isUnfinished, finishUpdate, type TryVersion } from '../../../core/cli/update/unfinished.ts';
import { createBackupKey } from '../../../core/encryption/backupKey.ts';
import { openHome, openStorage } from '../../../core/storage/index.ts';
import { writeSums } from '../../../scripts/package/papers.ts';
import { writeTarGz } from '../../../scripts/package/tar.ts';
import { TEST_ACT } from '../act.ts';
import { answerAll, enrolPeople, openErasureSite, type ErasureSite } from '../erasureSite.ts';
import { newCompany, TestClock } from '../site.ts';
import type { Company } from '../../../core/domain/ports/auditContext.ts';

export const PLATFORM = `${process.platform}-${process.arch}`;
/** Bundles that the other site has sent, and faces in each. */
export const BUNDLES = 3;
const PACKAGE_FACES = 3;

/** Where everything of an installation is. */
export function placesOf(folder: string) {
  return {
    folder,
    home: join(folder, 'home'),
    program: join(folder, 'vouch'),
    package: join(folder, 'package.tar.gz'),
    publisher: join(folder, 'publisher.pem'),
    backupKey: join(folder, 'backup-key.txt'),
    bundle: (number: number) => join(folder, `${number}.vouchlist`),
    backups: () => readdirSync(folder).filter((name) => name.endsWith('.vouch')),
  };
}
type Places = ReturnType<typeof placesOf>;

/** Names of the faces in a bundle. */
export function namesIn(bundle: number): string[] {
  return Array.from({ length: PACKAGE_FACES }, (_, face) => `other ${bundle} ${face}`);
}

/** The person of a name, which decides photo and template. */
export function personOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE();
}

export async function makeInstallation(folder: string): Promise<void> {
  const places = placesOf(folder);
  const first = `vouch-0.1.0-${PLATFORM}`;
  const staged = join(folder, 'staged');
  mkdirSync(join(staged, 'bin'), { recursive: true });
  writeFileSync(join(staged, 'bin', 'vouch'), '#!/bin/sh\n', { mode: 0o755 });
  await writeSums(staged);
  await writeTarGz(staged, 'vouch', places.package, 0);
  mkdirSync(join(places.program, 'versions', first, 'bin'), { recursive: true });
  writeFileSync(join(places.program, 'versions', first, 'bin', 'vouch'), '#!/bin/sh\n');
  symlinkSync(join('versions', first), join(places.program, 'current'));
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(places.publisher, privateKey.export({ format: 'pem', type: 'pkcs8' }));

  const site = await openErasureSite(places.home);
  const company = await newCompany(site.storage, places.home);
  await site.storage.installation.update({ installationName: '0.1.0' }, TEST_ACT);
  await site.storage.blacklists.create(company.id, { name: 'List', description: null }, TEST_ACT);
  const { text, publicKey } = createBackupKey();
  await site.storage.installationKeys.setRecovery(publicKey, TEST_ACT);
  writeFileSync(places.backupKey, text);
  await sendBundles(places, site, company);
  await site.close();
}

async function sendBundles(places: Places, site: ErasureSite, company: Company): Promise<void> {
  const own = await site.blacklistTransfer.certificate('local-admin');
  const other = await openErasureSite(join(places.folder, 'other'));
  const sender = await newCompany(other.storage, other.home.folder, 'Other');
  const { id } = await other.blacklistTransfer.trust(sender.id, own, TEST_ACT);
  const certificate = await other.blacklistTransfer.certificate('local-admin');
  await site.blacklistTransfer.trust(company.id, { ...certificate, name: 'Other' }, TEST_ACT);
  for (let bundle = 0; bundle < BUNDLES; bundle += 1) {
    const name = `From other ${bundle}`;
    const created = await other.blacklists.create(sender.id, { name, description: null }, TEST_ACT);
    const made = created;
    const photos = namesIn(bundle).map((face) => ({ person: personOf(face), fileName: `${face}.jpg` }));
    await enrolPeople(other, sender, photos, made.id);
    const wanted = { list: made.id, installation: id, photos: true };
    const { content } = await other.blacklistTransfer.export(sender.id, wanted, 'local-admin');
    writeFileSync(places.bundle(bundle), await buffer(content));
  }
  await other.close();
}

/** A version does not become healthy when its last number is 2. */
export function isHealthy(version: string): boolean {
  return !version.endsWith('.2');
}

/** Plays a version of the program: it leaves its number in the database, and some work only on a copy of it. */
export function trying({ home }: Places): TryVersion {
  return async (program, tried) => {
    const version = /vouch-([\d.]+)-/.exec(program)?.[1] ?? '';
    const storage = await openStorage(openHome(tried), new TestClock());
    await storage.installation.update({ installationName: version }, TEST_ACT);
    await storage.close();
    return tried === home && !isHealthy(version) ? 'the disk is another one' : undefined;
  };
}

/** Runs the steps of every start of the service: finishes an update, a restore, erasures and uploads. */
export async function startAgain(
  places: Places,
): Promise<{ site: ErasureSite; company: Company; clock: TestClock }> {
  if (isUnfinished(places.home))
    await finishUpdate(places.home, trying(places)).catch((cause: unknown) => {
      // Rolled back: the version before is current.
      if (!(cause instanceof CliError)) throw cause;
    });
  const clock = new TestClock();
  clock.time = new Date();
  const site = await openErasureSite(places.home, clock);
  await site.erasures.finish(await site.erasures.unfinished(), 'keep', () => clock.now());
  await answerAll(site);
  const company = await site.companies.findByName('Acme');
  if (company === undefined) throw new Error('The company is gone.');
  return { site, company, clock };
}

/** The version that is current, e.g. `0.3.1`. */
export async function currentVersion({ program }: Places): Promise<string> {
  const name = basename(await readlink(join(program, 'current')));
  if (readFileSync(join(program, 'versions', name, 'bin', 'vouch')).length === 0)
    throw new Error(`${name} is not whole.`);
  return name.replace(`-${PLATFORM}`, '').replace('vouch-', '');
}

/** How many faces the gallery holds in all watchlists of a company. */
export async function facesIn({ gallery, blacklists }: ErasureSite, { id }: Company): Promise<number> {
  let faces = await gallery.size(id, { kind: 'duplicate' });
  for (const list of await blacklists.all(id))
    faces += await gallery.size(id, { kind: 'blacklist', blacklistId: list.id });
  return faces;
}
