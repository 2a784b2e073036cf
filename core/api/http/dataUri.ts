/** Reading the data URIs in which callers send images inside a field. */

/** Some writers leave the media type out, or write it as `image/*`. */
const HEAD = /^data:(?:([a-z0-9.+-]+\/[a-z0-9.+*-]+)?(?:;[a-z0-9-]+=[a-z0-9."-]+)*;)?base64,/i;
/** Characters in which the head must end: what comes later is not searched. */
const LONGEST_HEAD = 128;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Characters that encoders insert when they fold and indent lines. A space within a line was a "+" that a form lost. */
const FOLDS = /[\t\n\f\r]+ */g;

export type DataUriFault = 'NOT_A_DATA_URI' | 'WRONG_MEDIA_TYPE' | 'NOT_BASE64' | 'EMPTY' | 'TOO_MANY_BYTES';

/**
 * Decodes `data:<media type>;base64,<data>`. Parameters of the media type (`;charset=utf-8`) and white space around the
 * URI and line breaks inside the data are allowed; percent-encoded and URL-safe base64 are not.
 * @param limits `bytes` of the decoded content; `mediaType` that is taken (empty: none is named), whatever the content turns out to be
 */
export function readDataUri(
  uri: string,
  limits: { bytes: number; mediaType: RegExp },
): { kind: 'bytes'; bytes: Uint8Array } | { kind: 'fault'; fault: DataUriFault } {
  const fault = (code: DataUriFault) => ({ kind: 'fault', fault: code }) as const;
  const text = uri.trimStart();
  const head = HEAD.exec(text.slice(0, LONGEST_HEAD));
  if (!head) return fault('NOT_A_DATA_URI');
  if (!limits.mediaType.test(head[1] ?? '')) return fault('WRONG_MEDIA_TYPE');
  const payload = text.slice(head[0].length).trim().replace(FOLDS, '');
  if (payload.length === 0) return fault('EMPTY');
  if (decodedLength(payload) > limits.bytes) return fault('TOO_MANY_BYTES');
  if (!isWhole(payload) || !BASE64.test(payload)) return fault('NOT_BASE64');
  return { kind: 'bytes', bytes: new Uint8Array(Buffer.from(payload, 'base64')) };
}

/** As browsers read data URIs: the padding may be left out, but not half of it. */
function isWhole(base64: string): boolean {
  return base64.endsWith('=') ? base64.length % 4 === 0 : base64.length % 4 !== 1;
}

function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(base64.length * 0.75) - padding;
}
