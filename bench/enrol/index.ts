/** Mass enrolment through the whole service against a plain face-api script: CPU and time per image, memory. */
import { fork } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, startService } from '../../test/support/serviceProcess.ts';
import { lfwPhotos } from '../data.ts';
import { publish, table } from '../report.ts';
import type { PeerAnswer } from './peer.ts';
import { cpuOf, memoryOf } from './processes.ts';

const ROUNDS = 5;
/** Per round; the peer takes the first part of the same photos. */
const OURS = 200;
const THEIRS = 40;
/** Until this many images memory is watched. */
const MEMORY_IMAGES = 5000;
const COMPANY = 'Bench';
const MIB = 2 ** 20;

const work = mkdtempSync(join(tmpdir(), 'vouch-enrol-'));
const photos = lfwPhotos(Number.MAX_SAFE_INTEGER);
const service = await startService(join(work, 'home'));
const peer = fork(join(import.meta.dirname, 'peer.ts'));
try {
  await once(peer, 'message');
  await command('company', 'create', COMPANY);
  const token = (
    JSON.parse(
      await command('--json', 'token', 'create', '--company', COMPANY, '--name', 'b', '--scope', 'enroll'),
    ) as { token: string }
  ).token;
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const set = photos.slice(round * OURS, (round + 1) * OURS);
    const theirs = await askPeer(set.slice(0, THEIRS).map((photo) => photo.path));
    rounds.push({ ours: await enrol(token, `round ${round}`, set), theirs });
  }
  const memory = await watchMemory(token);
  publish(report(rounds, memory));
} finally {
  peer.kill();
  await service.stop();
  rmSync(work, { recursive: true, force: true });
}

interface Ours {
  cpuMs: number;
  wallMs: number;
  images: number;
  missed: string[];
}

/** One `vouch enroll` of a folder; CPU is that of the service and its workers, the client's is not counted. */
async function enrol(
  token: string,
  name: string,
  set: readonly { path: string; name: string }[],
): Promise<Ours> {
  const folder = join(work, name);
  mkdirSync(folder);
  for (const [index, photo] of set.entries()) copyFileSync(photo.path, join(folder, `${index}.jpg`));
  const csv = join(work, `${name}.csv`);
  const cpu = cpuOf(service.pid);
  const start = performance.now();
  await run(join(work, 'home'), ['enroll', folder, '--address', service.address, '--csv', csv], {
    VOUCH_TOKEN: token,
  });
  const cost = { cpuMs: cpuOf(service.pid) - cpu, wallMs: performance.now() - start };
  const missed = readFileSync(csv, 'utf8')
    .split('\r\n')
    .filter((line) => line.includes(',NO_FACE,'));
  rmSync(folder, { recursive: true });
  return { ...cost, images: set.length, missed };
}

async function askPeer(files: string[]): Promise<PeerAnswer> {
  peer.send(files);
  const [answer] = (await once(peer, 'message')) as [PeerAnswer];
  return answer;
}

/** Enrols on until MEMORY_IMAGES; @returns resident MiB of the core and of all, by images enrolled */
async function watchMemory(token: string): Promise<(number | string)[][]> {
  const rows: (number | string)[][] = [];
  for (let done = ROUNDS * OURS; done < MEMORY_IMAGES; done += 500) {
    const set = Array.from({ length: 500 }, (_, index) => photos[(done + index) % photos.length]!);
    await enrol(token, `memory ${done}`, set);
    const { own, all } = memoryOf(service.pid);
    rows.push([done + 500, Math.round(own / MIB), Math.round(all / MIB)]);
  }
  return rows;
}

function report(rounds: readonly { ours: Ours; theirs: PeerAnswer }[], memory: (number | string)[][]) {
  const perImage = rounds.map(({ ours, theirs }) => ({
    ours: ours.cpuMs / ours.images,
    theirs: theirs.cpuMs / THEIRS,
    oursWall: ours.wallMs / ours.images,
    theirsWall: theirs.wallMs / THEIRS,
  }));
  const median = (pick: (row: (typeof perImage)[number]) => number) =>
    perImage.map(pick).sort((a, b) => a - b)[Math.floor(perImage.length / 2)]!;
  const missed = (pick: (round: (typeof rounds)[number]) => number) =>
    rounds.reduce((sum, round) => sum + pick(round), 0);
  return {
    name: 'enrol',
    title: 'Mass enrolment through the API',
    peers: ['@vladmandic/face-api', '@tensorflow/tfjs-backend-wasm', 'sharp'],
    body: `Photos of LFW (250×250). Ours: the whole service (upload, encryption, queue, detection, quality, template, landing), two workers, CPU of core and workers together. The peer: face-api (SSD ≥ 0.5, 68 landmarks, 128-D) on tfjs-wasm with sharp, one process, models loaded before the clock starts. ${ROUNDS} rounds in turn, ${OURS} and ${THEIRS} photos each; medians.

${table(
  ['', 'Vouch', 'face-api script', 'ratio (peer ÷ ours)'],
  [
    [
      'CPU ms per image',
      median((row) => row.ours).toFixed(1),
      median((row) => row.theirs).toFixed(1),
      median((row) => row.theirs / row.ours).toFixed(1),
    ],
    [
      'wall ms per image',
      median((row) => row.oursWall).toFixed(1),
      median((row) => row.theirsWall).toFixed(1),
      median((row) => row.theirsWall / row.oursWall).toFixed(1),
    ],
    [
      'photos without a face found',
      `${missed(({ ours }) => ours.missed.length)} of ${ROUNDS * OURS}`,
      `${missed(({ theirs }) => theirs.missed.length)} of ${ROUNDS * THEIRS}`,
      '',
    ],
  ],
)}

Resident memory while enrolling on (MiB):

${table(['images enrolled', 'core', 'core and workers'], memory)}`,
  };
}

async function command(...args: string[]): Promise<string> {
  return (await run(join(work, 'home'), args)).stdout;
}
