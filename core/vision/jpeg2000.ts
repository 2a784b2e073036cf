/** JPEG 2000 by OpenJPEG in WebAssembly: a file in boxes (JP2, JPX) or the codestream alone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { UnreadableImage } from './decode.ts';
import type { Pixels } from './convert.ts';

/** The parts of the package that are used; it has no types. */
interface Decoder {
  getEncodedBuffer(length: number): Uint8Array;
  decode(): void;
  getFrameInfo(): {
    width: number;
    height: number;
    bitsPerSample: number;
    componentCount: number;
    isSigned: boolean;
  };
  getDecodedBuffer(): Uint8Array;
  getColorSpace(): number;
}
type OpenJpeg = (options: {
  print: (line: string) => void;
  printErr: (line: string) => void;
  instantiateWasm: (
    imports: Record<string, object>,
    receive: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Instance['exports'];
}) => Promise<{ J2KDecoder: new () => Decoder }>;

const require = createRequire(import.meta.url);

/** SOC and SIZ (ISO/IEC 15444-1, A.4.1 and A.5.1). */
const CODESTREAM = Buffer.from('ff4fff51', 'hex');
const BOX_OF_CODESTREAM = 0x6a703263;
/** Offsets from SOC. */
const SIZE_AT = 8;
const COMPONENTS_AT = 40;

export interface CodestreamSize {
  width: number;
  height: number;
  components: number;
  /** Whether a component has fewer rows or columns than the picture, negative values, or other bits than the first. */
  irregular: boolean;
  /** Whether each tile has data, which may end early. The decoder fills missing tiles up without a word. */
  hasAllTiles: boolean;
}

/** From the header alone. @returns undefined: there is no codestream, or its header is damaged */
export function codestreamSize(bytes: Uint8Array): CodestreamSize | undefined {
  const start = codestreamStart(bytes);
  if (start === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start);
  if (view.byteLength < COMPONENTS_AT + 2) return undefined;
  const [right, bottom, left, top] = [0, 4, 8, 12].map((at) => view.getUint32(SIZE_AT + at));
  const components = view.getUint16(COMPONENTS_AT);
  if (components === 0 || view.byteLength < COMPONENTS_AT + 2 + 3 * components) return undefined;
  const [width, height] = [right! - left!, bottom! - top!];
  if (width <= 0 || height <= 0) return undefined;
  const irregular = Array.from({ length: components }, (_, each) => COMPONENTS_AT + 2 + 3 * each).some(
    (at) =>
      view.getUint8(at) >= 0x80 ||
      // The decoder states the bits of one component alone.
      view.getUint8(at) !== view.getUint8(COMPONENTS_AT + 2) ||
      view.getUint8(at + 1) !== 1 ||
      view.getUint8(at + 2) !== 1,
  );
  return { width, height, components, irregular, hasAllTiles: tilesOf(view) >= tilesStated(view) };
}

/** Offset from SOC of width and height, and left and top, of the tiles. */
const TILES_AT = 24;
const SOT = 0xff90;
const SOT_BYTES = 12;

function tilesStated(view: DataView): number {
  const along = ([end, size, start]: readonly number[]) => Math.ceil((end! - start!) / size!);
  const across = [SIZE_AT, TILES_AT, TILES_AT + 8].map((at) => view.getUint32(at));
  const down = [SIZE_AT, TILES_AT, TILES_AT + 8].map((at) => view.getUint32(at + 4));
  return along(across) * along(down);
}

/** Tiles of which the codestream has a part (ISO/IEC 15444-1, A.4.2). */
function tilesOf(view: DataView): number {
  const tiles = new Set<number>();
  for (let at = 2; at + SOT_BYTES <= view.byteLength;) {
    const isTile = view.getUint16(at) === SOT;
    if (isTile) tiles.add(view.getUint16(at + 4));
    const length = isTile ? view.getUint32(at + 6) : 2 + view.getUint16(at + 2);
    // 0: to the end of the codestream.
    if (length < (isTile ? SOT_BYTES : 4)) break;
    at += length;
  }
  return tiles.size;
}

function codestreamStart(bytes: Uint8Array): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.subarray(0, 4).equals(CODESTREAM)) return 0;
  for (let at = 0; at + 8 <= file.length;) {
    const length = file.readUInt32BE(at);
    const head = length === 1 ? 16 : 8;
    if (file.readUInt32BE(at + 4) === BOX_OF_CODESTREAM)
      return file.subarray(at + head, at + head + 4).equals(CODESTREAM) ? at + head : undefined;
    // 0: to the end of the file. 1: a length of eight bytes, of a box of gigabytes.
    if (length < 8) return undefined;
    at += length;
  }
  return undefined;
}

/** Numbers of OpenJPEG's colour spaces. */
const SYCC = 3;
const LAST_OF_RGB = 3;
/** Lines of OpenJPEG about data that it lacks or cannot use. It does not throw, and fills the picture up. */
const DAMAGE = /\[ERROR\]|truncat|not enough|corrupt|inconsistent|incomplete/i;

/** Memory of the decoder, bytes. Headers of a few bytes can ask for tiles and precincts of gigabytes. */
const MEMORY = 450 * 2 ** 20;
const PAGE = 65_536;

const TOO_MUCH = `The decoder of JPEG 2000 asks for more than ${MEMORY} bytes.`;

/** Bounds the memory of an instance. @param say called when it asks for more */
function bound({ exports }: WebAssembly.Instance, say: (line: string) => void): void {
  for (const memory of Object.values(exports)) {
    if (!(memory instanceof WebAssembly.Memory)) continue;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * PAGE <= MEMORY) return grow(pages);
      say(TOO_MUCH);
      throw new RangeError(TOO_MUCH);
    };
  }
}

/**
 * The pixels with 8 bits a sample.
 * @param bytes within the limits, by {@link codestreamSize}
 * @throws {UnreadableImage} the data are damaged or end early, take too much memory, or have colours other than grey, RGB
 * and sYCC
 */
export async function decodeJpeg2000(bytes: Uint8Array): Promise<Pixels> {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const load = require('@cornerstonejs/codec-openjpeg/decodewasmjs') as OpenJpeg;
  const wasmBinary = readFileSync(require.resolve('@cornerstonejs/codec-openjpeg/decodewasm'));
  // A memory for each picture: it never shrinks, and after a failure the decoder still has the picture before.
  const { J2KDecoder } = await load({
    print: say,
    printErr: say,
    instantiateWasm: (imports, receive) => {
      const instance = new WebAssembly.Instance(new WebAssembly.Module(wasmBinary), imports);
      bound(instance, say);
      receive(instance);
      return instance.exports;
    },
  });
  const unreadable = (cause: unknown) =>
    new UnreadableImage(lines.includes(TOO_MUCH) ? 'IMAGE_TOO_LARGE' : 'CORRUPT_IMAGE', { cause });
  const decoder = new J2KDecoder();
  try {
    decoder.getEncodedBuffer(bytes.length).set(bytes);
    decoder.decode();
  } catch (cause) {
    throw unreadable(cause);
  }
  const { width, height, bitsPerSample, componentCount: channels, isSigned } = decoder.getFrameInfo();
  const decoded = decoder.getDecodedBuffer();
  const wide = bitsPerSample > 8 ? 2 : 1;
  const samples = width * height * channels;
  if (samples === 0 || lines.some((line) => DAMAGE.test(line)) || decoded.length !== samples * wide)
    throw unreadable(new Error(lines.at(-1)));
  const space = decoder.getColorSpace();
  if (isSigned || channels > 4 || space > LAST_OF_RGB) throw new UnreadableImage('UNSUPPORTED_IMAGE');
  const most = 2 ** bitsPerSample - 1;
  const data = new Uint8Array(samples);
  for (let at = 0; at < samples; at++) {
    const value = wide === 2 ? decoded[2 * at]! + 256 * decoded[2 * at + 1]! : decoded[at]!;
    data[at] = most === 255 ? value : Math.round((value * 255) / most);
  }
  if (space === SYCC && channels >= 3) fromYcc(data, channels);
  return { data, width, height, channels };
}

/** Luma and two differences of colour to RGB, in place (ITU-R BT.601, full range). */
function fromYcc(data: Uint8Array, channels: number): void {
  const clamped = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  for (let at = 0; at < data.length; at += channels) {
    const [y, cb, cr] = [data[at]!, data[at + 1]! - 128, data[at + 2]! - 128];
    clamped[at] = y + 1.402 * cr;
    clamped[at + 1] = y - 0.344136 * cb - 0.714136 * cr;
    clamped[at + 2] = y + 1.772 * cb;
  }
}
