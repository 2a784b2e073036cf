/** How long an upload of 50 photos takes while both workers enrol, against a server that only writes the same files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { run, startService, tokenFor } from '../../test/support/serviceProcess.ts';
import { lfwPhotos } from '../data.ts';
import { publish, table, type BenchReport } from '../report.ts';

const ROUNDS = Number(process.argv[2] ?? 100);
const PHOTOS = 50;
/** Photos that wait before the clock starts, so that the workers have work throughout. */
const AHEAD = 200;
const COMPANY = 'Bench';

const work = mkdtempSync(join(tmpdir(), 'vouch-intake-'));
const photos = lfwPhotos(2000).map(({ path, name }) => ({ name, content: readFileSync(path) }));
const home = join(work, 'home');
const service = await startService(home, 0, 2, { VOUCH_PIPELINE: 'full' });
await run(home, ['company', 'create', COMPANY]);
const token = await tokenFor(home, COMPANY, 'enroll');
const folder = join(work, 'peer');
mkdirSync(folder);
const peer = spawn(process.execPath, [join(import.meta.dirname, 'peer.ts'), folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [port] = (await once(createInterface({ input: peer.stdout }), 'line')) as [string];
  const ours = (round: number) => send(`${service.address}/api/v3/duplicate-detection/faces`, round);
  const theirs = (round: number) => send(`http://127.0.0.1:${port}/`, round);
  for (let round = 0; round < AHEAD / PHOTOS; round += 1) await ours(round);
  await theirs(0);
  const rounds: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    if (round % 2 === 0) rounds.push([await ours(round), await theirs(round)]);
    else {
      const first = await theirs(round);
      rounds.push([await ours(round), first]);
    }
  publish(report(rounds));
} finally {
  peer.kill();
  await service.stop();
  rmSync(work, { recursive: true, force: true });
}

/** Sends one form of photos. @returns milliseconds until the answer */
async function send(address: string, round: number): Promise<number> {
  const form = new FormData();
  for (let index = 0; index < PHOTOS; index += 1) {
    const { name, content } = photos[(round * PHOTOS + index) % photos.length]!;
    form.append(`images[${index}]`, new File([content], name.replaceAll('/', '-'), { type: 'image/jpeg' }));
  }
  // The form is built before the clock starts.
  const request = new Request(address, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}` },
  });
  const body = await request.arrayBuffer();
  const type = request.headers.get('content-type') ?? '';
  const start = performance.now();
  const answer = await fetch(address, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
  });
  await answer.arrayBuffer();
  const took = performance.now() - start;
  if (answer.status !== 202) throw new Error(`${address} answered ${answer.status}.`);
  return took;
}

function report(rounds: readonly [number, number][]): BenchReport {
  const at = (values: readonly number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
  const [ours, theirs] = [rounds.map(([one]) => one), rounds.map(([, other]) => other)];
  const row = (name: string, share: number) => [
    name,
    at(ours, share).toFixed(0),
    at(theirs, share).toFixed(0),
    (at(ours, share) / at(theirs, share)).toFixed(2),
  ];
  return {
    name: 'intake',
    title: 'Uploads while photos are enrolled',
    args: process.argv.slice(2),
    peers: ['@fastify/busboy'],
    body: `${ROUNDS} uploads of ${PHOTOS} photos of LFW each, in turn to the service and to the peer, while the service's two workers enrol what was sent. Milliseconds until 202. The service checks, encrypts and hashes the photos, and stores them and their rows durably. The peer parses the same form and writes the same files with fsync, many at a time; it runs on the same cores, beside the workers.

${table(
  ['', 'Vouch, ms', 'server that only writes, ms', 'ratio'],
  [row('median', 0.5), row('90 %', 0.9), row('99 %', 0.99)],
)}`,
  };
}
