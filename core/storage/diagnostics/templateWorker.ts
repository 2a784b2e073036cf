/** Reads every template of a database, reports those that cannot be compared, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import type { DamagedTemplates } from '../../domain/ports/diagnostics.ts';
import { templateFault } from '../../domain/recognition/faceValidation.ts';
import { unlock } from '../engine/cipher.ts';
import { toVector } from '../engine/vectorBytes.ts';

/** So many damaged templates are named; beyond it they are counted. */
const MAX_NAMED = 1000;

const { file, key, company } = workerData as {
  file: string;
  key: Uint8Array;
  /** null: all. */
  company: number | null;
};

interface Row {
  face_id: number;
  trust_validation_id: number | null;
  company_id: number;
  pipeline_id: string;
  vector: Uint8Array;
}

function damaged(): DamagedTemplates {
  const database = new Sqlite(file, { readonly: true });
  try {
    unlock(database, key);
    const shapes = database.prepare('select pipeline_id, dimensions from pipeline_shape').all([]) as {
      pipeline_id: string;
      dimensions: number;
    }[];
    const dimensions = new Map(shapes.map((row) => [row.pipeline_id, row.dimensions]));
    const found: DamagedTemplates = { read: 0, damaged: 0, faces: [] };
    const rows = database
      .prepare(
        `select face_id, trust_validation_id, template.company_id, pipeline_id, vector
         from template left join face on face.id = face_id
         where ? is null or template.company_id = ?`,
      )
      .iterate([company, company]);
    for (const row of rows as Iterable<Row>) {
      found.read += 1;
      const fault = templateFault(toVector(row.vector), dimensions.get(row.pipeline_id));
      if (fault === undefined) continue;
      found.damaged += 1;
      if (found.faces.length < MAX_NAMED)
        found.faces.push({
          company: row.company_id,
          face: row.face_id,
          validation: row.trust_validation_id,
          fault,
        });
    }
    return found;
  } finally {
    database.close();
  }
}

parentPort?.postMessage(damaged());
