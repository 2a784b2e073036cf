/** A large site for the screens to show. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import { openHome } from '../../core/storage/engine/home.ts';
import { drawPhoto } from '../../test/browser/drawnFaces.ts';
import { writeSite } from '../siteRows.ts';

export interface Size {
  validations: number;
  blacklistFaces: number;
}

/** Different pictures; a list on screen shows about twenty at once. */
const PICTURES = 48;
/** A year and a half, evenly. */
const FIRST = Date.parse('2025-01-01T00:00:00Z');
const STEP = 475_000;
const GIVEN = [
  'Amina',
  'Jonas',
  'Leila',
  'Marek',
  'Noor',
  'Owen',
  'Priya',
  'Ruben',
  'Sofia',
  'Tariq',
  'Vera',
];
const FAMILY = ['Aalto', 'Bekele', 'Costa', 'Dahl', 'Eriksen', 'Farouk', 'Gomez', 'Haddad', 'Ito', 'Jansen'];

/** @param company its id; @param flow its internal Trust Flow; @param list an empty blacklist of it */
export async function fill(
  homeFolder: string,
  ids: { company: number; flow: number; list: number },
  size: Size,
): Promise<void> {
  const thumbnails = await Promise.all(Array.from({ length: PICTURES }, (_, person) => thumbnailOf(person)));
  const faceOf = (n: number) => ({
    name: nameOf(n),
    at: FIRST + n * STEP,
    quality: 60 + (n % 40),
    image: { id: randomUUID(), key: Buffer.alloc(32, n), sha256: n.toString(16).padStart(64, '0') },
    thumbnail: thumbnails[n % PICTURES]!,
  });
  writeSite(openHome(homeFolder), ids.company, (rows) => {
    for (let n = 0; n < size.validations; n++) {
      const face = faceOf(n);
      const status = statusOf(n);
      const duplicate = status !== TRUST_VALIDATION_STATUS.Verified;
      const blacklisted = duplicate && n % 2 === 0;
      const { name, at } = face;
      const validation = rows.addValidation({ flow: ids.flow, status, name, at, duplicate, blacklisted });
      rows.addFace({ of: { validation }, ...face });
    }
    for (let n = 0; n < size.blacklistFaces; n++) rows.addFace({ of: { list: ids.list }, ...faceOf(n) });
  });
}

/** Three in a hundred need review, one was rejected. */
function statusOf(n: number): number {
  if (n % 100 < 3) return TRUST_VALIDATION_STATUS.ReviewNeeded;
  return n % 100 === 3 ? TRUST_VALIDATION_STATUS.Rejected : TRUST_VALIDATION_STATUS.Verified;
}

function nameOf(n: number): string {
  return `${GIVEN[n % GIVEN.length] ?? ''} ${FAMILY[(n * 7) % FAMILY.length] ?? ''} ${n}`;
}

async function thumbnailOf(person: number): Promise<Buffer> {
  return sharp(Buffer.from(drawPhoto(person).thumbnail))
    .resize(112)
    .jpeg({ quality: 70 })
    .toBuffer();
}
