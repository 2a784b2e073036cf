/**
 * Three services enrol, decide, move, erase and search faces on one PostgreSQL database at the same time. Every answer of a
 * search equals a plain scan of a state that the database had committed at some moment between the call and the answer, and no
 * later search answers by an earlier state. `VOUCH_SEQUENCES` sets how many sequences run.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import { flowSettings } from '../../core/contracts/flows.ts';
import type { BlacklistId, FaceId, ImageId, TrustValidationId, UploadId } from '../../core/contracts/ids.ts';
import type { Company } from '../../core/domain/ports/companies.ts';
import type { Candidate, GalleryQuery, Watchlist } from '../../core/domain/ports/gallery.ts';
import type { WrittenImage } from '../../core/domain/ports/images.ts';
import { UnavailableError } from '../../core/domain/ports/machine.ts';
import { enrolItem } from '../support/answerItem.ts';
import { TEST_ACT } from '../support/act.ts';
import { CommittedStates, scan } from '../support/committedStates.ts';
import { randomOf, SEED } from '../support/seed.ts';
import { openServices, type ServiceNode } from '../support/severalServices.ts';
import { faceAlong, newCompany, TEST_PIPELINE } from '../support/site.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';

const SEQUENCES = Number(process.env.VOUCH_SEQUENCES ?? 10);
/** Operations of a sequence, by as many workers at the same time. */
const OPERATIONS = 36;
const WORKERS = 6;
const { Verified, Rejected, ReviewNeeded } = TRUST_VALIDATION_STATUS;
const DUPLICATES: Watchlist = { kind: 'duplicate' };
/** Few, so that equal distances and several photos of one person occur. */
const SEEDS = 12;

/** A unit vector of four components. */
function vectorOf(seed: number): Float32Array {
  const random = randomOf(seed, 1);
  const raw = Array.from({ length: 4 }, () => random() - 0.5);
  const length = Math.hypot(...raw);
  return Float32Array.from(raw, (component) => component / length);
}

/** What a search was asked and answered, and the changes that were committed before its call and after its answer. */
interface Observed {
  query: GalleryQuery;
  answer: Candidate[];
  called: number;
  answered: number;
  from: number;
  to: number;
}

interface Sequence {
  nodes: readonly ServiceNode[];
  truth: CommittedStates;
  company: Company;
  lists: readonly [BlacklistId, BlacklistId];
  flow: {
    trustFlowId: Awaited<ReturnType<ServiceNode['storage']['flows']['create']>>['id'];
    versionId: number;
  };
  random: () => number;
  /** Faces and validations that an operation has made. */
  listed: FaceId[];
  validations: TrustValidationId[];
  observed: Observed[];
  unavailable: number;
}

type Operation = (sequence: Sequence, node: ServiceNode) => Promise<void>;

function pick<T>({ random }: Sequence, values: readonly T[]): T | undefined {
  return values[Math.floor(random() * values.length)];
}

/** An image without a file, which no operation reads. */
function image(): WrittenImage {
  const sha256 = randomBytes(32).toString('hex');
  return { id: randomUUID() as ImageId, key: randomBytes(32), bytes: 1, sha256, format: 'jpeg' };
}

function newFace(seed: number) {
  return { ...faceAlong(0), template: { pipelineId: TEST_PIPELINE, vector: vectorOf(seed) } };
}

const facts = { width: 100, height: 100, format: 'jpeg' } as const;

const enrol: Operation = async (sequence, { storage }) => {
  const { company, flow, random, validations } = sequence;
  const seed = Math.floor(random() * SEEDS);
  const id = await storage.validations.create(company.id, { ...flow, metadata: null }, TEST_ACT);
  const kept = await storage.validations.setSelfie(
    company.id,
    id,
    { image: image(), facts, face: newFace(seed), name: String(seed), matchable: random() < 0.7 },
    TEST_ACT,
  );
  if (kept === undefined) return;
  const status = pick(sequence, [Verified, Verified, Rejected]) ?? Verified;
  const outcome = { status, matches: [], facts: null, selfies: [kept.faceId] };
  await storage.validations.finalise(company.id, id, outcome, TEST_ACT);
  validations.push(id);
};

const decide: Operation = async (sequence, { storage }) => {
  const { company, validations } = sequence;
  const id = pick(sequence, validations);
  if (id === undefined) return;
  const { status: seen } = (await storage.validations.state(company.id, id, TEST_PIPELINE))!;
  const status = pick(sequence, [Verified, Rejected, ReviewNeeded]) ?? Verified;
  await storage.validations.decide(company.id, id, { seen, status, action: 'verified', note: '' }, TEST_ACT);
};

const enrolListed: Operation = async (sequence, { storage }) => {
  const { company, lists, random, listed } = sequence;
  await storage.uploads.accept(company.id, {
    id: randomUUID() as UploadId,
    target: { kind: 'blacklist', blacklistId: pick(sequence, lists)! },
    accepted: TEST_ACT,
    images: [{ fileName: `${Math.floor(random() * SEEDS)}.jpg`, image: image() }],
  });
  for (const item of await storage.queue.lease(4)) {
    const seed = Number(item.fileName.replace('.jpg', ''));
    const enrolled = await enrolItem(storage.queue, item, { image: facts, face: newFace(seed) }, TEST_ACT.at);
    if (enrolled !== undefined) listed.push(enrolled.faceId);
  }
};

const move: Operation = async (sequence, { storage }) => {
  const { company, lists, listed, random } = sequence;
  const faces = listed.filter(() => random() < 0.3);
  const [from, to] = random() < 0.5 ? lists : lists.toReversed();
  await storage.faceListings.move(company.id, { from, to }, faces, TEST_ACT);
};

const erase: Operation = async (sequence, { storage }) => {
  const { company, lists, listed } = sequence;
  const face = pick(sequence, listed);
  if (face !== undefined)
    await storage.blacklists.deleteFace(company.id, pick(sequence, lists)!, face, TEST_ACT);
};

const search: Operation = async (sequence, { gallery }) => {
  const { company, lists, random, truth, observed } = sequence;
  const [one, other] = lists.map((blacklistId): Watchlist => ({ kind: 'blacklist', blacklistId }));
  const query: GalleryQuery = {
    probe: { pipelineId: TEST_PIPELINE, vector: vectorOf(Math.floor(random() * SEEDS)) },
    watchlists: pick(sequence, [[DUPLICATES], [one!], [DUPLICATES, one!, other!], [one!, other!]])!,
    limit: 1 + Math.floor(random() * 8),
    maxDistance: random() * 2,
  };
  const from = await truth.newest(company.id);
  const called = performance.now();
  const answer = await gallery.search(company.id, query);
  const answered = performance.now();
  observed.push({ query, answer, called, answered, from, to: await truth.newest(company.id) });
};

const OPERATIONS_BY_SHARE: readonly (readonly [Operation, number])[] = [
  [search, 10],
  [enrol, 3],
  [decide, 4],
  [enrolListed, 3],
  [move, 2],
  [erase, 2],
];
const LINE = OPERATIONS_BY_SHARE.flatMap(([operation, share]) => new Array<Operation>(share).fill(operation));

async function begin(
  nodes: readonly ServiceNode[],
  truth: CommittedStates,
  number: number,
): Promise<Sequence> {
  const [{ storage }] = nodes as [ServiceNode];
  const company = await newCompany(storage, '', `Company ${number}`);
  const lists: BlacklistId[] = [];
  for (const name of ['one', 'other']) {
    const made = await storage.blacklists.create(company.id, { name, description: null }, name, TEST_ACT);
    assert.ok(made.kind === 'done');
    lists.push(made.blacklist.id);
  }
  const version = { settings: flowSettings.parse({}), blacklistNames: {} };
  const made = await storage.flows.create(company.id, { name: 'Flow', version }, TEST_ACT);
  return {
    nodes,
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

/** @param disturb is called at random moments */
async function run(sequence: Sequence, disturb?: () => Promise<unknown>): Promise<void> {
  let left = OPERATIONS;
  const work = async () => {
    while (left-- > 0) {
      if (disturb !== undefined && sequence.random() < 0.03) await disturb();
      const operation = pick(sequence, LINE)!;
      try {
        await operation(sequence, pick(sequence, sequence.nodes)!);
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
        at >= earliest && seq >= from && seq <= to && isEqual(scan(faces, query, vectorOf), answer),
    );
    if (found < 0)
      assert.fail(
        `VOUCH_SEED=${SEED}, sequence ${number}: no state from ${from} to ${to} gives ${JSON.stringify(answer)} to ${JSON.stringify(query)}; ` +
          states
            .filter(({ seq }) => seq >= from && seq <= to)
            .map(({ seq, faces }) => `${seq}: ${JSON.stringify(scan(faces, query, vectorOf))}`)
            .join('; '),
      );
    given.push({ answered, state: found });
  }
}

function isEqual(one: readonly Candidate[], other: readonly Candidate[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function runAll(
  t: TestContext,
  disturb?: (truth: CommittedStates, random: () => number) => Promise<unknown>,
) {
  const { nodes, address } = await openServices(t, 3);
  const truth = await CommittedStates.open(address);
  t.after(() => truth.close());
  let [searches, unavailable, concurrent] = [0, 0, 0];
  for (let number = 0; number < SEQUENCES; number++) {
    const sequence = await begin(nodes, truth, number);
    await run(sequence, disturb && (() => disturb(truth, sequence.random)));
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

test('searches on three services follow one order of all commits', { skip: WITHOUT_SERVER }, async (t) => {
  await runAll(t);
});

test('the order holds while connections of the services are killed', { skip: WITHOUT_SERVER }, async (t) => {
  await runAll(t, (truth, random) => truth.kill(random() < 0.2 ? 'all' : 'one'));
});
