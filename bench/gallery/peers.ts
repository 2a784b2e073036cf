/** The libraries that the gallery is compared with; every peer returns the ids of the nearest ten. */
// First: it must be evaluated before the library is loaded.
import '../../core/vision/nets/noTelemetry.ts';
import { createRequire } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { getLoadablePath } from 'sqlite-vec';
import { OnnxGraph } from '../../models/convert/onnx.ts';

// The CommonJS build: the other one asks for its binary by a path that does not exist.
const usearch = createRequire(import.meta.url)('usearch') as typeof import('usearch');

export const NEAREST = 10;

/** Time that reading the same bytes takes: the C library's search for a byte that is not there. */
export function memoryStream(bytes: number): () => void {
  const buffer = Buffer.alloc(bytes, 1);
  return () => {
    if (buffer.indexOf(2) !== -1) throw new Error('The byte should not be there.');
  };
}

export function usearchExact(rows: Float32Array, dimensions: number, probe: Float32Array): number[] {
  const { keys } = usearch.exactSearch(rows, probe, dimensions, NEAREST, usearch.MetricKind.L2sq, 1);
  return [...keys].map((key) => Number(key) + 1);
}

/** The same of several probes, one after the other. */
export function usearchBatch(rows: Float32Array, dimensions: number, probes: Float32Array): void {
  usearch.exactSearch(rows, probes, dimensions, NEAREST, usearch.MetricKind.L2sq, 1);
}

/** A program's first loop: squared distances in doubles, the nearest ten kept in order. */
export function plainLoop(rows: Float32Array, dimensions: number, probe: Float32Array): number[] {
  const best: { id: number; squared: number }[] = [];
  for (let row = 0, at = 0; at < rows.length; row++, at += dimensions) {
    let squared = 0;
    for (let i = 0; i < dimensions; i++) {
      const difference = rows[at + i]! - probe[i]!;
      squared += difference * difference;
    }
    if (best.length === NEAREST && squared >= best[NEAREST - 1]!.squared) continue;
    let place = best.length;
    while (place > 0 && best[place - 1]!.squared > squared) place--;
    best.splice(place, 0, { id: row + 1, squared });
    if (best.length > NEAREST) best.pop();
  }
  return best.map(({ id }) => id);
}

export function sqliteVec(rows: Float32Array, dimensions: number) {
  const db = new DatabaseSync(':memory:', { allowExtension: true });
  db.loadExtension(getLoadablePath());
  db.exec(`create virtual table face using vec0(vector float[${dimensions}])`);
  const insert = db.prepare('insert into face(rowid, vector) values (?, ?)');
  const bytes = (vector: Float32Array) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  db.exec('begin');
  for (let row = 0; row * dimensions < rows.length; row++)
    insert.run(BigInt(row + 1), bytes(rows.subarray(row * dimensions, (row + 1) * dimensions)));
  db.exec('commit');
  const select = db.prepare('select rowid from face where vector match ? and k = ? order by distance');
  return {
    search: (probe: Float32Array) => select.all(bytes(probe), NEAREST).map(({ rowid }) => Number(rowid)),
    close: () => db.close(),
  };
}

/** ONNX Runtime's matrix product of a batch of probes with all rows, and the largest ten products of each. */
export async function onnxBatch(rows: Float32Array, dimensions: number, batch: number) {
  const count = rows.length / dimensions;
  const graph = new OnnxGraph('search');
  graph.input('probes', 'float32', [batch, dimensions]);
  graph.input('rows', 'float32', [count, dimensions]);
  const products = graph.node('Gemm', ['probes', 'rows'], { transB: 1 });
  const wanted = graph.constant(BigInt64Array.of(BigInt(NEAREST)), [1]);
  graph.node('TopK', [products, wanted], {}, 'nearest', ['places']);
  graph.output('nearest', 'float32', [batch, NEAREST]);
  const session = await InferenceSession.create(graph.encode(), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
  const gallery = new Tensor('float32', rows, [count, dimensions]);
  return {
    search: async (probes: Float32Array) => {
      await session.run({ probes: new Tensor('float32', probes, [batch, dimensions]), rows: gallery });
    },
    close: () => session.release(),
  };
}
