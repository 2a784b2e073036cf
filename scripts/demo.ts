/**
 * `npm run demo [-- FOLDER] [-- --once]`: a throwaway site on which the main job is done on real photos through the
 * public interface, from upload to search. Keeps serving at the end, except with --once.
 */
import { localApi } from '../core/contracts/local.ts';
import { blacklistApi } from '../core/contracts/dashboard/blacklists.ts';
import { firstOfEach } from '../core/contracts/dashboard/searchView.ts';
import { duplicateApi } from '../core/contracts/dashboard/duplicates.ts';
import { operatorApi } from '../core/contracts/dashboard/operators.ts';
import { personApi } from '../core/contracts/dashboard/persons.ts';
import { flowApi } from '../core/contracts/flows.ts';
import type { PhotoPerson } from '../core/contracts/uploads.ts';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { alteredCopy, makeDemoPhotos, photoOfMan } from './demo/photos.ts';
import { createToken } from '../core/domain/credentials/secrets.ts';
import { createRecoveryCode } from '../core/domain/identity/secrets.ts';
import { CRYPTO } from '../core/platform/platform.ts';

const COMPANY = 'Demo';
const OPERATOR = 'visitor';
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
    const own = chosen === undefined;
    const photos = own ? await ownPhotos(join(folder, 'photos')) : await theirPhotos(chosen);
    const answers = await enrol(service, token, photos, join(folder, 'journal.jsonl'));
    showAnswers(answers);
    await showPersons(api);
    const sample = await sampleOf(photos.folder, answers, own);
    if (sample !== undefined) {
      await searchOne(api, sample);
      await screenOne(service, token, api, sample);
    }
    if (!values.once) await keepServing(service, token, await createOperator(api));
  } finally {
    await service.close();
  }
}

interface Photos {
  folder: string;
  files: PlannedFile[];
  persons?: ReadonlyMap<string, PhotoPerson>;
}

async function ownPhotos(folder: string): Promise<Photos> {
  console.log('Cutting portraits from the demo pictures of face-api and human, and making bad files …');
  const { names, persons } = await makeDemoPhotos(folder);
  const files = await Promise.all(
    names.map(async (path) => {
      const { size, mtimeMs } = await stat(join(folder, path));
      return { path, bytes: size, modified: mtimeMs };
    }),
  );
  return { folder, files, persons };
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
    names: await PhotoNames.of(dirname(journalFile)),
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

/** Prints the persons with their photos, and the groups that a search for duplicates finds. */
async function showPersons(api: LocalApi): Promise<void> {
  const { items } = await api.ask(personApi.list, { query: {} });
  if (items.length > 0) {
    console.log('\nPersons who were named when they were enrolled:');
    printTable(items.map(({ id, name, faces }) => ({ person: id, name, photos: faces })));
  }
  console.log('\nSearching all enrolled faces for people who are enrolled twice …');
  const { id } = await api.ask(duplicateApi.startRun, { body: {} });
  for (;;) {
    const { current } = await api.ask(duplicateApi.runs, { query: {} });
    if (current?.id !== id) break;
    await sleep(50);
  }
  const groups = await api.ask(duplicateApi.groups, { query: {} });
  printTable(
    groups.items.map(({ faces, reading }) => ({
      'possibly one person': faces.map(({ name }) => name).join(', '),
      'least similarity': reading.score.toFixed(2),
    })),
  );
}

/** A person to search for and to blacklist. */
interface Sample {
  /** Names the photo that is searched for. */
  what: string;
  probe: Uint8Array;
  listed: { name: string; photo: Uint8Array };
}

/** A fifth, a sixth photo of the man who is enrolled; of a folder of the caller's an altered copy, for want of another photo. */
async function sampleOf(
  folder: string,
  answers: readonly Answer[],
  own: boolean,
): Promise<Sample | undefined> {
  if (own) {
    const [probe, photo] = await Promise.all([photoOfMan(10), photoOfMan(5)]);
    return {
      what: 'another photo of the man with three photos',
      probe,
      listed: { name: 'one man.jpg', photo },
    };
  }
  const enrolled = answers.find(({ status }) => status === 'enrolled');
  if (enrolled === undefined) return undefined;
  const photo = await readFile(join(folder, enrolled.path));
  const what = `an altered copy of "${enrolled.path}" itself (cut tighter, darker, JPEG quality 40, turned by 8°)`;
  return { what, probe: await alteredCopy(photo), listed: { name: enrolled.path, photo } };
}

async function searchOne(api: LocalApi, { what, probe }: Sample): Promise<void> {
  console.log(`\nSearching with ${what}.`);
  const { refused, faces } = await api.ask(localApi.search, { query: { limit: 5 }, body: probe });
  if (refused !== null) console.log(`The photo was refused: ${refused}`);
  const persons = firstOfEach(faces[0]?.candidates ?? [], ({ faceId, person }) => ({
    faceId,
    personId: person.id,
    list: null,
  }));
  printTable(
    persons.map((candidate, index) => ({
      rank: index + 1,
      'person, nearest photo': candidate.name,
      similarity: candidate.similarityScore.toFixed(2),
      band: candidate.band,
      'photos that agree': agreeing(candidate.person),
      'trust validation': candidate.trustValidationId,
    })),
  );
  console.log(
    'Similarity 70 is one false match in 10,000 comparisons of different people; whether it is the same person, an operator decides.',
  );
}

/** The person is put on a blacklist by one photo and verified by another one. */
async function screenOne(service: Service, token: string, api: LocalApi, sample: Sample): Promise<void> {
  const { what, probe, listed } = sample;
  const list = await api.ask(blacklistApi.create, { body: { name: 'Banned visitors' } });
  const settings = { blacklistDetection: { enabled: true, blacklistIds: [list.id] } };
  const flow = await api.ask(flowApi.create, { body: { name: 'Visitors', settings } });
  const client = new ScreeningClient({ address: service.address, token });
  console.log(`\nPutting "${listed.name}" on the blacklist "${list.name}", then verifying ${what} …`);
  await client.blacklist(list.id, listed.name, listed.photo);
  const detail = await client.verify(flow.id, probe);
  console.log(`The verification ended as: ${detail.statusLabel}`);
  printTable(
    detail.blacklistMatches.map((entry) => ({
      blacklist: entry.blacklistName,
      name: entry.fullName,
      similarity: entry.similarityScore.toFixed(2),
      band: entry.band,
    })),
  );
  const earlier = firstOfEach(detail.duplicates, ({ trustValidationId, person }) => ({
    faceId: trustValidationId,
    personId: person.id,
    list: null,
  }));
  for (const { trustValidationId, similarityScore, person } of earlier)
    console.log(
      `Enrolled before: similarity ${similarityScore}, photos that agree: ${agreeing(person)}, the nearest in Trust Validation ${trustValidationId}`,
    );
}

/** How many photos of a person reach the threshold by themselves, of all that the list has. */
function agreeing(person: { photos: number; agreeing: number }): string {
  return `${person.agreeing} of ${person.photos}`;
}

/** Without an operator, the dashboard would set up another company, which cannot see the people of this one. @returns the passphrase */
async function createOperator(api: LocalApi): Promise<string> {
  const { key: passphrase } = createRecoveryCode(CRYPTO);
  await api.ask(operatorApi.create, { body: { name: OPERATOR, role: 'admin', passphrase } });
  return passphrase;
}

async function keepServing(service: Service, token: string, passphrase: string): Promise<void> {
  console.log(`\nThe service keeps running. Its dashboard shows these people: ${service.address}`);
  console.log(`Username: ${OPERATOR}. Passphrase: ${passphrase}`);
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
