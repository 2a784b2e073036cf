/** Faces found, missed and imagined, and what the quality gate refuses. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { qualityThresholds } from '../../core/contracts/settings.ts';
import { loadTemplateExtractor } from '../../core/vision/descriptor.ts';
import { createEngine } from '../../core/vision/pool/engine.ts';
import { refusal } from '../../core/vision/quality.ts';
import { packagePath } from '../../models/reference/tfjs.ts';
import { dataPath } from '../data.ts';
import { publish, table } from '../report.ts';
import { ALTERATIONS } from './alterations.ts';
import { errorVersusDiscard } from './discard.ts';
import { central, createFaceFinder, MODELS, qualityOf, type FaceFinder } from './faceFinder.ts';
import { drawnPictures, faceFreeParts, listPictures, type Picture } from './pictures.ts';

const GATE = qualityThresholds.parse({});
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;

/** Every n-th photo of LFW in the slow tables; 1 takes all of them. */
const step = Number(process.argv[2] ?? 20);

/** Photo sets: whether the person is found, whether others are seen with them, what the gate says. */
async function photoSets(finder: FaceFinder): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const [name, folder] of [
    ['LFW', dataPath('faces', 'lfw')],
    ['ORL, grey, tight', dataPath('faces', 'orl_grey')],
  ] as const) {
    const files = await listPictures(folder);
    const refusals: string[] = [];
    let found = 0;
    let several = 0;
    for (const file of files) {
      const look = await finder.look(await readFile(file));
      const face = central(look);
      if (face === undefined) continue;
      found++;
      if (look.faces.some((other) => other !== face && other.box.width >= face.box.width / 3)) several++;
      const code = refusal(qualityOf(look, face).measures, GATE);
      if (code !== undefined) refusals.push(code);
    }
    rows.push([
      name,
      files.length,
      `${files.length - found} (${percent(files.length - found, files.length)})`,
      several,
      `${refusals.length} (${percent(refusals.length, files.length)}) ${countsOf(refusals)}`,
    ]);
  }
  return table(['set', 'photos', 'person not found', 'with further faces', 'refused by the gate'], rows);
}

/** Reasons with how often each was given, the most frequent first. */
function countsOf(codes: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .toSorted(([, p], [, q]) => q - p)
    .map(([code, count]) => `${code} ${count}`)
    .join(', ');
}

async function alterations(finder: FaceFinder): Promise<string> {
  const files = (await listPictures(dataPath('faces', 'lfw'))).filter((_, i) => i % step === 0);
  const rows: (string | number)[][] = [];
  const originals = await Promise.all(files.map((file) => readFile(file)));
  const eyes = [];
  for (const bytes of originals) eyes.push(central(await finder.look(bytes))!.eyes);
  for (const { name, faces: expected = 1, apply } of ALTERATIONS) {
    let found = 0;
    const refusals: string[] = [];
    const scores: number[] = [];
    for (const [i, bytes] of originals.entries()) {
      const look = await finder.look(await apply(bytes, eyes[i]!));
      const [face] = look.faces;
      if (look.faces.length >= expected) found++;
      if (face === undefined) continue;
      const quality = qualityOf(look, face);
      scores.push(quality.score);
      const code = refusal(quality.measures, GATE);
      if (code !== undefined) refusals.push(code);
    }
    scores.sort((p, q) => p - q);
    const median = scores[Math.floor(scores.length / 2)] ?? 0;
    const passed = percent(scores.length - refusals.length, files.length);
    rows.push([name, percent(found, files.length), passed, median, countsOf(refusals)]);
  }
  return table(
    [`${files.length} photos of LFW`, 'all faces found', 'passes the gate', 'median score', 'refused as'],
    rows,
  );
}

/** Ways in which a photo is cut and lit: half the width, the height above and below the box of the face, in its sides. */
const CUTS = [
  { name: 'tight', across: 0.62, above: 0.25, below: 0.15, light: 1 },
  { name: 'portrait', across: 0.85, above: 0.45, below: 0.4, light: 1 },
  { name: 'portrait, light × 0.35', across: 0.85, above: 0.45, below: 0.4, light: 0.35 },
] as const;

/** Faces that are fitted the wrong way round: forehead as chin. */
async function wrongWayUp(finder: FaceFinder): Promise<string> {
  const files = [
    ...(await listPictures(dataPath('faces', 'lfw'))),
    ...(await listPictures(dataPath('faces', 'orl_grey'))),
  ].filter((_, i) => i % step === 0);
  const turns = [0, 90, 180, 270];
  const rows = CUTS.map(({ name }) => ({ name, wrong: turns.map(() => 0) }));
  for (const file of files) {
    const photo = await readFile(file);
    const { width, height } = await sharp(photo).metadata();
    const { box, pose } = central(await finder.look(photo))!;
    for (const [row, { across, above, below, light }] of CUTS.entries()) {
      const left = Math.max(0, Math.round(box.x + box.width * (0.5 - across)));
      const top = Math.max(0, Math.round(box.y - above * box.height));
      const right = Math.min(width, Math.round(box.x + box.width * (0.5 + across)));
      const bottom = Math.min(height, Math.round(box.y + (1 + below) * box.height));
      const part = { left, top, width: right - left, height: bottom - top };
      const upright = await sharp(photo).extract(part).linear(light, 0).png().toBuffer();
      for (const [column, turn] of turns.entries()) {
        const [face] = (await finder.look(await sharp(upright).rotate(turn).jpeg({ quality: 92 }).toBuffer()))
          .faces;
        const off = face === undefined ? 180 : face.pose.roll - pose.roll - turn;
        if (Math.cos((off * Math.PI) / 180) < 0.5) rows[row]!.wrong[column]! += 1;
      }
    }
  }
  return table(
    [`wrong or not found, of ${files.length} photos`, ...turns.map((turn) => `turned by ${turn}°`)],
    rows.map(({ name, wrong }) => [name, ...wrong]),
  );
}

/** People in the group photos that both the packages and the data bring; counted by eye. */
const PEOPLE: Record<string, number> = {
  'sample1.jpg': 3,
  'sample2.jpg': 3,
  'sample3.jpg': 3,
  'sample4.jpg': 4,
  'sample5.jpg': 5,
  'sample6.jpg': 4,
  'multi_2_010_2.jpg': 2,
  'multi_4_012_4.jpg': 4,
  'multi_6_015_6.jpg': 6,
  'multi_bald_guys.jpg': 24,
  'multi_facenet.jpg': 6,
};

function groupPhoto(name: string): string {
  return name.startsWith('sample')
    ? packagePath('@vladmandic/face-api', '..', 'demo', name)
    : dataPath('faces', 'bad_inputs', name);
}

async function groups(finder: FaceFinder): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const [name, people] of Object.entries(PEOPLE)) {
    const { faces } = await finder.look(await readFile(groupPhoto(name)));
    rows.push([name, people, faces.length]);
  }
  return table(['group photo', 'people', 'found'], rows);
}

/** In the photo of the dogs lies a magazine with a portrait; parts that show it do show a face. */
const PRINTED_PORTRAIT = { x: 55, y: 450, width: 60, height: 55 };

/** Drawn scenes, signatures, animals and landscapes, and parts of photos between the faces. */
async function picturesWithoutFaces(finder: FaceFinder, drawn: readonly Picture[]): Promise<Picture[]> {
  const pictures = [...drawn];
  for (const file of (await listPictures(dataPath('signatures'))).filter((_, i) => i % 16 === 0))
    pictures.push({ name: 'signature', bytes: await readFile(file) });
  const wild = [
    'noface_dogs.jpg',
    'noface_landscape.jpg',
    'noface_compreface.jpg',
    'png16.png',
    'gainmap.jpg',
  ];
  for (const name of wild) {
    const file = dataPath('faces', 'bad_inputs', name);
    pictures.push({ name, bytes: await readFile(file) });
    const people = name === 'noface_dogs.jpg' ? [PRINTED_PORTRAIT] : [];
    pictures.push(...(await faceFreeParts(file, people, { count: 12, seed: 5 })));
  }
  for (const name of Object.keys(PEOPLE)) {
    const file = groupPhoto(name);
    const boxes = (await finder.look(await readFile(file))).faces.map(({ box }) => box);
    pictures.push(...(await faceFreeParts(file, boxes, { count: 12, seed: 9 })));
  }
  return pictures;
}

async function imagined(finder: FaceFinder, drawn: readonly Picture[]): Promise<string> {
  const pictures = await picturesWithoutFaces(finder, drawn);
  const names: string[] = [];
  for (const { name, bytes } of pictures) {
    if ((await finder.look(bytes)).faces.length > 0) names.push(name);
  }
  const listed = names.length === 0 ? '' : ` (${names.join('; ')})`;
  return `Of ${pictures.length} pictures without a face, ${names.length} are thought to show one${listed}.`;
}

// Drawn before the decoder of this process is restricted to JPEG and PNG.
const drawn = await drawnPictures(120);
const finder = await createFaceFinder();
const engine = await createEngine(MODELS, await loadTemplateExtractor(MODELS, 'full'));
const body = [
  await photoSets(finder),
  await groups(finder),
  await imagined(finder, drawn),
  await alterations(finder),
  await wrongWayUp(finder),
  await errorVersusDiscard(engine, Math.ceil(step / 4)),
].join('\n\n');
console.log(body);
publish({
  name: 'vision',
  title: 'Finding and judging faces',
  body,
  peers: ['sharp', 'onnxruntime-node'],
  args: process.argv.slice(2),
});
