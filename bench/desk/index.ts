/** Photos and signatures as people bring them: the right person, the right verdict. `npm run bench -- desk PART [every] [folder for pictures of failures]` */
import { mkdtemp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publish } from '../report.ts';
import { measureFaces } from './faces.ts';
import { measureMarks, measureSignatures } from './signatures.ts';
import type { Part } from './part.ts';

const PARTS: Readonly<Record<string, Part>> = {
  faces: { title: 'What people bring: faces', measure: measureFaces },
  signatures: { title: 'What people bring: signatures', measure: measureSignatures },
  marks: { title: 'What people bring: marks in place of signatures', measure: measureMarks },
};

const [name = '', every = '1', folder] = process.argv.slice(2);
const part = PARTS[name];
if (part === undefined) {
  console.error(
    `npm run bench -- desk PART [every] [folder], with PART one of: ${Object.keys(PARTS).join(', ')}`,
  );
  process.exit(2);
}
const pictures = folder ?? (await mkdtemp(join(tmpdir(), 'vouch-desk-')));
await mkdir(pictures, { recursive: true });
const body = await part.measure({ every: Number(every), pictures });
console.log(`${body}\n\nPictures of failures: ${pictures}`);
publish({ name: `desk ${name}`, title: part.title, body, args: every === '1' ? [] : [every] });
