/** Reads the binary face records of ISO/IEC 19794-5:2005 and :2011. */
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { RecordFacts, RecordField } from '../../contracts/faceRecords.ts';
import type { Point } from '../../contracts/faces.ts';
import { cutShort, numberOf } from './tlv.ts';

/** A picture of a face record, before its place in the file is known. */
export interface FoundFace {
  image: Uint8Array;
  facts: Omit<RecordFacts, 'container' | 'face' | 'faces' | 'image'>;
  fields: RecordField[];
}

/** Pairs of a lowest and a highest value. */
type Allowed = readonly (readonly [number, number])[];

/** Reads fields one behind the other and notes each by its name. */
class Fields {
  readonly noted: RecordField[] = [];
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(length: number, part: string): Uint8Array {
    if (length > this.left) throw cutShort(part, length, this.left);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Big-endian. @param allowed absent: every value */
  number(length: number, part: string, allowed?: Allowed): number {
    const value = numberOf(this.take(length, part));
    if (allowed?.some(([least, most]) => value >= least && value <= most) === false)
      throw new CodedError(
        problem('RECORD_VALUE_WRONG', {
          part,
          value,
          allowed: allowed
            .map(([least, most]) => (least === most ? `${least}` : `${least}–${most}`))
            .join(', '),
        }),
      );
    this.noted.push([part, String(value)]);
    return value;
  }
}

const UNSPECIFIED_BYTE = 255;
const GENDERS: Allowed = [
  [0, 2],
  [UNSPECIFIED_BYTE, UNSPECIFIED_BYTE],
];
/** Of hair; eyes have fewer. */
const COLOURS: Allowed = [
  [0, 9],
  [UNSPECIFIED_BYTE, UNSPECIFIED_BYTE],
];
const SCORES: Allowed = [
  [0, 100],
  [254, 255],
];
/** Half the degrees and 1, modulo 180; 0 is "unspecified". */
const ANGLES: Allowed = [[0, 181]];
const COLOUR_SPACES: Allowed = [
  [0, 4],
  [128, 255],
];
const LANDMARK_KINDS: Allowed = [[1, 3]];

/** MPEG-4 and anthropometry together know fewer than 200. */
const LANDMARKS: Allowed = [[0, 256]];
export const MAX_FACES = 100;
/** "FAC", zero, and the version with a zero. */
const FORMAT_BYTES = 8;

/** @throws {CodedError} the record is damaged, of an unknown version, or has bytes behind its end */
export function readFac(bytes: Uint8Array): FoundFace[] {
  const header = new Fields(bytes);
  const format = header.take(FORMAT_BYTES, 'FormatIdentifier');
  const version = String.fromCharCode(...format.subarray(4, 7));
  const isOf2011 = version === '030';
  if ((!isOf2011 && version !== '010') || format[7] !== 0)
    throw new CodedError(problem('RECORD_VERSION_UNSUPPORTED', { version: printable(format.subarray(4)) }));
  const stated = header.number(4, 'LengthOfRecord');
  if (stated !== bytes.length)
    throw new CodedError(
      problem('RECORD_LENGTH_WRONG', { part: 'LengthOfRecord', stated, actual: bytes.length }),
    );
  const count = header.number(2, 'NumberOfFacialImages', [[1, MAX_FACES]]);
  if (isOf2011) {
    header.number(1, 'CertificationFlag', [[0, 0]]);
    header.number(2, 'TemporalSemantics');
  }
  const faces: FoundFace[] = [];
  for (let face = 1; face <= count; face++) {
    const length = numberOf(header.take(4, 'RepresentationLength'));
    if (length < 4)
      throw new CodedError(
        problem('RECORD_LENGTH_WRONG', { part: 'RepresentationLength', stated: length, actual: 4 }),
      );
    const fields = new Fields(header.take(length - 4, 'Representation'));
    fields.noted.push(...header.noted);
    faces.push(isOf2011 ? read2011(fields) : read2005(fields));
  }
  if (header.left > 0)
    throw new CodedError(
      problem('RECORD_LENGTH_WRONG', {
        part: 'LengthOfRecord',
        stated,
        actual: bytes.length - header.left,
      }),
    );
  return faces;
}

/** Bytes of a damaged field as text that can be shown. */
function printable(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => (byte > 32 && byte < 127 ? String.fromCharCode(byte) : '·')).join('');
}

function read2005(fields: Fields): FoundFace {
  const points = fields.number(2, 'NumberOfFeaturePoints', LANDMARKS);
  fields.number(1, 'Gender', GENDERS);
  fields.number(1, 'EyeColour', COLOURS);
  fields.number(1, 'HairColour', COLOURS);
  fields.number(3, 'PropertyMask');
  fields.number(2, 'Expression');
  const pose = readPose(fields);
  const eyes = readEyes(fields, points, 'FeaturePoint');
  fields.number(1, 'FaceImageType', [[0, 2]]);
  fields.number(1, 'ImageDataType', [[0, 1]]);
  const size = readSize(fields);
  fields.number(1, 'ImageColourSpace', COLOUR_SPACES);
  fields.number(1, 'SourceType', [
    [0, 7],
    [128, 255],
  ]);
  fields.number(2, 'DeviceType');
  fields.number(2, 'Quality');
  return {
    image: fields.take(fields.left, 'ImageData'),
    facts: { ...NOTHING, standard: 'ISO/IEC 19794-5:2005', size, eyes, pose },
    fields: fields.noted,
  };
}

const NOTHING = { captured: null, qualities: [], creator: null, created: null };

function read2011(fields: Fields): FoundFace {
  const captured = readCaptured(fields);
  fields.number(1, 'CaptureDeviceTechnologyIdentifier');
  fields.number(2, 'CaptureDeviceVendorIdentifier');
  fields.number(2, 'CaptureDeviceTypeIdentifier');
  const qualities = Array.from({ length: fields.number(1, 'NumberOfQualityBlocks') }, () => {
    const score = fields.number(1, 'QualityScore', SCORES);
    const vendor = fields.number(2, 'QualityAlgorithmVendorIdentifier');
    const algorithm = fields.number(2, 'QualityAlgorithmIdentifier');
    return { score: score > 100 ? null : score, vendor, algorithm };
  });
  const points = fields.number(2, 'NumberOfLandmarkPoints', LANDMARKS);
  fields.number(1, 'Gender', GENDERS);
  fields.number(1, 'EyeColour', COLOURS);
  fields.number(1, 'HairColour', COLOURS);
  fields.number(1, 'SubjectHeight');
  fields.number(3, 'PropertyMask');
  fields.number(2, 'Expression');
  const pose = readPose(fields);
  const eyes = readEyes(fields, points, 'LandmarkPoint');
  // From 128: with a shape in three dimensions behind the picture, which is left alone.
  fields.number(1, 'FaceImageType', [
    [0, 4],
    [128, 131],
  ]);
  fields.number(1, 'ImageDataType', [[0, 3]]);
  const size = readSize(fields);
  fields.number(1, 'SpatialSamplingRateLevel', [[0, 7]]);
  fields.number(2, 'PostAcquisitionProcessing');
  fields.number(1, 'CrossReference');
  fields.number(1, 'ImageColourSpace', COLOUR_SPACES);
  const length = fields.number(4, 'LengthOfImageData');
  const image = fields.take(length, 'ImageData');
  return {
    image,
    facts: { ...NOTHING, standard: 'ISO/IEC 19794-5:2011', size, eyes, pose, captured, qualities },
    fields: fields.noted,
  };
}

function readPose(fields: Fields): RecordFacts['pose'] {
  const [yaw, pitch, roll] = ['Yaw', 'Pitch', 'Roll'].map((name) => {
    const value = fields.number(1, `PoseAngle${name}`, ANGLES);
    if (value === 0) return null;
    const degrees = (value - 1) * 2;
    return degrees > 180 ? degrees - 360 : degrees;
  });
  for (const name of ['Yaw', 'Pitch', 'Roll']) fields.number(1, `PoseAngleUncertainty${name}`, ANGLES);
  if (yaw == null && pitch == null && roll == null) return null;
  return { yaw: yaw ?? null, pitch: pitch ?? null, roll: roll ?? null };
}

function readSize(fields: Fields): RecordFacts['size'] {
  const width = fields.number(2, 'Width');
  const height = fields.number(2, 'Height');
  return width > 0 && height > 0 ? { width, height } : null;
}

/** Year, month, day, hour, minute, second and milliseconds; each unspecified where all of its bits are set. */
function readCaptured(fields: Fields): string | null {
  const stated = fields.take(9, 'CaptureDateAndTime');
  if (stated.every((byte) => byte === 0)) return null;
  const parts = new Fields(stated);
  const values = [
    parts.number(2, 'CaptureYear', [
      [1, 9999],
      [0xffff, 0xffff],
    ]),
    parts.number(1, 'CaptureMonth', [
      [1, 12],
      [255, 255],
    ]),
    parts.number(1, 'CaptureDay', [
      [1, 31],
      [255, 255],
    ]),
    parts.number(1, 'CaptureHour', [
      [0, 23],
      [255, 255],
    ]),
    parts.number(1, 'CaptureMinute', [
      [0, 59],
      [255, 255],
    ]),
    parts.number(1, 'CaptureSecond', [
      [0, 60],
      [255, 255],
    ]),
    parts.number(2, 'CaptureMillisecond', [
      [0, 999],
      [0xffff, 0xffff],
    ]),
  ];
  fields.noted.push(...parts.noted);
  return dateText(
    values.map((value, index) => (value === (index % 6 === 0 ? 0xffff : 255) ? undefined : value)),
  );
}

/** @param parts year, month, day, hour, minute, second, millisecond, up to the first that is not known @returns ISO 8601 */
export function dateText(parts: readonly (number | undefined)[]): string | null {
  let text = '';
  for (const [index, part] of parts.entries()) {
    if (part === undefined) break;
    const digits = [4, 2, 2, 2, 2, 2, 3][index]!;
    text += ['', '-', '-', 'T', ':', ':', '.'][index]! + String(part).padStart(digits, '0');
  }
  if (text === '') return null;
  // A time needs its minutes.
  if (text.length === 13) text += ':00';
  return text.includes('T') ? `${text}Z` : text;
}

/** MPEG-4 feature points 12.1 and 12.2: the centres of the left and the right eye (ISO/IEC 19794-5, table of feature points). */
const EYE_CENTRES = [0xc1, 0xc2] as const;
/** MPEG-4 feature points, and anthropometric landmarks, 3.5 and 3.6: the centres of the pupils. */
const PUPILS = [0x35, 0x36] as const;

function readEyes(fields: Fields, count: number, part: string): RecordFacts['eyes'] {
  const points = new Map<number, Point>();
  for (let i = 0; i < count; i++) {
    fields.number(1, `${part}Type`, LANDMARK_KINDS);
    const code = fields.number(1, `${part}Code`);
    const point = { x: fields.number(2, `${part}X`), y: fields.number(2, `${part}Y`) };
    fields.number(2, `${part}Z`);
    points.set(code, point);
  }
  return eyesOf(points, [EYE_CENTRES, PUPILS]);
}

/** @param kinds codes of a left and a right eye, the best first */
export function eyesOf(
  points: ReadonlyMap<number, Point>,
  kinds: readonly (readonly [left: number, right: number])[],
): RecordFacts['eyes'] {
  for (const [leftCode, rightCode] of kinds) {
    const [left, right] = [points.get(leftCode), points.get(rightCode)];
    if (left !== undefined && right !== undefined) return { left, right };
  }
  return null;
}

/** A picture to be written as a record, with what Vouch knows about it. */
export interface WrittenFace {
  jpeg: Uint8Array;
  width: number;
  height: number;
  /** Of the person's own left and right eye, whole pixels. */
  eyes: { left: Point; right: Point };
}

/** The record with one picture of the kind "basic". Fields that Vouch does not know say so. @param year of the edition */
export function writeFac({ jpeg, width, height, eyes }: WrittenFace, year: 2005 | 2011): Uint8Array {
  const is2011 = year === 2011;
  const landmarks = [eyes.left, eyes.right].map(({ x, y }, index) =>
    numbers([1, 1], [1, EYE_CENTRES[index]!], [2, x], [2, y], [2, 0]),
  );
  // Gender, colours, height, properties, expression and pose are unspecified.
  const unspecified = new Uint8Array(is2011 ? 15 : 14);
  const information = is2011
    ? numbers(
        [1, BASIC_2011],
        [1, 0],
        [2, width],
        [2, height],
        [1, 0],
        [2, 0],
        [1, 0],
        [1, RGB],
        [4, jpeg.length],
      )
    : numbers([1, 0], [1, 0], [2, width], [2, height], [1, RGB], [1, 0], [2, 0], [2, 0]);
  // An unspecified time, technology, vendor and type of the camera, and no quality.
  const capture = is2011 ? [new Uint8Array(9).fill(0xff), new Uint8Array(6)] : [];
  const parts = [...capture, numbers([2, landmarks.length]), unspecified, ...landmarks, information, jpeg];
  const length = 4 + parts.reduce((sum, part) => sum + part.length, 0);
  const header = is2011 ? 17 : 14;
  return Buffer.concat([
    Buffer.from(is2011 ? 'FAC\0\x30\x33\x30\0' : 'FAC\0\x30\x31\x30\0', 'latin1'),
    numbers(
      [4, header + length],
      [2, 1],
      ...(is2011
        ? ([
            [1, 0],
            [2, 0],
          ] as const)
        : []),
    ),
    numbers([4, length]),
    ...parts,
  ]);
}

const BASIC_2011 = 0;
const RGB = 1;

/** @param fields bytes and value of each, big-endian */
function numbers(...fields: (readonly [bytes: number, value: number])[]): Uint8Array {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntBE(value, 0, bytes);
      return field;
    }),
  );
}
