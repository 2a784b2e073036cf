import { randomBytes, randomUUID } from 'node:crypto';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import type { Home } from '../../core/storage/index.ts';
import { openRaw } from '../../core/storage/database.ts';
import { keyIn } from '../../core/storage/home.ts';
import { TEST_PIPELINE } from '../../test/support/site.ts';

/** Floats of a template, as the full pipeline's. */
const DIMENSION = 1152;
const CHIP_BYTES = 3_500;
const GEOMETRY = JSON.stringify({
  box: { x: 180, y: 200, width: 240, height: 290 },
  eyes: [
    { x: 250, y: 310 },
    { x: 350, y: 310 },
  ],
  confidence: 0.99,
});

/** The store's key of a home that was opened before. */
export function keyOf(home: Home): Uint8Array {
  const key = keyIn(home.keyFile);
  if (key === undefined) throw new Error('The home has no key yet.');
  return key;
}

/** Enrolled persons straight into the store, each with a template and a small picture like nobody else's. @returns their validations */
export function fill(home: Home, ids: { company: number; flow: number }, persons: number): number[] {
  const database = openRaw(home.database, keyOf(home));
  const image = database.prepare(
    `insert into image (id, company_id, key, bytes, sha256, format, width, height, created_at)
     values (?, ?, ?, 180000, ?, 'jpeg', 600, 760, ?)`,
  );
  const validation = database.prepare(
    `insert into trust_validation
       (company_id, trust_flow_id, status, name, created_at, finalized_at, duplicate_detected, blacklist_detected)
     values (?, ?, ?, ?, ?, ?, 0, 0)`,
  );
  const face = database.prepare(
    `insert into face
       (company_id, kind, blacklist_id, trust_validation_id, name, image_id, geometry, quality_score, quality_measures, enrolled_at)
     values (?, 'duplicate', null, ?, ?, ?, ?, 70, '{}', ?)`,
  );
  const chip = database.prepare('insert into face_chip (face_id, company_id, jpeg) values (?, ?, ?)');
  const template = database.prepare(
    'insert into template (face_id, company_id, pipeline_id, vector) values (?, ?, ?, ?)',
  );
  const made: number[] = [];
  database.exec('begin');
  for (let n = 0; n < persons; n++) {
    const [id, at, name] = [randomUUID(), 1_760_000_000_000 + n, `person number ${n} of all`];
    image.run([id, ids.company, randomBytes(32), randomBytes(32).toString('hex'), at]);
    const verified = TRUST_VALIDATION_STATUS.Verified;
    const { lastInsertRowid: whose } = validation.run([ids.company, ids.flow, verified, name, at, at]);
    const { lastInsertRowid } = face.run([ids.company, whose, name, id, GEOMETRY, at]);
    chip.run([lastInsertRowid, ids.company, randomBytes(CHIP_BYTES)]);
    template.run([lastInsertRowid, ids.company, TEST_PIPELINE, randomTemplate()]);
    made.push(Number(whose));
  }
  database.exec('commit');
  database.close();
  return made;
}

/** Of length 1, in a random direction: nobody resembles anybody. */
function randomTemplate(): Buffer {
  const vector = Float32Array.from({ length: DIMENSION }, () => Math.random() - 0.5);
  const length = Math.hypot(...vector);
  return Buffer.from(vector.map((value) => value / length).buffer);
}
