import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { faceAlong, TEST_PIPELINE } from '../../test/support/site.ts';
import { PORTRAIT_COMPONENTS } from '../contracts/portrait.ts';
import { qualityThresholds } from '../contracts/settings.ts';
import { AnswerInvalid, visionAnswer } from './workerAnswers.ts';
import { WorkerPool } from '../vision/pool/vision.ts';
import type { VisionJob } from './workerProtocol.ts';

const DIMENSIONS = 8;
const pipeline = { name: 'test', id: TEST_PIPELINE, dimensions: DIMENSIONS };
const image = { width: 100, height: 100, format: 'jpeg' } as const;
const ENROL: VisionJob = {
  kind: 'enrol',
  image: new Uint8Array(),
  gate: undefined,
  severalFaces: 'refuse',
  samePerson: 0.5,
  pipeline,
};

const answered = (changes: object = {}) => ({
  kind: 'face',
  image,
  face: { ...faceAlong(1, DIMENSIONS), ...changes },
});
const withVector = (vector: unknown) => answered({ template: { pipelineId: TEST_PIPELINE, vector } });

test('an answer of the protocol comes through as it is', () => {
  const face = answered();
  assert.deepEqual(visionAnswer(face, ENROL), face);
  // The faces of a photo with several are what an operator corrects it by.
  const small = { x: -3, y: 4.5, width: 9, height: 9 };
  const found = { width: 100, height: 100, boxes: [small, small], unclear: [small], onePerson: true };
  const refused = { kind: 'refused', code: 'MULTIPLE_FACES', image, found };
  assert.deepEqual(visionAnswer(refused, ENROL), refused);
  const main = { ...face, found };
  assert.deepEqual(visionAnswer(main, ENROL), main);
  const faces = {
    kind: 'faces',
    image,
    picture: face.face.thumbnail,
    faces: [face.face, face.face],
    unclear: [small],
  };
  const search: VisionJob = { kind: 'search', image: new Uint8Array(), pipeline };
  assert.deepEqual(visionAnswer(faces, search), faces);
  const { box, eyes, quality } = face.face;
  const measured = {
    kind: 'measured',
    image,
    refusals: ['MULTIPLE_FACES'],
    faces: [{ box, eyes, quality, refusals: [] }],
    unclear: [small],
  };
  const gate = qualityThresholds.parse({});
  const measure: VisionJob = { kind: 'measure', image: new Uint8Array(), of: 'frame', gate, pipeline };
  assert.deepEqual(visionAnswer(measured, measure), measured);
  assert.throws(() => visionAnswer({ ...measured, refusals: ['FINE'] }, measure), AnswerInvalid);
  const portraitChecks = PORTRAIT_COMPONENTS.map((component) => ({ component, native: 0.4, value: 80 }));
  const portrait = { ...measured, faces: [{ ...measured.faces[0], portraitChecks }] };
  assert.deepEqual(visionAnswer(portrait, { ...measure, of: 'portrait' }), portrait);
});

const INVALID: Record<string, unknown> = {
  'no object': 'face',
  nothing: undefined,
  'an answer to another job': { kind: 'extracted', template: faceAlong(1).template },
  'a kind that does not exist': { kind: 'matched' },
  'a code that does not exist': { kind: 'refused', code: 'FINE' },
  'a template of another length': withVector(new Float32Array(DIMENSIONS + 1).fill(0.3333333)),
  'a template of one component': withVector(Float32Array.of(1)),
  'a template with NaN': withVector(new Float32Array(DIMENSIONS).fill(NaN)),
  'a template with Infinity': withVector(new Float32Array(DIMENSIONS).fill(Infinity)),
  'a template of length 2': withVector(new Float32Array(DIMENSIONS).map((_, i) => (i === 0 ? 2 : 0))),
  'a template of doubles': withVector(new Float64Array(DIMENSIONS)),
  'a template of another pipeline': answered({
    template: { ...faceAlong(1, DIMENSIONS).template, pipelineId: 'other' },
  }),
  'a box without an end': answered({ box: { x: 0, y: 0, width: Infinity, height: 1 } }),
  'a box of negative size': answered({ box: { x: 0, y: 0, width: -1, height: 1 } }),
  'a box beyond every image': answered({ box: { x: 1e308, y: 0, width: 1, height: 1 } }),
  'a face of several without an end': {
    ...answered(),
    found: {
      width: 100,
      height: 100,
      boxes: [{ x: 0, y: 0, width: Infinity, height: 1 }],
      unclear: [],
      onePerson: false,
    },
  },
  'a head without an end': {
    ...answered(),
    found: {
      width: 100,
      height: 100,
      boxes: [],
      unclear: [{ x: 0, y: 0, width: Infinity, height: 1 }],
      onePerson: false,
    },
  },
  'eyes that are not numbers': answered({
    eyes: [
      { x: NaN, y: 0 },
      { x: 0, y: 0 },
    ],
  }),
  'a confidence above one': answered({ confidence: 1.5 }),
  'a score above 100': answered({ quality: { ...faceAlong(1).quality, score: 101 } }),
  'a small picture that is no JPEG': answered({ thumbnail: Buffer.from('<script>alert(1)</script>') }),
  'a small picture without bytes': answered({ thumbnail: new Uint8Array() }),
  'a small picture of a megabyte': answered({
    thumbnail: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(2 ** 20)]),
  }),
  'an image without pixels': { ...answered(), image: { ...image, width: 0 } },
  'an image of another format': { ...answered(), image: { ...image, format: 'gif' } },
};

for (const [what, answer] of Object.entries(INVALID))
  test(`an answer with ${what} is not believed`, () => {
    assert.throws(() => visionAnswer(answer, ENROL), AnswerInvalid);
  });

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-answers-'));
});
after(() => rm(folder, { recursive: true }));

/** A worker under an attacker's control: the bytes of the image select its answer. */
const TAKEN_OVER = `
process.on('disconnect', () => process.exit());
process.send({ kind: 'ready' });
const honest = { kind: 'done', result: { kind: 'refused', code: 'NO_FACE' } };
const forged = { kind: 'face', image: { width: 9, height: 9, format: 'png' }, face: null };
process.on('message', ({ job }) => {
  switch (Buffer.from(job.image).toString()) {
    case 'no message of the protocol': return process.send({ kind: 'administrate', result: 1 });
    case 'forged answer, then an honest one':
      process.send({ kind: 'done', result: forged });
      return process.send(honest);
    case 'ready again': return process.send({ kind: 'ready' });
    default: return process.send(honest);
  }
});
`;

test('a worker that breaks the protocol is ended and only its image refused', async (t) => {
  const program = join(folder, 'takenOver.mjs');
  await writeFile(program, TAKEN_OVER);
  const deaths: string[] = [];
  const pool = new WorkerPool({
    modelsFolder: folder,
    packsFolder: null,
    preload: [],
    workerPath: program,
    workers: 1,
    timeLimitMs: 60_000,
    onWorkerDeath: (reason) => deaths.push(reason),
  });
  await pool.start();
  t.after(() => pool.close());
  const answerTo = async (text: string) => {
    const result = await pool.submit({ ...ENROL, image: Buffer.from(text) }, 'bulk', null);
    return result.kind === 'refused' ? result.code : result.kind;
  };
  for (const text of ['no message of the protocol', 'forged answer, then an honest one', 'ready again']) {
    assert.equal(await answerTo(text), 'ENGINE_ERROR', text);
    assert.equal(await answerTo('an honest photo'), 'NO_FACE');
  }
  assert.equal(deaths.length, 6, 'each image is tried twice');
  assert.match(deaths[0]!, /breaks the protocol/);
  assert.match(deaths[2]!, /breaks the protocol: face/);
});
