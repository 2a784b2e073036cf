/** A large site, written straight into its store: what the screens and the erasures read, nothing that only the engine needs. */
import type Sqlite from 'better-sqlite3-multiple-ciphers';
import { openRaw } from '../core/storage/engine/sqliteFile.ts';
import { keyIn, type Home } from '../core/storage/engine/home.ts';

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

export interface ValidationRow {
  flow: number;
  status: number;
  name: string;
  at: number;
  duplicate: boolean;
  blacklisted: boolean;
}

export interface FaceRow {
  /** Of a blacklist, or of a Trust Validation. */
  of: { list: number } | { validation: number };
  name: string;
  at: number;
  quality: number;
  image: { id: string; key: Uint8Array; sha256: string };
  thumbnail: Uint8Array;
  template?: { pipeline: string; vector: Uint8Array };
}

/** Writes rows of one company, all of them in one transaction. */
export function writeSite(home: Home, company: number, work: (rows: SiteRows) => void): void {
  const database = openRaw(home.database, keyOf(home));
  database.exec('begin');
  work(new SiteRows(database, company));
  database.exec('commit');
  database.close();
}

class SiteRows {
  readonly #company: number;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Sqlite, company: number) {
    this.#company = company;
    this.#statements = prepare(database);
  }

  /** @returns its id */
  addValidation({ flow, status, name, at, duplicate, blacklisted }: ValidationRow): number {
    const hits = [Number(duplicate), Number(blacklisted)];
    const values = [this.#company, flow, status, name, at, at, ...hits];
    return Number(this.#statements.validation.run(values).lastInsertRowid);
  }

  /** A face with its image and its picture. */
  addFace({ of, name, at, quality, image, thumbnail, template }: FaceRow): void {
    const { id, key, sha256 } = image;
    this.#statements.image.run([id, this.#company, key, Buffer.from(sha256, 'hex'), at]);
    const [kind, list, validation] =
      'list' in of ? ['blacklist', of.list, null] : ['duplicate', null, of.validation];
    const { lastInsertRowid: face } = this.#statements.face.run([
      ...[this.#company, kind, list, validation, name],
      ...[id, GEOMETRY, quality, at],
    ]);
    this.#statements.thumbnail.run([face, this.#company, thumbnail]);
    if (template !== undefined)
      this.#statements.template.run([face, this.#company, template.pipeline, template.vector]);
  }
}

function prepare(database: Sqlite) {
  return {
    image: database.prepare(
      `insert into image (id, company_id, key, bytes, sha256, format, width, height, created_at)
       values (?, ?, ?, 180000, ?, 'jpeg', 600, 760, ?)`,
    ),
    validation: database.prepare(
      `insert into trust_validation
         (company_id, trust_flow_id, status, name, created_at, finalized_at, duplicate_detected, blacklist_detected)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    face: database.prepare(
      `insert into face
         (company_id, kind, blacklist_id, trust_validation_id, name, image_id, geometry, quality_score, quality_measures, enrolled_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, '{}', ?)`,
    ),
    thumbnail: database.prepare('insert into face_thumbnail (face_id, company_id, jpeg) values (?, ?, ?)'),
    template: database.prepare(
      'insert into template (face_id, company_id, pipeline_id, vector) values (?, ?, ?, ?)',
    ),
  };
}
