/** Backing up, reading back and restoring a site: `npm run bench -- backup [megabytes] [kilobytes of a photo]`. */
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bech32 } from '@scure/base';
import type { UploadId } from '../core/contracts/ids.ts';
import { createBackupKey } from '../core/encryption/backupKey.ts';
import { openHome, openStorage, readBack, restoreBackup, type Storage } from '../core/storage/index.ts';
import { TEST_ACT } from '../test/support/act.ts';
import { newCompany } from '../test/support/site.ts';
import { publish, table } from './report.ts';
import type { Company } from '../core/domain/ports/auditContext.ts';

const args = process.argv.slice(2);
const [MEGABYTES = 1000, KILOBYTES = 200] = args.map(Number);
const PHOTOS = Math.round((MEGABYTES * 1000) / KILOBYTES);
/** Photos of one upload. */
const BATCH = 100;
/** Each round measures both, one after the other; the table has the median. */
const ROUNDS = 3;
const CLOCK = { now: () => new Date() };

/** Seconds, and the growth of resident memory in megabytes. */
interface Cost {
  wall: number;
  cpu: number;
  memory: number;
}

async function fill(storage: Storage, company: Company): Promise<void> {
  const trustFlowId = await storage.companies.systemTrustFlow(company.id);
  const target = { kind: 'duplicate', trustFlowId } as const;
  for (let first = 0; first < PHOTOS; first += BATCH) {
    const names = Array.from({ length: Math.min(BATCH, PHOTOS - first) }, (_, at) => `${first + at}.jpg`);
    const images = names.map(async (fileName) => {
      const content = ReadableStream.from([randomBytes(KILOBYTES * 1000)]);
      return { fileName, image: await storage.images.write(company.id, 'jpeg', content) };
    });
    const id = randomUUID() as UploadId;
    await storage.uploads.accept(company.id, {
      id,
      target,
      accepted: TEST_ACT,
      images: await Promise.all(images),
    });
  }
}

/** Measures work in this process. */
async function own(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const [start, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  clearInterval(sampling);
  return {
    wall: (performance.now() - start) / 1000,
    cpu: (user + system) / 1e6,
    memory: (peak - before) / 1e6,
  };
}

/** Measures a pipe of programs. Its memory is not measured. */
function peer(command: string, ...names: string[]): Cost {
  const script = `TIMEFORMAT='%R %U %S'; set -o pipefail; time { ${command}; }`;
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...names], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The peer needs Debian's age and tar: ${stderr}`);
  const [wall = 0, user = 0, system = 0] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { wall, cpu: user + system, memory: 0 };
}

const folder = await mkdtemp(join(tmpdir(), 'vouch-backup-bench-'));
try {
  const [home, file, keyFile, copy] = ['home', 'site.vouch', 'key.txt', 'peer.age'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const storage = await openStorage(openHome(home), CLOCK);
  await fill(storage, await newCompany(storage, home));
  const key = createBackupKey();
  await storage.installationKeys.setRecovery(key.publicKey, TEST_ACT);
  await writeFile(keyFile, `${key.text}\n`);
  const recipient = bech32.encode('age', bech32.toWords(key.publicKey));
  const costs: Record<string, [Cost, Cost][]> = { write: [], 'read back': [], restore: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    let fileKey = new Uint8Array();
    const write = await own(async () => {
      const { contentKey, content } = await storage.backups.open(TEST_ACT, '0.0.0');
      fileKey = new Uint8Array(contentKey);
      await pipeline(content, createWriteStream(file));
    });
    costs.write!.push([write, peer('tar c -C "$1" . | age -r "$2" -o "$3"', home, recipient, copy)]);
    const back = await own(() => readBack(file, fileKey));
    costs['read back']!.push([back, peer('age -d -i "$1" "$2" > /dev/null', keyFile, copy)]);
    const [restored, unpacked] = [join(folder, 'restored'), join(folder, 'unpacked')];
    const yes = () => Promise.resolve(true);
    const restore = await own(() =>
      restoreBackup(openHome(restored), file, key, CLOCK, { retention: yes, credentials: yes }),
    );
    await mkdir(unpacked);
    const unpack = peer('age -d -i "$1" "$2" | tar x -C "$3"', keyFile, copy, unpacked);
    costs.restore!.push([restore, unpack]);
    if (round < ROUNDS - 1) await rm(file);
    for (const made of [restored, unpacked, copy]) await rm(made, { recursive: true });
  }
  await storage.close();
  const bytes = (await stat(file)).size / 1e6;
  const rows = Object.entries(costs).map(([name, rounds]) => {
    const median = (of: (pair: [Cost, Cost]) => number) =>
      rounds.map(of).toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)]!;
    return [
      name,
      (bytes / median(([ours]) => ours.wall)).toFixed(0),
      (bytes / median(([, theirs]) => theirs.wall)).toFixed(0),
      (bytes / median(([ours]) => ours.cpu)).toFixed(0),
      (bytes / median(([, theirs]) => theirs.cpu)).toFixed(0),
      median(([ours, theirs]) => ours.cpu / theirs.cpu).toFixed(2),
      median(([ours]) => ours.memory).toFixed(0),
    ];
  });
  publish({
    name: 'backup',
    title: 'Backup: a whole site in one file',
    args,
    body: `${PHOTOS} photos of ${KILOBYTES} kB and their database, ${bytes.toFixed(0)} MB as a backup. The peer is a pipe of two programs, \`tar | age\` for writing, \`age -d\` for reading back and \`age -d | tar x\` for restoring. Unlike the peer, Vouch copies the database while it is in use, decrypts every photo to check it, hashes every file, and on a restore syncs every file and opens the database. Median of ${ROUNDS} paired runs.

${table(['', 'Vouch MB/s', 'tar and age MB/s', 'Vouch MB per CPU second', 'tar and age MB per CPU second', 'CPU time, Vouch to peer', 'memory growth MB'], rows)}

The ratio is what counts on a shared machine. Memory must not grow with the size of the site beyond the list of its files, about 100 bytes for each.`,
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
