import { randomBytes, randomUUID } from 'node:crypto';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import type { Home } from '../../core/storage/index.ts';
import { TEST_PIPELINE } from '../../test/support/site.ts';
import { writeSite } from '../siteRows.ts';

/** Floats of a template, as the full pipeline's. */
const DIMENSION = 128;
const THUMBNAIL_BYTES = 3_500;

/** Enrolled persons straight into the store, each with a template and a small picture of their own. @returns their validations */
export function fill(home: Home, ids: { company: number; flow: number }, persons: number): number[] {
  const made: number[] = [];
  writeSite(home, ids.company, (rows) => {
    for (let n = 0; n < persons; n++) {
      const person = { name: `person number ${n} of all`, at: 1_760_000_000_000 + n };
      const status = TRUST_VALIDATION_STATUS.Verified;
      const nowhere = { duplicate: false, blacklisted: false };
      const validation = rows.addValidation({ flow: ids.flow, status, ...person, ...nowhere });
      rows.addFace({
        of: { validation },
        ...person,
        quality: 70,
        image: { id: randomUUID(), key: randomBytes(32), sha256: randomBytes(32).toString('hex') },
        thumbnail: randomBytes(THUMBNAIL_BYTES),
        template: { pipeline: TEST_PIPELINE, vector: randomTemplate() },
      });
      made.push(validation);
    }
  });
  return made;
}

/** Of length 1, in a random direction: no two resemble each other. */
function randomTemplate(): Buffer {
  const vector = Float32Array.from({ length: DIMENSION }, () => Math.random() - 0.5);
  const length = Math.hypot(...vector);
  return Buffer.from(vector.map((value) => value / length).buffer);
}
