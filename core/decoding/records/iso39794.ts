/**
 * Reads the face image data block of ISO/IEC 39794-5:2019, of which the application profile for passports of ICAO is a
 * part. One table states the structure; what it does not name are extensions, which a reader must leave alone.
 */
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { RecordFacts, RecordField } from '../../contracts/faceRecords.ts';
import type { Point } from '../../contracts/faces.ts';
import { dateText, eyesOf, MAX_FACES, type FoundFace, type WrittenFace } from './fac.ts';
import { numberOf, readElement, readElements, isConstructed, tagText, writeElement } from './tlv.ts';

/** A type of the standard's ASN.1 module, with automatic tags. */
type Shape =
  | { kind: 'number'; least: number; most: number }
  | { kind: 'flag' | 'octets' }
  /** A CHOICE of a code and an extension, which has a code to fall back on. */
  | { kind: 'code'; names: readonly string[] }
  | { kind: 'choice'; of: Record<number, readonly [name: string, shape: Shape]> }
  | { kind: 'sequence'; of: readonly (readonly [name: string, shape: Shape])[]; required: number }
  | { kind: 'list'; of: Shape; tag: number };

type Value = number | boolean | string | Uint8Array | Value[] | { [name: string]: Value };

const number = (least: number, most: number): Shape => ({ kind: 'number', least, most });
const code = (...names: string[]): Shape => ({ kind: 'code', names });
const flag: Shape = { kind: 'flag' };
const octets: Shape = { kind: 'octets' };
const choice = (of: Record<number, readonly [string, Shape]>): Shape => ({ kind: 'choice', of });
const sequence = (required: number, of: Record<string, Shape>): Shape => ({
  kind: 'sequence',
  of: Object.entries(of),
  required,
});
const SEQUENCE = 0x30;
const OCTET_STRING = 0x04;
const list = (of: Shape, tag = SEQUENCE): Shape => ({ kind: 'list', of, tag });
/** A CHOICE of the standard's content and an extension, of which nothing is known. */
const extensible = (of: Record<number, readonly [string, Shape]>): Shape =>
  choice({ 0: ['base', choice(of)] });
const flags = (...names: string[]): Shape =>
  sequence(0, Object.fromEntries(names.map((name) => [name, flag])));

const COUNT = number(0, Number.MAX_SAFE_INTEGER);
const SHORT = number(0, 0xffff);
const registered = sequence(2, { organization: number(1, 0xffff), id: number(1, 0xffff) });
const dateTime = sequence(1, {
  year: number(0, 9999),
  month: number(1, 12),
  day: number(1, 31),
  hour: number(0, 23),
  minute: number(0, 59),
  second: number(0, 59),
  millisecond: number(0, 999),
});
const score = choice({
  0: ['score', number(0, 100)],
  1: ['error', code('failureToAssess')],
});
const scores = list(sequence(2, { algorithm: registered, scoreOrError: score }));
const point = sequence(2, { x: SHORT, y: SHORT });
const angle = sequence(1, { angle: number(-180, 180), uncertainty: number(0, 180) });

const POINTS = { mpeg4: 88, anthropometricName: 61, anthropometricPoint: 37, anthropometricId: 63 } as const;
const codeBelow = (most: number): Shape => code(...Array.from({ length: most }, (_, index) => String(index)));

const representation = sequence(2, {
  representationId: COUNT,
  image: extensible({
    0: [
      'image2D',
      sequence(2, {
        data: octets,
        information: sequence(1, {
          dataFormat: code('unknown', 'other', 'jpeg', 'jpeg2000Lossy', 'jpeg2000Lossless', 'png'),
          kind: code('mrtd', 'generalPurpose'),
          postAcquisitionProcessing: flags(
            'rotated',
            'cropped',
            'downSampled',
            'whiteBalanceAdjusted',
            'multiplyCompressed',
            'interpolated',
            'contrastStretched',
            'poseCorrected',
            'multiViewImage',
            'ageProgressed',
            'superResolutionProcessed',
            'normalised',
          ),
          lossyTransformationAttempts: code('unknown', 'zero', 'one', 'moreThanOne'),
          cameraToSubjectDistance: number(0, 50_000),
          sensorDiagonal: number(0, 2000),
          lensFocalLength: number(0, 2000),
          size: sequence(2, { width: SHORT, height: SHORT }),
          measurements: sequence(0, {
            headWidth: SHORT,
            interEyeDistance: SHORT,
            eyeToMouthDistance: SHORT,
            headLength: SHORT,
          }),
          colourSpace: code(
            'unknown',
            'other',
            'rgb24Bit',
            'rgb48Bit',
            'yuv422',
            'greyscale8Bit',
            'greyscale16Bit',
          ),
          referenceColourMapping: sequence(0, {
            schema: octets,
            definitions: list(sequence(0, { definition: octets, value: octets })),
          }),
        }),
        captureDevice2D: sequence(0, {
          spectral: flags('whiteLight', 'nearInfrared', 'thermal'),
          technology: code(
            'unknown',
            'staticPhotographUnknownSource',
            'staticPhotographDigitalCamera',
            'staticPhotographScanner',
            'videoFrameUnknownSource',
            'videoFrameAnalogueCamera',
            'videoFrameDigitalCamera',
          ),
        }),
      }),
    ],
  }),
  captureDateTime: dateTime,
  quality: scores,
  presentationAttackDetection: sequence(0, {
    decision: code('noAttack', 'attack', 'failureToAssess'),
    scores,
    extendedData: list(sequence(2, { id: registered, data: octets })),
    captureContext: code('enrolment', 'verification', 'identification'),
    supervisionLevel: codeBelow(8),
    riskLevel: number(0, 100),
    criteriaCategory: codeBelow(8),
    parameter: octets,
    challenges: list(octets, OCTET_STRING),
    captureDateTime: dateTime,
  }),
  sessionId: COUNT,
  derivedFrom: COUNT,
  captureDevice: sequence(0, { model: registered, certifications: list(registered) }),
  identityMetadata: sequence(0, {
    gender: code('unknown', 'other', 'male', 'female'),
    eyeColour: code(
      'unknown',
      'other',
      'black',
      'blue',
      'brown',
      'grey',
      'green',
      'hazel',
      'multiColoured',
      'pink',
    ),
    hairColour: code(
      'unknown',
      'other',
      'bald',
      'black',
      'blonde',
      'brown',
      'grey',
      'white',
      'red',
      'knownColoured',
    ),
    subjectHeight: SHORT,
    properties: flags(
      'glasses',
      'moustache',
      'beard',
      'teethVisible',
      'pupilOrIrisNotVisible',
      'mouthOpen',
      'leftEyePatch',
      'rightEyePatch',
      'darkGlasses',
      'biometricAbsent',
      'headCoveringPresent',
    ),
    expression: flags('neutral', 'smile', 'raisedEyebrows', 'eyesLookingAway', 'squinting', 'frowning'),
    pose: sequence(0, { yaw: angle, pitch: angle, roll: angle }),
  }),
  landmarks: list(
    sequence(1, {
      kind: extensible({
        0: ['mpeg4', codeBelow(POINTS.mpeg4)],
        1: [
          'anthropometric',
          extensible({
            0: ['name', codeBelow(POINTS.anthropometricName)],
            1: ['point', codeBelow(POINTS.anthropometricPoint)],
            2: ['id', codeBelow(POINTS.anthropometricId)],
          }),
        ],
      }),
      coordinates: extensible({
        0: ['point', point],
        1: ['texture', sequence(2, { u: SHORT, v: SHORT })],
        2: ['point3D', sequence(3, { x: SHORT, y: SHORT, z: SHORT })],
      }),
    }),
  ),
});

const dataBlock = sequence(2, {
  version: sequence(2, { generation: COUNT, year: number(0, 9999) }),
  representations: list(representation),
});

/** [APPLICATION 5]. */
export const FACE_IMAGE_DATA_BLOCK = 0x65;
const GENERATION = 3;

/** @param block the content of the element with tag {@link FACE_IMAGE_DATA_BLOCK} @throws {CodedError} */
export function read39794(block: Uint8Array): FoundFace[] {
  const value = decode(dataBlock, block, 'FaceImageDataBlock');
  const generation = numberAt(value, 'version', 'generation');
  if (generation !== GENERATION)
    throw new CodedError(
      problem('RECORD_VERSION_UNSUPPORTED', { version: `ISO/IEC 39794, generation ${generation ?? 0}` }),
    );
  const representations = listAt(value, 'representations');
  if (representations.length === 0)
    throw new CodedError(problem('RECORD_FIELD_MISSING', { part: 'representationBlocks' }));
  if (representations.length > MAX_FACES)
    throw new CodedError(problem('RECORD_TOO_LARGE', { most: MAX_FACES, part: 'representations' }));
  return representations.map(faceOf);
}

function faceOf(value: Value): FoundFace {
  const image = at(value, 'image', 'base', 'image2D', 'data');
  if (!(image instanceof Uint8Array))
    throw new CodedError(problem('RECORD_FIELD_MISSING', { part: 'representationData2D' }));
  const information = at(value, 'image', 'base', 'image2D', 'information');
  const [width, height] = [numberAt(information, 'size', 'width'), numberAt(information, 'size', 'height')];
  const date = at(value, 'captureDateTime');
  const parts = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'];
  const fields: RecordField[] = [];
  note(value, '', fields);
  return {
    image,
    facts: {
      standard: 'ISO/IEC 39794-5:2019',
      size: width && height ? { width, height } : null,
      eyes: readEyes(listAt(value, 'landmarks')),
      pose: readPose(at(value, 'identityMetadata', 'pose')),
      captured: date === undefined ? null : dateText(parts.map((name) => numberAt(date, name))),
      qualities: listAt(value, 'quality').map((quality) => ({
        score: numberAt(quality, 'scoreOrError', 'score') ?? null,
        vendor: numberAt(quality, 'algorithm', 'organization') ?? null,
        algorithm: numberAt(quality, 'algorithm', 'id') ?? null,
      })),
      creator: null,
      created: null,
    },
    fields,
  };
}

function readPose(pose: Value | undefined): RecordFacts['pose'] {
  if (pose === undefined) return null;
  const [yaw, pitch, roll] = ['yaw', 'pitch', 'roll'].map((name) => numberAt(pose, name, 'angle') ?? null);
  return { yaw: yaw ?? null, pitch: pitch ?? null, roll: roll ?? null };
}

/** Codes of the centres of the left and the right eye, by the catalogue that a landmark is named in, the best first. */
const EYES: readonly { path: readonly string[]; codes: readonly [string, string] }[] = [
  { path: ['mpeg4'], codes: ['84', '85'] },
  { path: ['mpeg4'], codes: ['18', '19'] },
  { path: ['anthropometric', 'base', 'name'], codes: ['21', '22'] },
  { path: ['anthropometric', 'base', 'point'], codes: ['20', '21'] },
  { path: ['anthropometric', 'base', 'id'], codes: ['21', '22'] },
];

function readEyes(landmarks: readonly Value[]): RecordFacts['eyes'] {
  const points = new Map<number, Point>();
  for (const landmark of landmarks)
    for (const [index, { path, codes }] of EYES.entries()) {
      const side = codes.findIndex((known) => known === at(landmark, 'kind', 'base', ...path));
      const place =
        at(landmark, 'coordinates', 'base', 'point') ?? at(landmark, 'coordinates', 'base', 'point3D');
      const [x, y] = [numberAt(place, 'x'), numberAt(place, 'y')];
      if (side >= 0 && x !== undefined && y !== undefined) points.set(2 * index + side, { x, y });
    }
  return eyesOf(
    points,
    EYES.map((_, index) => [2 * index, 2 * index + 1]),
  );
}

function at(value: Value | undefined, ...path: readonly string[]): Value | undefined {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || Array.isArray(found) || found instanceof Uint8Array) return undefined;
    found = found[name];
  }
  return found;
}

function numberAt(value: Value | undefined, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

function listAt(value: Value | undefined, name: string): Value[] {
  return listOf(at(value, name) ?? []);
}

/** Notes each value that is not made of others by its path. */
function note(value: Value, path: string, fields: RecordField[]): void {
  if (value instanceof Uint8Array)
    fields.push([path, value.length > 100 ? `${value.length} bytes` : textOrHex(value)]);
  else if (Array.isArray(value))
    for (const [index, each] of value.entries()) note(each, `${path}[${index + 1}]`, fields);
  else if (typeof value === 'object')
    for (const [name, each] of Object.entries(value))
      note(each, name === 'base' ? path : path === '' ? name : `${path}.${name}`, fields);
  else fields.push([path, String(value)]);
}

function textOrHex(bytes: Uint8Array): string {
  return bytes.every((byte) => byte >= 32 && byte < 127)
    ? String.fromCharCode(...bytes)
    : Buffer.from(bytes).toString('hex').toUpperCase();
}

/** Tags of the context: 80 for a value, A0 for elements, and the place. */
const CONTEXT = 0x80;

function placeOf(tag: number): number {
  return (tag & 0xc0) === CONTEXT ? tag & 0x1f : -1;
}

function decode(shape: Shape, content: Uint8Array, part: string): Value {
  switch (shape.kind) {
    case 'number':
      return integer(content, part, shape.least, shape.most);
    case 'flag':
      return integer(content, part, -128, 127) !== 0;
    case 'octets':
      return content;
    case 'code': {
      const chosen = readElement(content, part);
      if (placeOf(chosen.tag) === 0) return named(shape.names, chosen.content, part);
      const fallback = readElements(chosen.content, part).find(({ tag }) => tag === CONTEXT);
      if (placeOf(chosen.tag) !== 1 || fallback === undefined)
        throw new CodedError(problem('RECORD_FIELD_MISSING', { part }));
      return named(shape.names, fallback.content, part);
    }
    case 'choice': {
      const chosen = readElement(content, part);
      const known = shape.of[placeOf(chosen.tag)];
      // An alternative that a later edition added.
      if (known === undefined) return {};
      return { [known[0]]: decode(known[1], checkedContent(known[1], chosen, part), `${part}.${known[0]}`) };
    }
    case 'list':
      return readElements(content, part).map((element) => {
        if (element.tag !== shape.tag)
          throw new CodedError(problem('RECORD_FIELD_MISPLACED', { part, tag: tagText(element.tag) }));
        return decode(shape.of, element.content, part);
      });
    case 'sequence':
      return readMembers(shape, content, part);
  }
}

function readMembers(
  shape: Extract<Shape, { kind: 'sequence' }>,
  content: Uint8Array,
  part: string,
): { [name: string]: Value } {
  const value: { [name: string]: Value } = {};
  let last = -1;
  for (const element of readElements(content, part)) {
    const place = placeOf(element.tag);
    if (place <= last)
      throw new CodedError(problem('RECORD_FIELD_MISPLACED', { part, tag: tagText(element.tag) }));
    last = place;
    const known = shape.of[place];
    if (known !== undefined)
      value[known[0]] = decode(known[1], checkedContent(known[1], element, part), `${part}.${known[0]}`);
  }
  for (const [name] of shape.of.slice(0, shape.required))
    if (!(name in value)) throw new CodedError(problem('RECORD_FIELD_MISSING', { part: `${part}.${name}` }));
  return value;
}

/** A value must not claim to be made of elements, nor the other way round. */
function checkedContent(
  shape: Shape,
  element: { tag: number; content: Uint8Array },
  part: string,
): Uint8Array {
  const isValue = isPrimitive(shape);
  if (isValue === isConstructed(element))
    throw new CodedError(problem('RECORD_FIELD_MISPLACED', { part, tag: tagText(element.tag) }));
  return element.content;
}

function isPrimitive({ kind }: Shape): boolean {
  return kind === 'number' || kind === 'flag' || kind === 'octets';
}

function named(names: readonly string[], content: Uint8Array, part: string): string {
  return names[integer(content, part, 0, names.length - 1)]!;
}

/** Two's complement. */
function integer(content: Uint8Array, part: string, least: number, most: number): number {
  const unsigned = content.length > 7 ? Number.POSITIVE_INFINITY : numberOf(content);
  const value = (content[0] ?? 0) >= 0x80 ? unsigned - 256 ** content.length : unsigned;
  if (content.length === 0 || !(value >= least && value <= most))
    throw new CodedError(problem('RECORD_VALUE_WRONG', { part, value, allowed: `${least}–${most}` }));
  return value;
}

/** The record in DER: one representation with a picture of the kind "general purpose". */
export function write39794({ jpeg, width, height, eyes }: WrittenFace): Uint8Array {
  const landmark = (mpeg4: string, { x, y }: Point): Value => ({
    kind: { base: { mpeg4 } },
    coordinates: { base: { point: { x, y } } },
  });
  const representations: Value = [
    {
      representationId: 0,
      image: {
        base: {
          image2D: {
            data: jpeg,
            information: {
              dataFormat: 'jpeg',
              kind: 'generalPurpose',
              size: { width, height },
              colourSpace: 'rgb24Bit',
            },
          },
        },
      },
      landmarks: [landmark(EYES[0]!.codes[0], eyes.left), landmark(EYES[0]!.codes[1], eyes.right)],
    },
  ];
  const version = { generation: GENERATION, year: 2019 };
  return writeElement(FACE_IMAGE_DATA_BLOCK, encode(dataBlock, { version, representations }));
}

/** The content of the element of a value, in DER. */
function encode(shape: Shape, value: Value): Uint8Array {
  switch (shape.kind) {
    case 'number':
      return integerBytes(Number(value));
    case 'flag':
      return Uint8Array.of(value === true ? 0xff : 0);
    case 'octets':
      return value instanceof Uint8Array ? value : new Uint8Array();
    case 'code':
      return writeElement(CONTEXT, integerBytes(shape.names.findIndex((name) => name === value)));
    case 'list':
      return Buffer.concat(listOf(value).map((each) => writeElement(shape.tag, encode(shape.of, each))));
    case 'sequence':
    case 'choice': {
      const members = Object.entries(shape.of).flatMap(
        ([place, [name, of]]: [string, readonly [string, Shape]]) => {
          const member = at(value, name);
          const tag = CONTEXT | (isPrimitive(of) ? 0 : CONSTRUCTED_BIT) | Number(place);
          return member === undefined ? [] : [writeElement(tag, encode(of, member))];
        },
      );
      return Buffer.concat(members);
    }
  }
}

const CONSTRUCTED_BIT = 0x20;

function listOf(value: Value): Value[] {
  return Array.isArray(value) ? value : [];
}

/** The fewest bytes of two's complement, of a number from 0. */
function integerBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0; rest = Math.floor(rest / 256))
    bytes.unshift(rest % 256);
  return Uint8Array.from(bytes[0]! >= 0x80 ? [0, ...bytes] : bytes);
}
