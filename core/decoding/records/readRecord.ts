/**
 * Reads a face record of another system: ISO/IEC 19794-5 and 39794-5, data group 2 of a passport (ICAO Doc 9303-10),
 * CBEFF XML (ISO/IEC 19785-3), and base64 text of each.
 */
import { parseXml, XmlElement, XmlDocumentType, XmlError } from '@rgrove/parse-xml';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { RecordFacts, RecordField } from '../../contracts/faceRecords.ts';
import { pictureKindOf, recordKindOf, withoutUri } from '../../contracts/pictureKinds.ts';
import { MAX_FACES, readFac, type FoundFace } from './fac.ts';
import { FACE_IMAGE_DATA_BLOCK, read39794 } from './iso39794.ts';
import { numberOf, readElement, readElements, tagText, type Element } from './tlv.ts';

export interface RecordFace {
  /** The picture as the record holds it. */
  image: Uint8Array;
  facts: RecordFacts;
  fields: RecordField[];
}

type Packed = FoundFace & { container: RecordFacts['container'] };

const FAC = [0x46, 0x41, 0x43, 0];
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * @returns the faces of the record, at least one, in its order
 * @throws {CodedError} one of RECORD_ERRORS: the content is no record, is damaged, or has no face
 */
export function readFaceRecord(bytes: Uint8Array): RecordFace[] {
  const isText = recordKindOf(bytes) === 'base64';
  const binary = isText ? bytesOfBase64(withoutUri(textOf(bytes)), 'the file') : bytes;
  const found = atMost(readPacked(binary));
  return found.map(({ image, facts, fields, container }, index) => ({
    image,
    facts: { ...facts, container, image: pictureKind(image), face: index + 1, faces: found.length },
    fields,
  }));
}

/** @throws {CodedError} more faces than a file may have; each takes memory */
function atMost<T>(faces: T[]): T[] {
  if (faces.length > MAX_FACES)
    throw new CodedError(problem('RECORD_TOO_LARGE', { most: MAX_FACES, part: 'faces' }));
  return faces;
}

function readPacked(bytes: Uint8Array): Packed[] {
  switch (recordKindOf(bytes)) {
    case 'fac':
      return readFac(bytes).map((face) => ({ ...face, container: null }));
    case 'tlv':
      return readTlv(bytes);
    case 'xml':
      return readXml(bytes);
    case 'base64':
    case null:
      throw new CodedError('RECORD_UNKNOWN');
  }
}

/** Text in UTF-8 or, with its mark, UTF-16. Damaged characters become U+FFFD. */
function textOf(bytes: Uint8Array): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  return new TextDecoder(utf16 ?? 'utf-8').decode(bytes);
}

/** Either alphabet of RFC 4648, with or without padding and line breaks. */
function bytesOfBase64(text: string, part: string): Uint8Array {
  const digits = text.replaceAll(/\s/g, '');
  const plain = digits.replace(/={0,2}$/, '');
  if (!BASE64.test(digits) || plain.length % 4 === 1)
    throw new CodedError(problem('RECORD_BASE64_BROKEN', { part }));
  return Buffer.from(plain, 'base64');
}

const BIOMETRIC_DATA = 0x75;
const GROUP = 0x7f61;
const TEMPLATE = 0x7f60;
const HEADER = 0xa1;
const INTEGER = 0x02;
const DATA_BLOCKS = [0x5f2e, 0x7f2e];

/** The data group of a passport, or what is inside it. */
function readTlv(bytes: Uint8Array): Packed[] {
  const { tag, content } = readElement(bytes, 'record');
  const container = 'EF.DG2';
  switch (tag) {
    case BIOMETRIC_DATA:
      return readGroup(expected(readElement(content, '75'), GROUP, '75').content);
    case GROUP:
      return readGroup(content);
    case TEMPLATE:
      return readTemplate(content).map((face) => ({ ...face, container }));
    default:
      return readDataBlock(DATA_BLOCKS.includes(tag) ? content : bytes).map((face) => ({
        ...face,
        container: DATA_BLOCKS.includes(tag) ? container : null,
      }));
  }
}

function expected(element: Element, tag: number, part: string): Element {
  if (element.tag !== tag)
    throw new CodedError(problem('RECORD_FIELD_MISPLACED', { part, tag: tagText(element.tag) }));
  return element;
}

/** The number of templates, and as many templates (ICAO Doc 9303-10, 4.7.2). */
function readGroup(content: Uint8Array): Packed[] {
  const [count, ...templates] = readElements(content, '7F61');
  if (count === undefined) throw new CodedError(problem('RECORD_FIELD_MISSING', { part: '7F61, 02' }));
  const stated = numberOf(expected(count, INTEGER, '7F61').content.subarray(0, 4));
  if (stated !== templates.length)
    throw new CodedError(
      problem('RECORD_VALUE_WRONG', { part: '7F61, 02', value: stated, allowed: `${templates.length}` }),
    );
  if (templates.length === 0) throw new CodedError(problem('RECORD_WITHOUT_FACE', { found: 'nothing' }));
  const faces: Packed[] = [];
  for (const template of templates) {
    for (const face of readTemplate(expected(template, TEMPLATE, '7F61').content))
      faces.push({ ...face, container: 'EF.DG2' });
    atMost(faces);
  }
  return faces;
}

/** Names of the elements of a biometric header template (ICAO Doc 9303-10, table 38, and ISO/IEC 7816-11). */
const HEADER_FIELDS: Record<number, string> = {
  0x80: 'patronHeaderVersion',
  0x81: 'biometricType',
  0x82: 'biometricSubtype',
  0x83: 'creationDate',
  0x84: 'validityPeriodOld',
  0x85: 'validityPeriod',
  0x86: 'creator',
  0x87: 'formatOwner',
  0x88: 'formatType',
};
const FACIAL_FEATURES = 0x02;

function readTemplate(content: Uint8Array): FoundFace[] {
  const [header, block, ...more] = readElements(content, '7F60');
  if (header === undefined || block === undefined)
    throw new CodedError(problem('RECORD_FIELD_MISSING', { part: header ? '7F60, 5F2E' : '7F60, A1' }));
  if (more[0] !== undefined || !DATA_BLOCKS.includes(block.tag))
    throw new CodedError(
      problem('RECORD_FIELD_MISPLACED', { part: '7F60', tag: tagText((more[0] ?? block).tag) }),
    );
  const elements = readElements(expected(header, HEADER, '7F60').content, 'A1');
  const type = elements.find(({ tag }) => tag === 0x81);
  const [stated, ...others] = type?.content ?? [];
  if (others.length === 0 && ![undefined, 0, FACIAL_FEATURES].includes(stated))
    throw new CodedError(problem('RECORD_WITHOUT_FACE', { found: `biometric type ${stated}` }));
  const noted = elements.map(({ tag, content: value }): RecordField => [
    HEADER_FIELDS[tag] ?? tagText(tag),
    Buffer.from(value).toString('hex').toUpperCase(),
  ]);
  const value = (name: string) => noted.find(([each]) => each === name)?.[1] ?? null;
  return readDataBlock(block.content).map((face) => ({
    ...face,
    facts: { ...face.facts, creator: value('creator'), created: bcdDate(value('creationDate')) },
    fields: [...noted, ...face.fields],
  }));
}

/** Seven bytes with two decimal digits each: YYYYMMDDhhmmss. */
function bcdDate(digits: string | null): string | null {
  const parts = digits === null ? null : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits);
  return parts && `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`;
}

const OTHER_MODALITIES: Record<string, string> = {
  FIR: 'a picture of fingers',
  FMR: 'minutiae of fingers',
  IIR: 'a picture of an iris',
  VIR: 'a picture of veins',
  SDI: 'a signature',
};

/** @returns undefined: it may be a face */
function otherContent(block: Uint8Array): string | undefined {
  if (block.length === 0) return 'an empty data block';
  return block[3] === 0 ? OTHER_MODALITIES[String.fromCharCode(...block.subarray(0, 3))] : undefined;
}

function readDataBlock(bytes: Uint8Array): FoundFace[] {
  if (FAC.every((byte, index) => bytes[index] === byte)) return readFac(bytes);
  const other = otherContent(bytes);
  if (other !== undefined) throw new CodedError(problem('RECORD_WITHOUT_FACE', { found: other }));
  if (bytes.length === 0)
    throw new CodedError(problem('RECORD_WITHOUT_FACE', { found: 'an empty data block' }));
  const outer = readElement(bytes, 'data block');
  const block = outer.tag === HEADER ? readElement(outer.content, 'A1') : outer;
  return read39794(expected(block, FACE_IMAGE_DATA_BLOCK, 'data block').content);
}

/** More tags, references and attributes than records have; each takes memory and time. */
const MAX_MARKUP = 20_000;
const MARKUP = /[<&=]/g;
const MAX_LEVELS = 100;

function readXml(bytes: Uint8Array): Packed[] {
  const text = textOf(bytes);
  let markup = 0;
  for (const _mark of text.matchAll(MARKUP)) {
    markup += 1;
    if (markup > MAX_MARKUP)
      throw new CodedError(problem('RECORD_TOO_LARGE', { most: MAX_MARKUP, part: 'tags' }));
  }
  const root = parse(text);
  const birs: XmlElement[] = [];
  collectBirs(root, birs, 0);
  const faces: Packed[] = [];
  const others: string[] = [];
  for (const bir of birs) {
    const block = child(bir, 'BDB');
    if (block === undefined) continue;
    const information = child(bir, 'BDBInfo');
    const types = textAt(information, 'Type')?.split(/[\s,]+/) ?? [];
    // A number is a type of the format's owner, which the content must tell.
    if (types.some((type) => /[a-z]/i.test(type)) && !types.some((type) => /^fac(e|ial)/i.test(type))) {
      others.push(types.join(' '));
      continue;
    }
    const data = block.text.trim();
    const content = data === '' ? new Uint8Array() : bytesOfBase64(data, 'BDB');
    const other = otherContent(content);
    if (other !== undefined) others.push(other);
    else
      for (const face of readDataBlock(content))
        faces.push({ ...withInformation(face, bir, information), container: 'CBEFF XML' });
    atMost(faces);
  }
  const isBare = (bir: XmlElement) => child(bir, 'BDB') === undefined && child(bir, 'BDBInfo') === undefined;
  // Neither data nor a word about data: it is the outer part of a record.
  if (birs.every(isBare)) throw new CodedError(problem('RECORD_FIELD_MISSING', { part: 'BDB' }));
  if (faces.length === 0)
    throw new CodedError(
      problem('RECORD_WITHOUT_FACE', {
        found: [...new Set(others)].join(', ').slice(0, 200) || 'no data block',
      }),
    );
  return faces;
}

/** The line ends that XML makes of all others: the parser needs for its own a time that grows with the square of their number. */
export const withPlainLineEnds = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

function parse(text: string): XmlElement {
  try {
    const plain = withPlainLineEnds(text.replace(/^\uFEFF/, ''));
    const document = parseXml(plain, { preserveDocumentType: true });
    if (document.children.some((node) => node instanceof XmlDocumentType))
      throw new CodedError('RECORD_XML_DOCTYPE');
    return document.root!;
  } catch (error) {
    if (error instanceof XmlError)
      throw new CodedError(problem('RECORD_XML_BROKEN', { line: error.line, column: error.column }), {
        cause: error,
      });
    // The parser calls itself for each level.
    if (error instanceof RangeError)
      throw new CodedError(problem('RECORD_TOO_LARGE', { most: MAX_LEVELS, part: 'levels of elements' }), {
        cause: error,
      });
    throw error;
  }
}

function collectBirs(element: XmlElement, birs: XmlElement[], level: number): void {
  if (level > MAX_LEVELS)
    throw new CodedError(problem('RECORD_TOO_LARGE', { most: MAX_LEVELS, part: 'levels of elements' }));
  if (localName(element) === 'bir') birs.push(element);
  // Data is no part of a file: a record in it would be read once for itself, and once for each data block around it.
  if (localName(element) === 'bdb') return;
  for (const each of element.children) if (each instanceof XmlElement) collectBirs(each, birs, level + 1);
}

/** Without the prefix of its namespace, which each system chooses. */
function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find(
    (each): each is XmlElement => each instanceof XmlElement && localName(each) === name.toLowerCase(),
  );
}

function textAt(element: XmlElement | undefined, ...path: readonly string[]): string | null {
  let found = element;
  for (const name of path) found = child(found, name);
  const text = found?.text.trim() ?? '';
  return text === '' ? null : text.slice(0, 200);
}

/** The face with the creator, the time and the quality that the file around its record states. */
function withInformation(face: FoundFace, bir: XmlElement, information: XmlElement | undefined): FoundFace {
  const fields: RecordField[] = [];
  for (const name of ['BIRInfo', 'BDBInfo']) noteXml(child(bir, name), name, fields);
  const score = Number(textAt(information, 'Quality', 'Score') ?? Number.NaN);
  const ownScore = { score, vendor: null, algorithm: null };
  return {
    ...face,
    facts: {
      ...face.facts,
      creator: textAt(child(bir, 'BIRInfo'), 'Creator') ?? textAt(information, 'Creator'),
      created: textAt(information, 'CreationDate') ?? textAt(child(bir, 'BIRInfo'), 'CreationDate'),
      qualities:
        face.facts.qualities.length === 0 && score >= 0 && score <= 100 ? [ownScore] : face.facts.qualities,
    },
    fields: [...fields, ...face.fields],
  };
}

function noteXml(element: XmlElement | undefined, path: string, fields: RecordField[]): void {
  const inner = element?.children.filter((each): each is XmlElement => each instanceof XmlElement) ?? [];
  for (const each of inner) noteXml(each, `${path}.${each.name.slice(each.name.indexOf(':') + 1)}`, fields);
  const text = element?.text.trim() ?? '';
  if (inner.length === 0 && text !== '') fields.push([path, text.slice(0, 200)]);
}

const PICTURES: Partial<Record<string, RecordFacts['image']>> = {
  JPEG: 'jpeg',
  'JPEG 2000': 'jpeg2000',
  PNG: 'png',
};

function pictureKind(image: Uint8Array): RecordFacts['image'] {
  const kind = PICTURES[pictureKindOf(image) ?? ''];
  if (kind !== undefined) return kind;
  const part = 'ImageData';
  throw new CodedError(
    image.length === 0
      ? problem('RECORD_FIELD_MISSING', { part })
      : problem('RECORD_IMAGE_UNKNOWN', { part }),
  );
}
