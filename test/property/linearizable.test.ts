/**
 * Three services enrol, decide, move, erase and search faces on one PostgreSQL database at the same time. Every answer of a
 * search equals a plain scan of a state that the database had committed at some moment between the call and the answer, and no
 * later search answers by an earlier state. `VOUCH_SEQUENCES` sets how many sequences run.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import type { BlacklistId, FaceId, TrustValidationId } from '../../core/contracts/ids.ts';
import type { Candidate, GalleryQuery, Watchlist } from '../../core/domain/ports/gallery.ts';
import { UnavailableError } from '../../core/domain/ports/machine.ts';
import type { Storage } from '../../core/storage/index.ts';
import { TEST_ACT } from '../support/act.ts';
import { CommittedStates, scan } from '../support/committedStates.ts';
import {
  perform,
  seededTemplate,
  type FaceOperation,
  type OperationResult,
} from '../support/faceOperations.ts';
import { KillableService } from '../support/killableService.ts';
import { randomOf, SEED } from '../support/seed.ts';
import { openServices } from '../support/severalServices.ts';
import { newCompany, TEST_PIPELINE } from '../support/site.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

const SEQUENCES = Number(process.env.VOUCH_SEQUENCES ?? 10);
const SERVICES = 3;
/** Operations of a sequence, by as many workers at the same time. */
const OPERATIONS = 36;
const WORKERS = 6;
const { Verified, Rejected, ReviewNeeded } = TRUST_VALIDATION_STATUS;
const DUPLICATES: Watchlist = { kind: 'duplicate' };
/** Few, so that equal distances and several photos of one person occur. */
const SEEDS = 12;

/** A search with its answer, and the changes that were committed before its call and after its answer. */
interface Observed {
  query: GalleryQuery;
  answer: Candidate[];
  called: number;
  answered: number;
  from: number;
  to: number;
}

/** Has one of the services do something. */
type Service = (operation: FaceOperation) => Promise<OperationResult>;

interface Sequence {
  truth: CommittedStates;
  company: Company;
  lists: readonly [BlacklistId, BlacklistId];
  flow: Extract<FaceOperation, { kind: 'enrol' }>['flow'];
  random: () => number;
  /** Faces and validations that an operation has made. */
  listed: FaceId[];
  validations: TrustValidationId[];
  observed: Observed[];
  unavailable: number;
}

async function begin(storage: Storage, truth: CommittedStates, number: number): Promise<Sequence> {
  const company = await newCompany(storage, '', `Company ${number}`);
  const lists: BlacklistId[] = [];
  for (const name of ['one', 'other']) {
    const made = await storage.blacklists.create(company.id, { name, description: null }, TEST_ACT);
    lists.push(made.id);
  }
  const { id } = await storage.flows.create(company.id, 'Flow', {}, 'local-admin');
  const made = (await storage.flows.find(company.id, id))!;
  return {
    truth,
    company,
    lists: [lists[0]!, lists[1]!],
    flow: { trustFlowId: made.id, versionId: made.version!.id },
    random: randomOf(SEED, number),
    listed: [],
    validations: [],
    observed: [],
    unavailable: 0,
  };
}

function pick<T>({ random }: Sequence, values: readonly T[]): T | undefined {
  return values[Math.floor(random() * values.length)];
}

/** An operation at random; undefined where it needs what no operation has made yet. */
function draw(sequence: Sequence): FaceOperation | undefined {
  const { lists, flow, random, listed, validations } = sequence;
  const base = { company: sequence.company.id };
  const seed = Math.floor(random() * SEEDS);
  const status = pick(sequence, [Verified, Verified, Rejected, ReviewNeeded])!;
  const share = random();
  if (share < 0.4) return { ...base, kind: 'search', seed, restrictions: restrictions(sequence) };
  if (share < 0.55) return { ...base, kind: 'enrol', flow, seed, matchable: random() < 0.7, status };
  if (share < 0.7) return { ...base, kind: 'list', list: pick(sequence, lists)!, seed };
  if (share < 0.8) {
    const [from, to] = random() < 0.5 ? lists : ([lists[1], lists[0]] as const);
    return { ...base, kind: 'move', from, to, faces: listed.filter(() => random() < 0.3) };
  }
  if (share < 0.88) {
    const face = pick(sequence, listed);
    return face && { ...base, kind: 'erase', list: pick(sequence, lists)!, face };
  }
  const validation = pick(sequence, validations);
  return validation && { ...base, kind: 'decide', validation, status };
}

function restrictions(sequence: Sequence) {
  const { lists, random } = sequence;
  const [one, other] = lists.map((blacklistId): Watchlist => ({ kind: 'blacklist', blacklistId }));
  return {
    watchlists: pick(sequence, [[DUPLICATES], [one!], [DUPLICATES, one!, other!], [one!, other!]])!,
    limit: 1 + Math.floor(random() * 8),
    maxDistance: random() * 2,
  };
}

async function act(sequence: Sequence, service: Service, operation: FaceOperation): Promise<void> {
  const { truth, observed, listed, validations } = sequence;
  if (operation.kind !== 'search') {
    const { faces = [], validation } = await service(operation);
    listed.push(...faces);
    if (validation !== undefined) validations.push(validation);
    return;
  }
  const from = await truth.newest(operation.company);
  const called = performance.now();
  const { candidates: answer } = await service(operation);
  const answered = performance.now();
  const to = await truth.newest(operation.company);
  const probe = { pipelineId: TEST_PIPELINE, vector: seededTemplate(operation.seed) };
  assert.ok(answer);
  observed.push({ query: { ...operation.restrictions, probe }, answer, called, answered, from, to });
}

/** @param disturb is called at random moments; with it, operations may be unavailable */
async function run(
  sequence: Sequence,
  services: readonly Service[],
  disturb?: (sequence: Sequence) => Promise<unknown>,
): Promise<void> {
  let left = OPERATIONS;
  const work = async () => {
    while (left-- > 0) {
      if (disturb !== undefined && sequence.random() < 0.03) await disturb(sequence);
      const operation = draw(sequence);
      try {
        if (operation !== undefined) await act(sequence, pick(sequence, services)!, operation);
      } catch (error) {
        if (disturb === undefined || !(error instanceof UnavailableError)) throw error;
        sequence.unavailable++;
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
}

/** Gives each answer the earliest state that it can be of; states never go back from one search to a later one. */
async function check({ truth, company, observed }: Sequence, number: number): Promise<void> {
  const states = await truth.states(company.id);
  const given: { answered: number; state: number }[] = [];
  for (const { query, answer, called, answered, from, to } of observed.toSorted(
    (a, b) => a.called - b.called,
  )) {
    const earliest = Math.max(0, ...given.filter((one) => one.answered < called).map(({ state }) => state));
    const found = states.findIndex(
      ({ seq, faces }, at) =>
        at >= earliest && seq >= from && seq <= to && isEqual(scan(faces, query, seededTemplate), answer),
    );
    if (found < 0)
      assert.fail(
        `VOUCH_SEED=${SEED}, sequence ${number}: no state from ${from} to ${to} gives ${JSON.stringify(answer)} to ${JSON.stringify(query)}; ` +
          states
            .filter(({ seq }) => seq >= from && seq <= to)
            .map(({ seq, faces }) => `${seq}: ${JSON.stringify(scan(faces, query, seededTemplate))}`)
            .join('; '),
      );
    given.push({ answered, state: found });
  }
}

function isEqual(one: readonly Candidate[], other: readonly Candidate[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Runs all sequences and reports how many there were. */
async function runAll(
  t: TestContext,
  { storage, truth, services }: { storage: Storage; truth: CommittedStates; services: readonly Service[] },
  disturb?: (sequence: Sequence) => Promise<unknown>,
): Promise<void> {
  let [searches, unavailable, concurrent] = [0, 0, 0];
  for (let number = 0; number < SEQUENCES; number++) {
    const sequence = await begin(storage, truth, number);
    await run(sequence, services, disturb);
    await check(sequence, number);
    searches += sequence.observed.length;
    unavailable += sequence.unavailable;
    concurrent += sequence.observed.filter(({ from, to }) => from < to).length;
  }
  t.diagnostic(
    `VOUCH_SEED=${SEED}: ${SEQUENCES} sequences, ${searches} searches, ${concurrent} of them during a commit, ${unavailable} operations unavailable`,
  );
  assert.ok(searches > 0);
}

async function open(t: TestContext, count: number) {
  const { nodes, address, folder } = await openServices(t, count);
  const truth = await CommittedStates.open(address);
  t.after(() => truth.close());
  const services = nodes.map(
    (node): Service =>
      (operation) =>
        perform(node, operation),
  );
  return { storage: nodes[0]!.storage, services, truth, folder };
}

test('searches on three services follow one order of all commits', { skip: WITHOUT_SERVER }, async (t) => {
  await runAll(t, await open(t, SERVICES));
});

test('the order holds while connections of the services are killed', { skip: WITHOUT_SERVER }, async (t) => {
  const { truth, ...site } = await open(t, SERVICES);
  let killed = 0;
  await runAll(t, { ...site, truth }, async ({ random }) => {
    killed += await truth.kill(random() < 0.2 ? 'all' : 'one');
  });
  t.diagnostic(`${killed} connections were killed`);
});

test('the order holds while processes of the services are killed', { skip: WITHOUT_SERVER }, async (t) => {
  const site = await open(t, 1);
  const processes: KillableService[] = [];
  for (let service = 0; service < SERVICES; service++)
    processes.push(await KillableService.open(t, site.folder));
  const services = processes.map(
    (service): Service =>
      (operation) =>
        service.perform(operation),
  );
  let killed = 0;
  let restarting: Promise<void> | undefined;
  await runAll(t, { ...site, services }, async (sequence) => {
    if (restarting !== undefined || sequence.random() < 0.5) return;
    killed++;
    // The other workers go on meanwhile, with this service too.
    restarting = pick(sequence, processes)!.restart();
    await restarting;
    restarting = undefined;
  });
  t.diagnostic(`${killed} processes were killed`);
});
