/** The uploader against a service with faults: lost answers, waits, refusals, restarts and changed files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  errorAnswer,
  findErrorAnswer,
  retryAfterSeconds,
  type FindAnswer,
  type ProgressAnswer,
  type SendAnswer,
} from './answers.ts';
import type { Batch, Photo, Wait } from './ports.ts';
import { batchLength, MAX_OPEN_UPLOADS, ServiceSilent, Uploader, type UploaderPorts } from './uploader.ts';

/** More of them find rarer orders of faults: set the variable for a long search. A failure prints its seed. */
const RUNS = Number(process.env.VOUCH_UPLOADER_RUNS ?? 300);

/** A photo of the folder; `content` changes when the file is replaced. */
interface TestPhoto extends Photo {
  id: number;
  content: number;
}
/** Photos of an upload, as the service has them. */
type Outcome = readonly string[];

class Crash extends Error {}

/** The folder, the service, the journal and the clock of one run. It survives a crash of the uploader. */
class World {
  now = 0;
  /** Draws the next fault, 0 to 99; 99 when there are no more. */
  fault: () => number = () => 99;
  /** Images that the service takes in one upload. */
  most = Infinity;
  /** Photos that the service refuses. */
  unacceptable = new Set<number>();
  /** Contents of the files, by photo; no entry: the file is gone. */
  readonly files = new Map<number, number>();
  /** Photos of the uploads that the service accepted, by key. */
  readonly uploads = new Map<string, string[]>();
  /** Polls until an upload is finished. */
  readonly polls = new Map<string, number>();
  /** The journal: batches that are not closed. */
  readonly batches = new Map<string, Batch<TestPhoto>>();
  /** Results by photo, as the journal has them. */
  readonly results = new Map<number, string[]>();
  readonly waits: (Wait | null)[] = [];
  readonly blocked: string[] = [];
  /** Times of all requests that carried photos. */
  readonly sends: number[] = [];
  maxOpen = 0;
  #keys = 0;

  constructor(photos: number) {
    for (let id = 0; id < photos; id += 1) this.files.set(id, id * 1000);
  }

  get photos(): TestPhoto[] {
    return [...this.files.keys()].map((id) => ({ id, bytes: 10, content: -1 }));
  }

  /** Photos without a result that are in no open batch, as the terminal plans them. */
  get unplanned(): TestPhoto[] {
    const open = new Set([...this.batches.values()].flatMap(({ photos }) => photos.map(({ id }) => id)));
    return this.photos.filter(({ id }) => !this.results.has(id) && !open.has(id));
  }

  start(
    options: { batchSize?: number; batchBytes?: number; silenceTimeoutMs?: number } = {},
  ): Uploader<TestPhoto, Outcome> {
    const uploader = new Uploader(this.ports(), { batchSize: 3, pollIntervalMs: 500, ...options });
    uploader.resumeBatches([...this.batches.values()]);
    uploader.setWaiting(this.unplanned);
    return uploader;
  }

  ports(): UploaderPorts<TestPhoto, Outcome> {
    return {
      clock: {
        now: () => this.now,
        sleep: (ms) => {
          this.now += ms;
          return Promise.resolve();
        },
      },
      service: {
        send: (photos, key) => Promise.resolve(this.#send(photos, key)),
        find: (key) => Promise.resolve(this.#find(key)),
        progress: (uploadId) => Promise.resolve(this.#progress(uploadId)),
      },
      source: {
        read: (photos) =>
          Promise.resolve(
            photos.flatMap((photo) => {
              const content = this.files.get(photo.id);
              return content === undefined ? [] : [{ ...photo, content }];
            }),
          ),
        isUnchanged: (photos) =>
          Promise.resolve(photos.every(({ id, content }) => this.files.get(id) === content)),
      },
      record: {
        keyOf: () => `key ${(this.#keys += 1)}`,
        sending: (batch) => {
          this.batches.set(batch.key, batch);
          this.#crashAt(98);
        },
        sent: (batch, uploadId) => {
          this.#crashAt(97);
          this.batches.set(batch.key, { ...batch, uploadId });
          const open = [...this.batches.values()].filter((each) => each.uploadId !== undefined);
          this.maxOpen = Math.max(this.maxOpen, open.length);
        },
        progressed: () => undefined,
        finished: (batch, outcome) => {
          this.#crashAt(96);
          for (const [place, photo] of batch.photos.entries()) this.#result(photo, outcome[place] ?? '');
          this.batches.delete(batch.key);
        },
        closed: (batch, reasons) => {
          for (const [place, reason] of reasons) {
            const photo = batch.photos[place];
            assert.ok(photo);
            this.#result(photo, reason);
          }
          this.batches.delete(batch.key);
        },
        unreadable: (photos) => {
          for (const photo of photos) this.#result(photo, 'gone');
        },
      },
      observer: {
        waiting: (wait) => this.waits.push(wait),
        blocked: ({ message }) => this.blocked.push(message),
      },
    };
  }

  #result({ id }: TestPhoto, result: string): void {
    this.results.set(id, [...(this.results.get(id) ?? []), result]);
  }

  #crashAt(value: number): void {
    if (this.fault() === value) throw new Crash();
  }

  #send(photos: readonly TestPhoto[], key: string): SendAnswer {
    this.sends.push(this.now);
    const fault = this.fault();
    if (fault < 10) return { kind: 'unreachable', cause: 'connection refused' };
    if (fault < 16) return errorAnswer({ status: 503, message: 'full', retryAfter: '7' });
    if (fault < 20) return errorAnswer({ status: 429, message: 'too fast', retryAfter: '1' });
    const sent = photos.map(({ id, content }) => `${id}:${content}`);
    const before = this.uploads.get(key);
    if (before === undefined) {
      if (photos.length > this.most)
        return errorAnswer({ status: 422, message: 'Validation error', fields: { images: ['Too many.'] } });
      const refused = photos.flatMap(({ id }, place) =>
        this.unacceptable.has(id) ? [[`images.${place}`, ['Too large.']] as const] : [],
      );
      if (refused.length > 0)
        return errorAnswer({ status: 422, message: 'Validation error', fields: Object.fromEntries(refused) });
      this.uploads.set(key, sent);
      this.polls.set(key, fault % 3);
    } else assert.deepEqual(sent, before, 'a key names one batch');
    if (fault < 30) return { kind: 'unreachable', cause: 'the answer was lost' };
    if (fault < 34) return errorAnswer({ status: 409, message: 'still being received', retryAfter: '2' });
    if (fault < 38) throw new Crash();
    return { kind: 'accepted', uploadId: key };
  }

  #find(key: string): FindAnswer {
    const fault = this.fault();
    if (fault < 10) return { kind: 'unreachable', cause: 'connection refused' };
    if (fault < 14) return findErrorAnswer({ status: 409, message: 'still being received', retryAfter: '2' });
    if (fault < 18) throw new Crash();
    if (this.uploads.has(key)) return { kind: 'accepted', uploadId: key };
    return findErrorAnswer({ status: 404, message: 'unknown' });
  }

  #progress(uploadId: string): ProgressAnswer<Outcome> {
    const fault = this.fault();
    if (fault < 8) return { kind: 'unreachable', cause: 'connection refused' };
    if (fault < 12) return { kind: 'later', status: 429, message: 'too fast', seconds: 3 };
    const left = this.polls.get(uploadId) ?? 0;
    this.polls.set(uploadId, left - 1);
    return {
      kind: 'progress',
      finished: left <= 0,
      outcome: (this.uploads.get(uploadId) ?? []).map((photo) => `enrolled ${photo}`),
    };
  }
}

/** Runs to the end, starting again after every crash. */
async function runToTheEnd(world: World, options: { batchSize?: number } = {}): Promise<void> {
  for (;;) {
    try {
      await world.start(options).finish();
      return;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
}

test('with any faults, every photo is enrolled once and has one result', async () => {
  const scenario = fc.record({
    photos: fc.nat(14),
    batchSize: fc.integer({ min: 1, max: 5 }),
    most: fc.integer({ min: 1, max: 5 }),
    unacceptable: fc.array(fc.nat(14), { maxLength: 3 }),
    faults: fc.array(fc.nat(99), { maxLength: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ photos, batchSize, most, unacceptable, faults }) => {
      const world = new World(photos);
      const left = [...faults];
      world.fault = () => left.shift() ?? 99;
      world.most = most;
      world.unacceptable = new Set(unacceptable);
      await runToTheEnd(world, { batchSize });
      const enrolled = [...world.uploads.values()].flat();
      assert.equal(new Set(enrolled).size, enrolled.length, 'no photo is in two uploads');
      for (const { id } of world.photos)
        assert.deepEqual(world.results.get(id), [
          world.unacceptable.has(id) ? 'Too large.' : `enrolled ${id}:${id * 1000}`,
        ]);
      assert.equal(world.batches.size, 0, 'the journal is closed');
      assert.ok(world.maxOpen <= MAX_OPEN_UPLOADS, `${world.maxOpen} uploads were open`);
    }),
    { numRuns: RUNS },
  );
});

test('with any faults and changed files, every version of a photo is enrolled once', async () => {
  const scenario = fc.record({
    photos: fc.integer({ min: 1, max: 9 }),
    batchSize: fc.integer({ min: 1, max: 5 }),
    faults: fc.array(fc.nat(99), { maxLength: 60 }),
    changes: fc.array(fc.tuple(fc.nat(40), fc.nat(8)), { maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ photos, batchSize, faults, changes }) => {
      const world = new World(photos);
      const left = [...faults];
      let asked = 0;
      world.fault = () => {
        asked += 1;
        for (const [moment, photo] of changes)
          if (moment === asked && photo < photos) world.files.set(photo, photo * 1000 + asked);
        return left.shift() ?? 99;
      };
      await runToTheEnd(world, { batchSize });
      const enrolled = [...world.uploads.values()].flat();
      assert.equal(new Set(enrolled).size, enrolled.length, 'no version of a photo is in two uploads');
      for (const { id } of world.photos) assert.equal(world.results.get(id)?.length, 1);
    }),
    { numRuns: RUNS },
  );
});

test('an upload whose answer was lost is found although one of its files changed', async () => {
  const world = new World(3);
  const faults = [99, 25];
  world.fault = () => faults.shift() ?? 99;
  const uploader = world.start();
  await uploader.round();
  world.files.set(1, 1001);
  world.now = 10_000;
  await uploader.finish();
  assert.deepEqual([...world.uploads], [['key 1', ['0:0', '1:1000', '2:2000']]]);
  assert.deepEqual(world.results.get(1), ['enrolled 1:1000']);
  assert.equal(world.sends.length, 1, 'the photos are not sent a second time');
});

test('Retry-After passes before a batch is sent again, while open uploads are polled', async () => {
  const world = new World(6);
  // Recorded, accepted with two polls to come, recorded; the second batch recorded, and the queue full.
  const faults = [99, 41, 99, 99, 10];
  world.fault = () => faults.shift() ?? 99;
  const uploader = world.start();
  await uploader.round();
  assert.deepEqual(world.sends, [0, 0]);
  assert.deepEqual(world.waits.at(-1), null, 'the poll was answered');
  assert.deepEqual(
    world.waits.filter((wait) => wait !== null),
    [{ kind: 'later', status: 503, message: 'full', seconds: 7 }],
  );
  world.now = 6_999;
  await uploader.round();
  assert.equal(world.sends.length, 2, 'nothing is sent before the time');
  world.now = 7_000;
  await uploader.round();
  assert.deepEqual(world.sends, [0, 0, 7_000]);
});

test('a file that changed while its batch waited is sent as it is now, in a new batch', async () => {
  const world = new World(2);
  const faults = [99, 10];
  world.fault = () => faults.shift() ?? 99;
  const uploader = world.start();
  await uploader.round();
  world.files.set(1, 1001);
  world.now = 10_000;
  await uploader.finish();
  assert.deepEqual([...world.uploads], [['key 2', ['0:0', '1:1001']]]);
});

test('a file that is gone before its turn is reported, and the others are sent', async () => {
  const world = new World(3);
  const uploader = world.start({ batchSize: 1 });
  world.files.delete(1);
  await uploader.finish();
  assert.deepEqual(world.results.get(1), ['gone']);
  assert.equal(world.uploads.size, 2);
});

test('a paused run sends nothing and follows open uploads; resumed, it goes on at once', async () => {
  const world = new World(4);
  const uploader = world.start({ batchSize: 2 });
  const faults = [99, 40];
  world.fault = () => faults.shift() ?? 10;
  await uploader.round();
  uploader.pause();
  world.fault = () => 99;
  for (let round = 0; round < 5; round += 1) {
    world.now += 1_000;
    await uploader.round();
  }
  assert.equal(world.uploads.size, 1);
  assert.equal(world.results.size, 2, 'the open upload was followed to its end');
  world.now = 0;
  uploader.resume();
  await uploader.finish();
  assert.equal(world.results.size, 4);
});

test('a refusal that names no photo pauses the run and keeps the batch', async () => {
  const world = new World(2);
  const uploader = new Uploader(
    {
      ...world.ports(),
      service: {
        ...world.ports().service,
        send: () => Promise.resolve(errorAnswer({ status: 507, message: 'The disk is full.' })),
      },
    },
    { batchSize: 2, pollIntervalMs: 500 },
  );
  uploader.setWaiting(world.photos);
  await uploader.round();
  await uploader.round();
  assert.deepEqual(world.blocked, ['The disk is full.']);
  assert.deepEqual(uploader.pending, { batches: 1, photos: 0 });
});

test('a service that takes no photo at all is reported instead of being asked for ever', async () => {
  const world = new World(5);
  world.most = 0;
  const uploader = world.start();
  await uploader.round();
  assert.deepEqual(world.blocked, ['Validation error']);
});

test('a service that stays silent ends the run; the journal keeps the batch', async () => {
  const world = new World(2);
  world.fault = () => 0;
  await assert.rejects(world.start({ silenceTimeoutMs: 20_000 }).finish(), ServiceSilent);
  assert.ok(world.now >= 20_000 && world.now < 25_000, `it gave up after ${world.now} ms`);
  assert.equal(world.batches.size, 1);
  assert.deepEqual(world.waits[0], { kind: 'silent', cause: 'connection refused' });
});

test('a stopped run sends nothing more and records no later answer', async () => {
  const world = new World(4);
  const { service, ...ports } = world.ports();
  const uploader = new Uploader<TestPhoto, Outcome>(
    {
      ...ports,
      service: {
        ...service,
        send: async (photos, key) => {
          uploader.stop();
          return service.send(photos, key);
        },
      },
    },
    { batchSize: 2, pollIntervalMs: 500 },
  );
  uploader.setWaiting(world.photos);
  await uploader.finish();
  assert.equal(world.sends.length, 1);
  assert.equal([...world.batches.values()][0]?.uploadId, undefined);
});

test('a batch ends at its count, its bytes and its source, and has at least one photo', () => {
  const photos = [5, 5, 5, 5].map((bytes, id) => ({ id, bytes }));
  assert.equal(batchLength(photos, 3), 3);
  assert.equal(batchLength(photos, 9, 12), 2);
  assert.equal(batchLength(photos, 9, 1), 1);
  const mixed = photos.map((photo) => ({ ...photo, source: photo.id < 2 ? 'a' : 'b' }));
  assert.equal(batchLength(mixed, 9), 2);
  assert.equal(batchLength([], 9), 0);
});

test('an answer is classified by its status, its fields and Retry-After', () => {
  const message = 'why';
  assert.deepEqual(errorAnswer({ status: 409, message }), {
    kind: 'later',
    status: 409,
    message,
    seconds: 5,
  });
  assert.equal(errorAnswer({ status: 404, message }).kind, 'blocked');
  assert.equal(errorAnswer({ status: 422, message, fields: { name: ['x'] } }).kind, 'blocked');
  assert.equal(errorAnswer({ status: 422, message, fields: { images: ['x'] } }).kind, 'tooMany');
  assert.deepEqual(errorAnswer({ status: 422, message, fields: { 'images.2': ['a', 'b'], images: ['x'] } }), {
    kind: 'refused',
    reasons: new Map([[2, 'a b']]),
  });
  for (const [header, seconds] of [
    ['30', 30],
    ['0', 1],
    ['99999', 3600],
    ['soon', 5],
    [null, 5],
  ] as const)
    assert.equal(retryAfterSeconds(header), seconds);
});
