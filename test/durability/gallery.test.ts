import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlacklistId, FaceId } from '../../core/contracts/ids.ts';
import { squaredDistance } from '../../core/gallery/distance.ts';
import { openHome, openStorage, type Storage } from '../../core/storage/index.ts';
import { CHURN_PROGRAM, filledGallery, queryFor } from '../support/galleryChurn.ts';
import { seededRandom } from '../support/seed.ts';
import { newCompany, temporaryFolder, TEST_PIPELINE, TestClock } from '../support/site.ts';
import { TEST_ACT } from '../support/act.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

/** `VOUCH_KILLS=200` for the long run. */
const KILLS = Number(process.env.VOUCH_KILLS ?? 4);
const EVERYTHING = { after: 0 as FaceId, upTo: Number.MAX_SAFE_INTEGER as FaceId };

test('repeated kills while it works lose no face of the gallery and revive none', async (t) => {
  const home = temporaryFolder(t);
  await prepare(home);
  const random = seededRandom(t);
  const enrolled = new Set<FaceId>();
  const erased = new Set<FaceId>();
  let fromSnapshots = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    for (const line of await churnUntilKilled(home, kill, {
      // The first round leaves what the others start from.
      snapshots: kill === 1 ? 2 : 0,
      thenMs: random() * 250,
    })) {
      const [what, id] = line.split(' ');
      const face = Number(id) as FaceId;
      if (what === 'enrolled') enrolled.add(face);
      if (what === 'erased') erased.add(face);
      // Begun but perhaps not done: either end is right.
      if (what === 'erasing') enrolled.delete(face);
    }
    const { faces, restored } = await checkStart(home, kill);
    fromSnapshots += restored;
    for (const face of enrolled) assert(faces.has(face), `face ${face} is lost after kill ${kill}`);
    for (const face of erased) assert(!faces.has(face), `face ${face} lives again after kill ${kill}`);
  }
  assert(enrolled.size > 0 && fromSnapshots > 0, 'the snapshots were used');
});

async function prepare(home: string): Promise<void> {
  const storage = await openStorage(openHome(home), new TestClock());
  const company = await newCompany(storage, home);
  await storage.blacklists.create(company.id, { name: 'List', description: null }, TEST_ACT);
  await storage.close();
}

/**
 * Kills once the process has kept so many snapshots, and `thenMs` later: at no particular step of its work.
 * @returns what it said before
 */
async function churnUntilKilled(
  home: string,
  seed: number,
  { snapshots, thenMs }: { snapshots: number; thenMs: number },
): Promise<string[]> {
  const child = spawn(process.execPath, [CHURN_PROGRAM, home, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'close');
  let said = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.split('kept').length > snapshots && said.includes('ready')) resolve();
    });
  });
  await Promise.race([ready, gone]);
  await sleep(thenMs);
  assert.equal(child.exitCode, null, 'it works until it is killed');
  child.kill('SIGKILL');
  await gone;
  return said.split('\n').filter((line) => line.includes(' '));
}

/** Starts a gallery and compares it with the rows of the store. */
async function checkStart(home: string, seed: number): Promise<{ faces: Set<FaceId>; restored: number }> {
  const storage = await openStorage(openHome(home), new TestClock());
  try {
    const [company] = await storage.companies.list();
    const list = (await storage.blacklists.list(company!.id, { offset: 0, limit: 1 })).rows[0]!.id;
    const { gallery, restored } = await filledGallery(storage, company!);
    const faces = gallery.facesIn(company!.id, EVERYTHING);
    const query = queryFor(list, seed);
    assert.deepEqual(
      await gallery.search(company!.id, query),
      await scan(storage, company!, list, query.probe.vector),
    );
    await gallery.close();
    return { faces: new Set(faces), restored };
  } finally {
    await storage.close();
  }
}

async function scan(storage: Storage, company: Company, blacklistId: BlacklistId, probe: Float32Array) {
  const rows = (await Array.fromAsync(storage.faces.all(company.id, TEST_PIPELINE))).flat();
  return rows
    .map(({ faceId, template }) => ({ faceId, squared: squaredDistance(probe, template.vector) }))
    .sort((a, b) => a.squared - b.squared || a.faceId - b.faceId)
    .slice(0, 5)
    .map(({ faceId, squared }) => ({
      faceId,
      watchlist: { kind: 'blacklist', blacklistId },
      distance: Math.sqrt(squared),
    }));
}

test('an erased face removes only the snapshot of its range', async (t) => {
  const home = temporaryFolder(t);
  await prepare(home);
  await churnUntilKilled(home, 3, { snapshots: 12, thenMs: 0 });
  const storage = await openStorage(openHome(home), new TestClock());
  t.after(() => storage.close());
  const [company] = await storage.companies.list();
  const list = (await storage.blacklists.list(company!.id, { offset: 0, limit: 1 })).rows[0]!.id;
  const before = await storage.gallerySnapshots.ranges(company!.id, TEST_PIPELINE);
  assert(before.length > 1);
  const { after, upTo } = before[0]!;
  const [page] = await Array.fromAsync(storage.faces.all(company!.id, TEST_PIPELINE, { after, upTo }));
  assert(await storage.blacklists.deleteFace(company!.id, list, page![0]!.faceId, TEST_ACT));
  assert.deepEqual(await storage.gallerySnapshots.ranges(company!.id, TEST_PIPELINE), before.slice(1));
  const content = new Uint8Array(8);
  const kept = await storage.gallerySnapshots.keep(
    company!.id,
    TEST_PIPELINE,
    { after, upTo, content, leftOut: new Set() },
    page!.map(({ faceId }) => faceId),
  );
  assert.equal(kept, false, 'a snapshot that still holds the face is refused');
});
