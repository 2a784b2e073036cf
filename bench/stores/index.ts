/** The same work on SQLite and on PostgreSQL: photos, verifications, decisions, commits and the queue. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, startService, type ServiceProcess } from '../../test/support/serviceProcess.ts';
import { startThrowawayServer } from '../../test/support/throwawayServer.ts';
import { lfwPhotos } from '../data.ts';
import { publish, table } from '../report.ts';
import { measureQueue } from './queue.ts';
import { median } from '../statistics.ts';

const ROUNDS = 5;
/** Photos of each round; a tenth of their number are verified, a hundredth decided. */
const PHOTOS = Number(process.argv[2] ?? 5_000) / ROUNDS;
const VERIFICATIONS = Math.round(PHOTOS / 5);
const DECISIONS = Math.round(PHOTOS / 50);
/** Callers of verifications at the same time. */
const CALLERS = 4;
const CLIENTS = [1, 4, 8];
/** Milliseconds of each measurement of commits. */
const COMMITS_MS = 2_000;
const COMPANY = 'Bench';
const STORES = ['SQLite', 'PostgreSQL'] as const;
type Store = (typeof STORES)[number];

interface Site {
  home: string;
  service: ServiceProcess;
  token: string;
  flow: number;
  /** The face with the highest number that a decision has used. */
  decided: number;
}

const photos = lfwPhotos(Number.MAX_SAFE_INTEGER);
const work = mkdtempSync(join(tmpdir(), 'vouch-stores-'));
// As a site has it: COMMIT waits for the disk, as that of SQLite does.
const server = await startThrowawayServer([]);
const opened: Site[] = [];
/** Seconds or numbers per second of each round, by what was measured. */
const measured: Record<Store, Map<string, number[]>> = { SQLite: new Map(), PostgreSQL: new Map() };

try {
  const sites: Record<Store, Site> = {
    SQLite: await openSite('SQLite', []),
    PostgreSQL: await openSite('PostgreSQL', ['--database', `${server.address}bench`]),
  };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const store of inTurn(round)) {
      const site = sites[store];
      note(store, 'photos', await seconds(() => enrol(site, round)));
      note(store, 'verifications', await seconds(() => verify(site, round)));
      note(store, 'decisions', await seconds(() => decide(site)));
      for (const clients of CLIENTS) note(store, `commits ${clients}`, await commits(site, clients));
    }
  for (const clients of CLIENTS)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const store of inTurn(round)) {
        const database = store === 'SQLite' ? undefined : `${server.address}queue_${clients}_${round}`;
        note(store, `queue ${clients}`, await measureQueue(work, clients, database));
      }
  publish(report());
} finally {
  for (const { service } of opened) await service.stop();
  server.stop();
  rmSync(work, { recursive: true, force: true });
}

/** Each store goes first in every other round, so that a busy moment of the machine meets both. */
function inTurn(round: number): readonly Store[] {
  return round % 2 === 0 ? STORES : STORES.toReversed();
}

function note(store: Store, name: string, value: number): void {
  const values = measured[store].get(name) ?? [];
  measured[store].set(name, [...values, value]);
}

async function seconds(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return (performance.now() - start) / 1_000;
}

async function openSite(store: Store, options: readonly string[]): Promise<Site> {
  const home = join(work, store);
  const service = await startService(home, 0, 2, {}, options);
  await answerOf(home, ['company', 'create', COMPANY]);
  const scopes = ['enroll', 'verify', 'persons:write'];
  const token = await answerOf<{ token: string }>(home, [
    ...['api-token', 'create', '--company', COMPANY, '--name', 'bench'],
    ...['--scope', ...scopes],
  ]);
  const flow = await answerOf<{ id: number }>(home, ['flow', 'create', 'Gate', '--company', COMPANY]);
  await answerOf(home, ['settings', 'set', 'requestsPerMinute=1000000']);
  const site = { home, service, token: token.token, flow: flow.id, decided: 0 };
  opened.push(site);
  return site;
}

async function answerOf<T>(home: string, command: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await run(home, ['--json', ...command]);
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`);
  return JSON.parse(stdout) as T;
}

async function enrol({ home, service, token }: Site, round: number): Promise<void> {
  const folder = join(work, `round ${round}`);
  mkdirSync(folder);
  for (let index = 0; index < PHOTOS; index += 1)
    copyFileSync(photos[(round * PHOTOS + index) % photos.length]!.path, join(folder, `${index}.jpg`));
  await run(home, ['enroll', folder, '--address', service.address], { VOUCH_TOKEN: token });
  rmSync(folder, { recursive: true });
}

async function verify(site: Site, round: number): Promise<void> {
  let next = 0;
  const caller = async () => {
    for (let index = next++; index < VERIFICATIONS; index = next++) {
      const { path } = photos[(round * VERIFICATIONS + index) % photos.length]!;
      const image = `data:image/jpeg;base64,${readFileSync(path).toString('base64')}`;
      const id = await createVerification(site);
      await post(site, '/api/v3/verifications/biometrics-verification', {
        image,
        trust_flow_id: site.flow,
        trust_validation_id: id,
      });
      await post(site, '/api/v1/verification/finalize-verification', {
        template_id: site.flow,
        verification_id: id,
      });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

async function createVerification(site: Site): Promise<string> {
  const { verification } = await post<{ verification: { id: string } }>(
    site,
    '/api/v1/verification/create-verification',
    { template_id: site.flow },
  );
  return verification.id;
}

/** Each says that two enrolled faces are of one person. */
async function decide(site: Site): Promise<void> {
  for (let index = 0; index < DECISIONS; index += 1) {
    site.decided += 2;
    await post(site, '/api/v3/persons', {
      name: `Person ${site.decided}`,
      faces: [site.decided - 1, site.decided],
    });
  }
}

/** @returns created verifications per second: one short transaction each */
async function commits(site: Site, clients: number): Promise<number> {
  const end = performance.now() + COMMITS_MS;
  let count = 0;
  const client = async () => {
    for (; performance.now() < end; count += 1) await createVerification(site);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return count / (COMMITS_MS / 1_000);
}

async function post<T>({ service, token }: Site, path: string, body: object): Promise<T> {
  const answer = await fetch(service.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // A photo without a usable face costs the same work.
  if (!answer.ok && answer.status !== 422)
    throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

function report() {
  const row = (label: string, name: string, toRate: (value: number) => number) => {
    const rates = STORES.map((store) => (measured[store].get(name) ?? []).map(toRate));
    const ratios = (rates[1] ?? []).map((rate, round) => rate / (rates[0]?.[round] ?? Number.NaN));
    return [label, ...rates.map((each) => median(each).toFixed(1)), median(ratios).toFixed(2)];
  };
  const per = (count: number) => (value: number) => count / value;
  const same = (value: number) => value;
  return {
    name: 'stores',
    title: 'The same work on SQLite and on PostgreSQL',
    args: process.argv.slice(2),
    body: `${ROUNDS} rounds in turn on both stores, each with ${PHOTOS} photos of LFW by \`vouch enroll\` (two workers), ${VERIFICATIONS} verifications (create, selfie, finalise; ${CALLERS} callers) and ${DECISIONS} decisions (two faces are one person; one caller). COMMIT waits for the disk on both; the server runs on the same machine with its default settings. "Commits": verifications created by so many callers at once, one short transaction each. "Queue": photos leased and answered without recognition, by so many loops in one process, 8 at a time. Numbers per second, medians; the ratio is PostgreSQL / SQLite, the median of the rounds.

${table(
  ['per second', ...STORES, 'ratio'],
  [
    row('photos enrolled', 'photos', per(PHOTOS)),
    row('verifications', 'verifications', per(VERIFICATIONS)),
    row('decisions', 'decisions', per(DECISIONS)),
    ...CLIENTS.map((clients) => row(`commits, ${clients} at once`, `commits ${clients}`, same)),
    ...CLIENTS.map((clients) => row(`queue, ${clients} at once`, `queue ${clients}`, same)),
  ],
)}`,
  };
}
