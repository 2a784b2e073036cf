/**
 * `npm run demo [-- FOLDER] [-- --once]`: a throwaway site on which the main job is done on real photos through the
 * public interface, from upload to search. Keeps serving at the end, except with --once.
 */
import { localApi } from '../core/contracts/local.ts';
import { blacklistApi } from '../core/contracts/dashboard/blacklists.ts';
import { flowApi } from '../core/contracts/flows.ts';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EnrolmentClient } from '../core/cli/enroll/client.ts';
import { SCOPES } from '../core/contracts/codes.ts';
import { planFolder, type PlannedFile } from '../core/cli/enroll/plan.ts';
import { ProgressBar } from '../core/cli/enroll/report.ts';
import { enrolFolder, type Answer } from '../core/cli/enroll/run.ts';
import { PhotoNames } from '../core/cli/terminal/journalFile.ts';
import { LocalApi } from '../core/cli/client/localClient.ts';
import { printTable } from '../core/cli/terminal/output.ts';
import { ScreeningClient } from '../core/cli/commands/screeningClient.ts';
import { openService, type Service } from '../core/service/index.ts';
import { buildPages } from './buildPages.ts';
import { alteredCopy, makeDemoPhotos } from './demo/photos.ts';
import { createToken } from '../core/domain/credentials/secrets.ts';
import { CRYPTO } from '../core/platform/platform.ts';

const COMPANY = 'Demo';
/** Bytes: the service's default limit for one image. */
const MAX_BYTES = 10 * 1024 * 1024;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { once: { type: 'boolean', default: false }, port: { type: 'string', default: '0' } },
});

await buildPages();
const site = await mkdtemp(join(tmpdir(), 'vouch-demo-'));
try {
  await demonstrate(site);
} finally {
  await rm(site, { recursive: true, force: true });
}

async function demonstrate(folder: string): Promise<void> {
  console.log('Starting a throwaway site …');
  const home = join(folder, 'home');
  const service = await openService({
    home,
    port: Number(values.port),
    workers: availableParallelism(),
    logLevel: 'warn',
  });
  try {
    const api = new LocalApi(service.send);
    await api.ask(localApi.createCompany, { body: { name: COMPANY } });
    const { token, hex } = createToken(CRYPTO);
    const credential = { kind: 'token', hash: hex, name: 'demo', scopes: SCOPES };
    await api.ask(localApi.storeCredential, { body: credential });
    const [chosen] = positionals;
    const photos = chosen === undefined ? await ownPhotos(join(folder, 'photos')) : await theirPhotos(chosen);
    const answers = await enrol(service, token, photos, join(folder, 'journal.jsonl'));
    showAnswers(answers);
    await searchOne(service, photos.folder, answers);
    await screenOne(service, token, photos.folder, answers);
    if (!values.once) await keepServing(service, token);
  } finally {
    await service.close();
  }
}

interface Photos {
  folder: string;
  files: PlannedFile[];
}

async function ownPhotos(folder: string): Promise<Photos> {
  console.log("Cutting portraits from the group photos of face-api's demo folder, and making bad files …");
  const names = await makeDemoPhotos(folder);
  const files = await Promise.all(
    names.map(async (path) => {
      const { size, mtimeMs } = await stat(join(folder, path));
      return { path, bytes: size, modified: mtimeMs };
    }),
  );
  return { folder, files };
}

async function theirPhotos(folder: string): Promise<Photos> {
  const { files, skipped } = await planFolder(folder, MAX_BYTES);
  for (const { path, reason } of skipped) console.log(`not sent: ${path}: ${reason}`);
  return { folder: resolve(folder), files };
}

async function enrol(
  service: Service,
  token: string,
  photos: Photos,
  journalFile: string,
): Promise<Answer[]> {
  console.log(`Enrolling ${photos.files.length} photos through POST /api/v3/duplicate-detection/faces …`);
  const bar = new ProgressBar(process.stdout);
  const { answers } = await enrolFolder({
    ...photos,
    batchSize: 50,
    client: new EnrolmentClient(
      { address: service.address, token },
      { path: photos.folder, photos: photos.files.length },
    ),
    journalFile,
    names: PhotoNames.of(dirname(journalFile)),
    onProgress: (state) => {
      bar.update(state);
    },
    onWait: (why) => {
      bar.note(why);
    },
  });
  bar.end();
  return answers;
}

function showAnswers(answers: readonly Answer[]): void {
  const rows = answers.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  console.log('\nWhat became of each photo:');
  printTable(
    rows.map(({ path, status, trustValidationId, failureCode, reason }) => ({
      photo: path,
      result: status,
      'trust validation': trustValidationId,
      code: failureCode,
      reason,
    })),
  );
}

/** One enrolled person is searched by an altered copy of their own portrait, and that is what the screen says. */
async function searchOne(service: Service, folder: string, answers: readonly Answer[]): Promise<void> {
  const enrolled = answers.find(({ status }) => status === 'enrolled');
  if (enrolled === undefined) return;
  console.log(
    `\nSearching for "${enrolled.path}" by an altered copy of that same photo (cut tighter, darker, JPEG quality 40, turned by 8°).`,
  );
  const image = await alteredCopy(await readFile(join(folder, enrolled.path)));
  const api = new LocalApi(service.send);
  const asked = { query: { limit: 5 }, body: image };
  const { refused, faces } = await api.ask(localApi.search, asked);
  if (refused !== null) console.log(`The altered copy was refused: ${refused}`);
  printTable(
    (faces[0]?.candidates ?? []).map((candidate, index) => ({
      rank: index + 1,
      name: candidate.name,
      similarity: candidate.similarityScore.toFixed(2),
      band: candidate.band,
      distance: candidate.distance.toFixed(3),
      'trust validation': candidate.trustValidationId,
    })),
  );
  console.log(
    'Similarity 70 is one false match in 10,000 comparisons of different people; whether it is the same person, a person decides.',
  );
}

/** The same person, blacklisted by the portrait, is verified by the altered copy of it. */
async function screenOne(
  service: Service,
  token: string,
  folder: string,
  answers: readonly Answer[],
): Promise<void> {
  const enrolled = answers.find(({ status }) => status === 'enrolled');
  if (enrolled === undefined) return;
  const api = new LocalApi(service.send);
  const list = await api.ask(blacklistApi.create, { body: { name: 'Banned visitors' } });
  const settings = { blacklistDetection: { enabled: true, blacklistIds: [list.id] } };
  const flow = await api.ask(flowApi.create, { body: { name: 'Visitors', settings } });
  const client = new ScreeningClient({ address: service.address, token });
  const portrait = await readFile(join(folder, enrolled.path));
  console.log(
    `\nPutting "${enrolled.path}" on the blacklist "${list.name}", then verifying the altered copy …`,
  );
  await client.blacklist(list.id, enrolled.path, portrait);
  const detail = await client.verify(flow.id, await alteredCopy(portrait));
  console.log(`The verification ended as: ${detail.statusLabel}`);
  printTable(
    detail.blacklistMatches.map((entry) => ({
      blacklist: entry.blacklistName,
      name: entry.fullName,
      similarity: entry.similarityScore.toFixed(2),
      band: entry.band,
    })),
  );
  for (const { trustValidationId, similarityScore } of detail.duplicates)
    console.log(`Also enrolled before: Trust Validation ${trustValidationId}, similarity ${similarityScore}`);
}

async function keepServing(service: Service, token: string): Promise<void> {
  console.log(`\nThe service keeps running at ${service.address}`);
  console.log(`Token of this throwaway site: ${token}`);
  console.log(`Its interface, to read and try: ${service.address}/docs`);
  console.log('Ctrl C ends it and removes everything.');
  await new Promise<void>((end) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        end();
      });
  });
}
