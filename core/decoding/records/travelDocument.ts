/** Data group 1 of a travel document: the text of its machine-readable zone (ICAO 9303, parts 3 to 6 and 10). */
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { readElement } from './tlv.ts';

/** The holder by the machine-readable zone. The letters are those of the zone: A to Z. */
export interface Holder {
  /** Given names, then the surname; cut where the zone had no room. */
  name: string;
  /** Three letters of the state or organisation. */
  issuer: string;
  number: string;
}

const DATA_GROUP_1 = 0x61;
const ZONE = 0x5f1f;
/** First byte of a file that is data group 1. */
export const DATA_GROUP_1_START = DATA_GROUP_1;
/** Larger files are no data group 1: the zone has 90 characters at most. */
export const DATA_GROUP_1_BYTES = 200;

/** Places of a zone by its length, first character and the one behind the last. `more`: where a long number goes on. */
interface Places {
  names: readonly [number, number];
  number: readonly [number, number];
  more: readonly [number, number] | null;
}
const PLACES: Readonly<Record<number, Places>> = {
  // Passports: two lines of 44.
  88: { names: [5, 44], number: [44, 53], more: null },
  // Documents of the size of an ID-2 card: two lines of 36.
  72: { names: [5, 36], number: [36, 45], more: [64, 71] },
  // Cards: three lines of 30.
  90: { names: [60, 90], number: [5, 14], more: [15, 30] },
};

/**
 * @param file the whole of EF.DG1
 * @throws {CodedError} it is none, it has no document number, or the check digit of that is wrong
 */
export function readHolder(file: Uint8Array): Holder {
  const group = readElement(file, 'EF.DG1');
  if (group.tag !== DATA_GROUP_1)
    throw new CodedError(problem('RECORD_FIELD_MISSING', { part: 'EF.DG1, 61' }));
  const { tag, content } = readElement(group.content, 'EF.DG1, 61');
  const places = PLACES[content.length];
  const zone = String.fromCharCode(...content);
  if (tag !== ZONE || places === undefined || !/^[A-Z0-9<]+$/.test(zone))
    throw new CodedError(problem('RECORD_FIELD_MISSING', { part: 'EF.DG1, 5F1F' }));
  const [surname = '', given = ''] = zone.slice(...places.names).split('<<');
  return {
    name: [given, surname].map(spaced).filter(Boolean).join(' '),
    issuer: zone.slice(2, 5).replaceAll('<', ''),
    number: numberOf(zone, places),
  };
}

function spaced(text: string): string {
  return text.replaceAll('<', ' ').trim();
}

function numberOf(zone: string, { number: [from, end], more }: Places): string {
  const short = zone.slice(from, end);
  // A number of more than nine characters goes on elsewhere, with its check digit at its end.
  const rest = zone[end] === '<' && more !== null ? (zone.slice(...more).split('<')[0] ?? '') : '';
  const number = rest === '' ? short : short + rest.slice(0, -1);
  const check = rest === '' ? zone[end] : rest.at(-1);
  if (check !== checkDigit(number))
    throw new CodedError(
      problem('RECORD_VALUE_WRONG', {
        part: `${NUMBER}, check digit`,
        value: check ?? '',
        allowed: checkDigit(number),
      }),
    );
  const plain = number.replaceAll('<', '');
  // Without a number all documents of an issuer would be those of one person.
  if (plain === '') throw new CodedError(problem('RECORD_FIELD_MISSING', { part: NUMBER }));
  return plain;
}

const NUMBER = 'EF.DG1, document number';
const WEIGHTS = [7, 3, 1];

/** ICAO 9303-3, 4.9. */
function checkDigit(text: string): string {
  const sum = Array.from(text).reduce(
    (total, letter, place) => total + (letter === '<' ? 0 : parseInt(letter, 36)) * WEIGHTS[place % 3]!,
    0,
  );
  return String(sum % 10);
}
