import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { CodedError } from '../../contracts/errors/problem.ts';
import { writeFac } from './fac.ts';
import { write39794 } from './iso39794.ts';
import { pictureKindOf } from '../../contracts/pictureKinds.ts';
import { readFaceRecord, withPlainLineEnds } from './readRecord.ts';
import { writeElement } from './tlv.ts';

const JPEG = await sharp({ create: { width: 240, height: 320, channels: 3, background: '#876' } })
  .jpeg()
  .toBuffer();
const JP2 = Buffer.from('0000000c6a5020200d0a870a0000001466747970', 'hex');
const EYES = { left: { x: 150, y: 144 }, right: { x: 90, y: 145 } };
const FACE = { jpeg: JPEG, width: 240, height: 320, eyes: EYES };

const OF_2005 = writeFac(FACE, 2005);
const OF_2011 = writeFac(FACE, 2011);
const OF_2019 = write39794(FACE);

const HEADER = Buffer.from('8101028201008307202601020304058604010300018702010188020008', 'hex');
const header = writeElement(0xa1, HEADER);
function dataGroup(...blocks: Uint8Array[]): Uint8Array {
  const templates = blocks.map((block) => writeElement(0x7f60, header, block));
  return writeElement(0x75, writeElement(0x7f61, Uint8Array.of(2, 1, blocks.length), ...templates));
}

interface Bir {
  type?: string | undefined;
  data?: string;
  more?: string;
}
function cbeff(birs: readonly Bir[], prefix = ''): string {
  const inner = birs.map(
    ({ type, data, more = '' }) =>
      `<${prefix}BIR><${prefix}BDBInfo>${more}${type === undefined ? '' : `<${prefix}Type>${type}</${prefix}Type>`}` +
      `</${prefix}BDBInfo>${data === undefined ? '' : `<${prefix}BDB>${data}</${prefix}BDB>`}</${prefix}BIR>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made here -->\n<${prefix}BIR b="2" xmlns${
    prefix === '' ? '' : `:${prefix.slice(0, -1)}`
  }="http://standards.iso.org/iso-iec/19785/-3/ed-2/" a='1'>${inner.join('\n')}</${prefix}BIR>`;
}
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const wrapped = (text: string) => text.replaceAll(/.{76}/g, '$&\r\n');

function faultOf(content: Uint8Array | string): string {
  try {
    readFaceRecord(Buffer.from(content));
  } catch (error) {
    assert.ok(error instanceof CodedError, String(error));
    return error.problem.code;
  }
  return 'none';
}

const RECORDS: Record<string, Uint8Array> = {
  '19794-5:2005': OF_2005,
  '19794-5:2011': OF_2011,
  '39794-5': OF_2019,
  '39794-5 as in a passport': writeElement(0xa1, OF_2019),
};

for (const [name, record] of Object.entries(RECORDS))
  test(`${name}: picture, size and eyes are read alone and in every wrapping`, () => {
    const group = dataGroup(writeElement(name.startsWith('19') ? 0x5f2e : 0x7f2e, record));
    const xml = cbeff([{ type: 'Face', data: `\n  ${wrapped(url(record))}\n` }]);
    const wrappings = [record, group, group.subarray(4), Buffer.from(xml)];
    const prefixed = Buffer.from(`\uFEFF${cbeff([{ data: base64(record) }], 'cb:')}`);
    const utf16 = Buffer.from(`\uFEFF${xml}`, 'utf16le');
    const texts = wrappings.flatMap((each) => [
      base64(each),
      wrapped(url(each)),
      ` data:x/y;base64,${base64(each)}\n`,
    ]);
    for (const bytes of [...wrappings, prefixed, utf16, ...texts.map((text) => Buffer.from(text))]) {
      assert.equal(pictureKindOf(bytes.subarray(0, 4096)), 'face record');
      const faces = readFaceRecord(bytes);
      assert.equal(faces.length, 1);
      assert.deepEqual(Buffer.from(faces[0]!.image), JPEG);
      const { size, eyes, image, face, faces: of } = faces[0]!.facts;
      assert.deepEqual(
        { size, eyes, image, face, of },
        { size: { width: 240, height: 320 }, eyes: EYES, image: 'jpeg', face: 1, of: 1 },
      );
    }
  });

test('a record that is cut anywhere, or continues behind its end, is refused', () => {
  for (const record of [OF_2005, OF_2011, OF_2019, dataGroup(writeElement(0x5f2e, OF_2005))]) {
    for (let end = 24; end < record.length; end += 7)
      assert.notEqual(faultOf(record.subarray(0, end)), 'none', `${end}`);
    assert.notEqual(faultOf(Buffer.concat([record, Buffer.of(0)])), 'none');
  }
});

test('several faces of a record, a data group or a CBEFF file come in their order', () => {
  const lengthAt = 8;
  const second = OF_2005.subarray(14);
  const two = Buffer.concat([OF_2005, second]);
  two.writeUInt32BE(two.length, lengthAt);
  two.writeUInt16BE(2, 12);
  const group = dataGroup(writeElement(0x5f2e, OF_2005), writeElement(0x7f2e, OF_2019));
  const xml = cbeff([
    { type: 'Finger', data: base64(Buffer.from('FIR\0')) },
    { type: 'Face', data: base64(OF_2011) },
    { type: 'Iris' },
    { type: 'Face', data: base64(OF_2005) },
  ]);
  for (const bytes of [two, group, Buffer.from(xml)])
    assert.deepEqual(
      readFaceRecord(bytes).map(({ facts }) => [facts.face, facts.faces]),
      [
        [1, 2],
        [2, 2],
      ],
    );
});

test('facts of the file around a record are read', () => {
  const [ofGroup] = readFaceRecord(dataGroup(writeElement(0x5f2e, OF_2005)));
  assert.deepEqual(
    [ofGroup?.facts.container, ofGroup?.facts.created, ofGroup?.facts.creator],
    ['EF.DG2', '2026-01-02T03:04:05Z', '01030001'],
  );
  const more =
    '<Creator>Office 4 &amp; 5</Creator><CreationDate>2026-02-03</CreationDate><Quality><Score>61</Score></Quality>';
  const [ofXml] = readFaceRecord(Buffer.from(cbeff([{ type: 'Face', data: url(OF_2005), more }])));
  const { creator, created, qualities } = ofXml!.facts;
  assert.deepEqual(
    [creator, created, qualities],
    ['Office 4 & 5', '2026-02-03', [{ score: 61, vendor: null, algorithm: null }]],
  );
});

/** A record of 2011 with other bytes from the time of capture on. */
function changed2011(change: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(OF_2011);
  change(bytes.subarray(21));
  return bytes;
}

test('time, qualities and pose of a record of 2011 are read', () => {
  const timed = changed2011((bytes) => Buffer.from('07ea0b1c0d0e0f0010', 'hex').copy(bytes));
  assert.equal(readFaceRecord(timed)[0]?.facts.captured, '2026-11-28T13:14:15.016Z');
  const day = changed2011((bytes) => Buffer.from('07ea0b1cffffffffff', 'hex').copy(bytes));
  assert.equal(readFaceRecord(day)[0]?.facts.captured, '2026-11-28');
  const posed = changed2011((bytes) => Buffer.from('0bb4', 'hex').copy(bytes, 15 + 2 + 9));
  assert.deepEqual(readFaceRecord(posed)[0]?.facts.pose, { yaw: 20, pitch: -2, roll: null });
  const quality = Buffer.concat([
    OF_2011.subarray(0, 35),
    Buffer.of(2, 77, 0, 1, 0, 2, 255, 0, 3, 0, 4),
    OF_2011.subarray(36),
  ]);
  quality.writeUInt32BE(quality.length, 8);
  quality.writeUInt32BE(quality.length - 17, 17);
  assert.deepEqual(readFaceRecord(quality)[0]?.facts.qualities, [
    { score: 77, vendor: 1, algorithm: 2 },
    { score: null, vendor: 3, algorithm: 4 },
  ]);
});

test('a damaged value of a record names its field', () => {
  assert.equal(faultOf(changed2011((bytes) => bytes.writeUInt8(13, 2))), 'RECORD_VALUE_WRONG');
  assert.equal(faultOf(changed2011((bytes) => bytes.writeUInt16BE(0xffff, 15))), 'RECORD_VALUE_WRONG');
  // Blue hair, and hair of an unknown colour.
  for (const colour of [9, 255])
    assert.equal(faultOf(Buffer.from(OF_2005).fill(colour, 22, 23)), 'none', `${colour}`);
  assert.equal(faultOf(Buffer.from(OF_2005).fill(10, 22, 23)), 'RECORD_VALUE_WRONG');
  const version = Buffer.from(OF_2011);
  version.write('040', 4);
  assert.equal(faultOf(version), 'RECORD_VERSION_UNSUPPORTED');
  const none = Buffer.from(OF_2011);
  none.writeUInt16BE(0, 12);
  assert.equal(faultOf(none), 'RECORD_VALUE_WRONG');
  const many = Buffer.from(OF_2011);
  many.writeUInt16BE(0xffff, 12);
  assert.equal(faultOf(many), 'RECORD_VALUE_WRONG');
  const length = Buffer.from(OF_2011);
  length.writeUInt32BE(0xffffffff, 8);
  assert.equal(faultOf(length), 'RECORD_LENGTH_WRONG');
});

test('lengths in the long form are read, indefinite ones are refused', () => {
  const block = OF_2019.subarray(4);
  const long = Buffer.concat([Buffer.of(0x65, 0x84, 0, 0, block.length >> 8, block.length & 255), block]);
  assert.equal(OF_2019[1], 0x82);
  assert.equal(readFaceRecord(long).length, 1);
  const indefinite = Buffer.concat([Buffer.of(0x7f, 0x61, 0x80, 2, 1, 0), Buffer.of(0, 0)]);
  assert.equal(faultOf(indefinite), 'RECORD_LENGTH_INDEFINITE');
});

test('extensions of ISO/IEC 39794-5 are left alone, misplaced fields are refused', () => {
  const version = writeElement(0xa0, Buffer.from('8001038102 07e3'.replace(' ', ''), 'hex'));
  const rest = OF_2019.subarray(4 + version.length);
  assert.deepEqual(Buffer.concat([version, rest]), OF_2019.subarray(4));
  const extended = writeElement(0x65, version, rest, writeElement(0x9e, Buffer.from('later edition')));
  assert.equal(readFaceRecord(extended).length, 1);
  assert.equal(faultOf(writeElement(0x65, version, version, rest)), 'RECORD_FIELD_MISPLACED');
  assert.equal(faultOf(writeElement(0x65, version)), 'RECORD_FIELD_MISSING');
});

test('JPEG 2000 is told apart from JPEG by the picture, and other content is refused', () => {
  for (const write of [
    write39794,
    (face: typeof FACE) => writeFac(face, 2005),
    (face: typeof FACE) => writeFac(face, 2011),
  ]) {
    assert.equal(readFaceRecord(write({ ...FACE, jpeg: JP2 }))[0]?.facts.image, 'jpeg2000');
    assert.equal(faultOf(write({ ...FACE, jpeg: Buffer.from('GIF89a') })), 'RECORD_IMAGE_UNKNOWN');
    assert.equal(faultOf(write({ ...FACE, jpeg: Buffer.alloc(0) })), 'RECORD_FIELD_MISSING');
  }
});

test('a record without a face says what it has', () => {
  const finger = base64(Buffer.from('FIR\x00020\0'));
  assert.equal(faultOf(cbeff([])), 'RECORD_FIELD_MISSING');
  for (const birs of [
    [{ type: 'Face' }],
    [{ type: 'Face', data: ' ' }],
    [{ type: 'Finger', data: finger }],
    [{ type: 'Face', data: finger }],
    [{ data: finger }],
  ])
    assert.equal(faultOf(cbeff(birs)), 'RECORD_WITHOUT_FACE');
  const iris = dataGroup(writeElement(0x5f2e, OF_2005));
  Buffer.from(iris.buffer, iris.byteOffset).writeUInt8(0x10, iris.indexOf(0xa1) + 4);
  assert.equal(faultOf(iris), 'RECORD_WITHOUT_FACE');
});

test('a record made of too many parts is refused before they take memory', () => {
  const elements = Buffer.alloc(2 * 300, Uint8Array.of(0x30, 0));
  const landmarks = Buffer.from(OF_2005);
  landmarks.writeUInt16BE(257, 18);
  const faces = Buffer.concat([
    OF_2005.subarray(0, 14),
    ...Array.from({ length: 100 }, () => OF_2005.subarray(14)),
  ]);
  faces.writeUInt32BE(faces.length, 8);
  faces.writeUInt16BE(100, 12);
  const block = writeElement(0x5f2e, faces);
  const bir = { type: 'Face', data: base64(faces) };
  assert.equal(faultOf(block), 'none');
  assert.equal(faultOf(cbeff([bir])), 'none');
  assert.equal(faultOf(landmarks), 'RECORD_VALUE_WRONG');
  const tooLarge = [
    writeElement(0x75, writeElement(0x7f61, elements)),
    writeElement(0x65, writeElement(0xa0, elements)),
    // The last block is damaged, and is not reached.
    dataGroup(block, block, writeElement(0x5f2e, faces.subarray(0, 40))),
    cbeff([bir, bir, { type: 'Face', data: '*' }]),
  ];
  for (const record of tooLarge) assert.equal(faultOf(record), 'RECORD_TOO_LARGE');
  // Data around a record is no second record.
  const nested = `<BIR><BDB>${base64(OF_2005)}</BDB></BIR>`;
  assert.equal(readFaceRecord(Buffer.from(`<BIR><BDB>${nested}</BDB></BIR>`)).length, 1);
});

test('hostile XML is refused', () => {
  const face = [{ type: 'Face', data: url(OF_2005) }];
  const declared = cbeff(face).replace('\n', '\n<!DOCTYPE BIR [<!ENTITY a SYSTEM "file:///etc/passwd">]>');
  assert.equal(faultOf(declared), 'RECORD_XML_DOCTYPE');
  assert.equal(faultOf(cbeff(face).replace('Face', '&a;')), 'RECORD_XML_BROKEN');
  assert.equal(faultOf(cbeff(face).slice(0, -3)), 'RECORD_XML_BROKEN');
  assert.equal(faultOf(`<BIR>${'<a>'.repeat(9000)}${'</a>'.repeat(9000)}</BIR>`), 'RECORD_TOO_LARGE');
  assert.equal(faultOf(`<BIR>${'<a/>'.repeat(300_000)}</BIR>`), 'RECORD_TOO_LARGE');
  assert.equal(faultOf(cbeff([{ type: 'Face', data: 'RkFD*' }])), 'RECORD_BASE64_BROKEN');
});

test('a CBEFF file has line ends of any system, and only so many marks', () => {
  for (const end of ['\r\n', '\r', '\n'])
    assert.equal(withPlainLineEnds(`a${end}${end}b`), 'a\n\nb', JSON.stringify(end));
  const face = cbeff([{ type: 'Face', data: wrapped(base64(OF_2005)) }]).replaceAll('\n', '\r\n');
  assert.equal(faultOf(face), 'none');
  const many = Array.from({ length: 20_001 }, (_, at) => `a${at}="1"`);
  for (const marks of [many.map(() => '&amp;').join(''), `<a ${many.join(' ')}/>`])
    assert.equal(faultOf(`<BIR>${marks}</BIR>`), 'RECORD_TOO_LARGE');
});

test('photos, texts and other files are no records', () => {
  for (const content of [
    JPEG,
    JP2,
    Buffer.from('u\x7fa'),
    Buffer.from('<svg/>'),
    Buffer.from('hello'),
    Buffer.alloc(0),
    Buffer.from(base64(JPEG)),
  ]) {
    assert.notEqual(pictureKindOf(content), 'face record');
    assert.equal(faultOf(content), 'RECORD_UNKNOWN');
  }
});

test('each of many mutations of a record has one coded answer', () => {
  const count = Number(process.env.VOUCH_RECORD_FUZZ ?? 2000);
  const sources = [
    ...Object.values(RECORDS),
    dataGroup(writeElement(0x7f2e, OF_2019)),
    Buffer.from(cbeff([{ type: 'Face', data: url(OF_2011) }])),
    Buffer.from(base64(OF_2005)),
  ];
  let seed = Number(process.env.VOUCH_SEED ?? 7);
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  let refused = 0;
  for (let i = 0; i < count; i++) {
    const source = Buffer.from(sources[i % sources.length]!);
    for (let changes = 1 + random(4); changes > 0; changes--) {
      // Most of the structure is at the beginning and at the end.
      const at = [
        random(source.length),
        random(Math.min(160, source.length)),
        source.length - 1 - random(60),
      ][random(3)]!;
      source[at] = [random(256), source[at]! ^ (1 << random(8)), 0xff, 0x80][random(4)]!;
    }
    const cut = random(5) === 0 ? source.subarray(0, random(source.length)) : source;
    if (faultOf(cut) !== 'none') refused += 1;
  }
  assert.ok(refused > count / 4 && refused < count);
});
