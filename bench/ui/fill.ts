/** A large site, written straight into the store: what the screens read, nothing that only the engine needs. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import { unlock } from '../../core/storage/cipher.ts';
import { keyIn, openHome } from '../../core/storage/home.ts';
import { drawPhoto } from '../../test/browser/drawnFaces.ts';

export interface Size {
  validations: number;
  blacklistFaces: number;
}

/** Different pictures; a list on screen shows about twenty at once. */
const PICTURES = 48;
/** A year and a half, evenly. */
const FIRST = Date.parse('2025-01-01T00:00:00Z');
const STEP = 475_000;
const GIVEN = [
  'Amina',
  'Jonas',
  'Leila',
  'Marek',
  'Noor',
  'Owen',
  'Priya',
  'Ruben',
  'Sofia',
  'Tariq',
  'Vera',
];
const FAMILY = ['Aalto', 'Bekele', 'Costa', 'Dahl', 'Eriksen', 'Farouk', 'Gomez', 'Haddad', 'Ito', 'Jansen'];

/** @param company its id; @param flow its internal Trust Flow; @param list an empty blacklist of it */
export async function fill(
  homeFolder: string,
  ids: { company: number; flow: number; list: number },
  size: Size,
): Promise<void> {
  const chips = await Promise.all(Array.from({ length: PICTURES }, (_, person) => chipOf(person)));
  const home = openHome(homeFolder);
  const key = keyIn(home.keyFile);
  if (key === undefined) throw new Error('The home has no key yet.');
  const database = new Sqlite(home.database);
  unlock(database, key);
  const image = database.prepare(
    `insert into image (id, company_id, key, bytes, sha256, format, width, height, created_at)
     values (?, ?, ?, 180000, ?, 'jpeg', 600, 760, ?)`,
  );
  const validation = database.prepare(
    `insert into trust_validation
       (company_id, trust_flow_id, status, name, created_at, finalized_at, duplicate_detected, blacklist_detected)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const face = database.prepare(
    `insert into face
       (company_id, kind, blacklist_id, trust_validation_id, name, image_id, geometry, quality_score, quality_measures, enrolled_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, '{}', ?)`,
  );
  const chip = database.prepare('insert into face_chip (face_id, company_id, jpeg) values (?, ?, ?)');
  const addFace = (n: number, at: number, list: number | null, validationId: number | bigint | null) => {
    const id = randomUUID();
    image.run([id, ids.company, Buffer.alloc(32, n), n.toString(16).padStart(64, '0'), at]);
    const { lastInsertRowid } = face.run([
      ids.company,
      list === null ? 'duplicate' : 'blacklist',
      list,
      validationId,
      nameOf(n),
      id,
      GEOMETRY,
      60 + (n % 40),
      at,
    ]);
    chip.run([lastInsertRowid, ids.company, chips[n % PICTURES]]);
  };
  database.exec('begin');
  for (let n = 0; n < size.validations; n++) {
    const at = FIRST + n * STEP;
    const status = statusOf(n);
    const hit = status === TRUST_VALIDATION_STATUS.Verified ? 0 : 1;
    const { lastInsertRowid } = validation.run([
      ids.company,
      ids.flow,
      status,
      nameOf(n),
      at,
      at,
      hit,
      hit === 1 && n % 2 === 0 ? 1 : 0,
    ]);
    addFace(n, at, null, lastInsertRowid);
  }
  for (let n = 0; n < size.blacklistFaces; n++) addFace(n, FIRST + n * STEP, ids.list, null);
  database.exec('commit');
  database.close();
}

const GEOMETRY = JSON.stringify({
  box: { x: 180, y: 200, width: 240, height: 290 },
  eyes: [
    { x: 250, y: 310 },
    { x: 350, y: 310 },
  ],
  confidence: 0.99,
});

/** Three in a hundred need review, one was rejected. */
function statusOf(n: number): number {
  if (n % 100 < 3) return TRUST_VALIDATION_STATUS.ReviewNeeded;
  return n % 100 === 3 ? TRUST_VALIDATION_STATUS.Rejected : TRUST_VALIDATION_STATUS.Verified;
}

function nameOf(n: number): string {
  return `${GIVEN[n % GIVEN.length] ?? ''} ${FAMILY[(n * 7) % FAMILY.length] ?? ''} ${n}`;
}

async function chipOf(person: number): Promise<Buffer> {
  return sharp(Buffer.from(drawPhoto(person).chip))
    .resize(112)
    .jpeg({ quality: 70 })
    .toBuffer();
}
