/** Bulk enrolment through the whole service against a plain face-api script: CPU and time per image, memory. */
import { fork } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, startService, tokenFor, type ServiceProcess } from '../../test/support/serviceProcess.ts';
import { lfwPhotos } from '../data.ts';
import { publish, table, type BenchReport } from '../report.ts';
import type { PeerAnswer } from './peer.ts';
import { cpuOf, memoryOf } from './processes.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
/** Per round; the peer takes the first part of the same photos. */
const OURS = 200;
const THEIRS = 40;
/** Until this many images memory is watched. */
const MEMORY_IMAGES = Number(process.argv[3] ?? 5000);
const COMPANY = 'Bench';
const MIB = 2 ** 20;

const PIPELINES = ['light', 'full'] as const;

interface Site {
  home: string;
  service: ServiceProcess;
  token: string;
}

const work = mkdtempSync(join(tmpdir(), 'vouch-enrol-'));
const photos = lfwPhotos(Number.MAX_SAFE_INTEGER);
const sites = {
  light: await openSite('light'),
  full: await openSite('full'),
};
const peer = fork(join(import.meta.dirname, 'peer.ts'));
try {
  await once(peer, 'message');
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const set = photos.slice(round * OURS, (round + 1) * OURS);
    const theirs = await askPeer(set.slice(0, THEIRS).map((photo) => photo.path));
    const light = await enrol(sites.light, `round ${round}`, set);
    rounds.push({ light, full: await enrol(sites.full, `round ${round}`, set), theirs });
  }
  const memory = await watchMemory(sites.full);
  publish(report(rounds, memory));
} finally {
  peer.kill();
  for (const pipeline of PIPELINES) await sites[pipeline].service.stop();
  rmSync(work, { recursive: true, force: true });
}

async function openSite(pipeline: (typeof PIPELINES)[number]): Promise<Site> {
  const home = join(work, pipeline);
  const service = await startService(home, 0, 2, { VOUCH_PIPELINE: pipeline });
  await run(home, ['company', 'create', COMPANY]);
  return { home, service, token: await tokenFor(home, COMPANY, 'enroll') };
}

interface Ours {
  cpuMs: number;
  wallMs: number;
  images: number;
  missed: string[];
}

interface Round {
  light: Ours;
  full: Ours;
  theirs: PeerAnswer;
}

/** One `vouch enroll` of a folder; CPU is that of the service and its workers, the client's is not counted. */
async function enrol(
  { home, service, token }: Site,
  name: string,
  set: readonly { path: string; name: string }[],
): Promise<Ours> {
  const folder = join(work, name);
  mkdirSync(folder);
  for (const [index, photo] of set.entries()) copyFileSync(photo.path, join(folder, `${index}.jpg`));
  const csv = join(work, `${name}.csv`);
  const cpu = cpuOf(service.pid);
  const start = performance.now();
  await run(home, ['enroll', folder, '--address', service.address, '--output', csv], { VOUCH_TOKEN: token });
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

/** Enrols on until MEMORY_IMAGES; @returns resident MiB of the service and of all, by images enrolled */
async function watchMemory(site: Site): Promise<(number | string)[][]> {
  const rows: (number | string)[][] = [];
  for (let done = ROUNDS * OURS; done < MEMORY_IMAGES; done += 500) {
    const set = Array.from({ length: 500 }, (_, index) => photos[(done + index) % photos.length]!);
    await enrol(site, `memory ${done}`, set);
    const { own, all } = memoryOf(site.service.pid);
    rows.push([done + 500, Math.round(own / MIB), Math.round(all / MIB)]);
  }
  return rows;
}

function report(rounds: readonly Round[], memory: (number | string)[][]): BenchReport {
  const median = (pick: (round: Round) => number) =>
    rounds.map(pick).sort((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  const missed = (pick: (round: Round) => number) => rounds.reduce((sum, round) => sum + pick(round), 0);
  const row = (name: string, cost: 'cpuMs' | 'wallMs', digits: number) => {
    const ours = (pipeline: 'light' | 'full') => (round: Round) =>
      round[pipeline][cost] / round[pipeline].images;
    const theirs = (round: Round) => round.theirs[cost] / THEIRS;
    const ratio = (pipeline: 'light' | 'full') => median((round) => theirs(round) / ours(pipeline)(round));
    return [
      name,
      `${median(ours('light')).toFixed(digits)} (${ratio('light').toFixed(1)}×)`,
      `${median(ours('full')).toFixed(digits)} (${ratio('full').toFixed(1)}×)`,
      median(theirs).toFixed(digits),
    ];
  };
  return {
    name: 'enrol',
    title: 'Bulk enrolment through the API',
    args: process.argv.slice(2),
    peers: ['@vladmandic/face-api', '@tensorflow/tfjs-backend-wasm', 'sharp', 'onnxruntime-node'],
    body: `Photos of LFW (250×250). Ours: the whole service (upload, encryption, queue, detection, quality, template, storage), two workers, CPU of the service and its workers together; the light pipeline (one recognition net) and the full one (two, the default). The peer: face-api (SSD ≥ 0.5, 68 landmarks, 128-D) on tfjs-wasm with sharp, one process, models loaded before the clock starts. ${ROUNDS} rounds in turn, ${OURS} photos each, the peer the first ${THEIRS} of them; medians; in brackets how many times less than the peer in the same round.

${table(
  ['', 'Vouch, light', 'Vouch, full', 'face-api script'],
  [
    row('CPU ms per image', 'cpuMs', 1),
    row('wall ms per image', 'wallMs', 1),
    [
      'photos without a face found',
      `${missed(({ light }) => light.missed.length)} of ${ROUNDS * OURS}`,
      `${missed(({ full }) => full.missed.length)} of ${ROUNDS * OURS}`,
      `${missed(({ theirs }) => theirs.missed.length)} of ${ROUNDS * THEIRS}`,
    ],
  ],
)}

Resident memory of the full pipeline's service while enrolling on (MiB):

${table(['images enrolled', 'service', 'service and workers'], memory)}`,
  };
}
