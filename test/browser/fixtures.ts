/** Answers of the mock API server, shaped and checked by the dashboard's contracts. */
import { SYSTEM_FLOW_NAME } from '../../core/contracts/codes.ts';
import { SEVERITIES, newListing, ofTexts } from '../../core/contracts/faceListing.ts';
import type { FaceImage, ScoreInterpretation } from '../../core/contracts/dashboard/faceImages.ts';
import type { BlacklistFace, BlacklistRow } from '../../core/contracts/dashboard/blacklists.ts';
import { PERMISSIONS, type Permission } from '../../core/contracts/dashboard/permissions.ts';
import type { Session } from '../../core/contracts/dashboard/session.ts';
import type { ValidationDetail, ValidationRow } from '../../core/contracts/dashboard/validations.ts';
import type { UploadDetail } from '../../core/contracts/dashboard/work.ts';
import { FAILURE_CODES } from '../../core/contracts/errors/failures.ts';
import { drawPhoto } from './drawnFaces.ts';

const START = Date.parse('2026-03-02T06:00:00.000Z');
const GIVEN = [
  'Amina',
  'Jonas',
  'Leïla',
  'Marek',
  'Nadia',
  'Omar',
  'Priya',
  'Rafael',
  'Sofia',
  'Tariq',
  'Uma',
  'Viktor',
  'Wanjiru',
  'Xenia',
  'Yusuf',
  'Zofia',
];
const FAMILY = [
  'Abara',
  'Brandt',
  'Chaoui',
  'Dvořák',
  'Evans',
  'Farouk',
  'Ghosh',
  'Haddad',
  'Ito',
  'Jankowska',
  'Kone',
  'Lindqvist',
  'Mbeki',
];
export const GALLERY_SIZE = 100_000;

export const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();
export const personName = (person: number) =>
  `${GIVEN[person % GIVEN.length]!} ${FAMILY[(person * 7) % FAMILY.length]!}`;

export const SESSION: Session = {
  permissions: Object.keys(PERMISSIONS) as Permission[],
  operator: { id: 1, name: 'Maren Holt', role: 'admin' },
  company: {
    id: 1,
    name: 'Harbour Registry',
    features: { registration: true, blacklists: true },
    storageConfigured: true,
    signatureSpecimens: true,
  },
};

/** `oneIn` follows the score as a calibration would: tenfold for every seven points. */
export function readingOf(score: number): ScoreInterpretation {
  return {
    score,
    band: score >= 85 ? 'strong' : score >= 70 ? 'possible' : 'none',
    possibleFrom: 70,
    strongFrom: 85,
    oneIn: Math.max(1, 10 ** ((score - 70) / 7) * 3),
    beyondMeasured: score > 85,
    gallerySize: GALLERY_SIZE,
  };
}

/** Photos of one person have numbers beside each other. */
const PHOTOS_EACH = 10;
/** From here on they are of the first blacklist, two of each person. */
export const FIRST_LISTED = 5_000;

function drawnUrl(face: number, what: 'thumbnail' | 'image'): string {
  return `/api/dashboard/faces/${face}/${what}`;
}

/** The aligned face of a person of the made-up site. */
export function thumbnailOf(person: number, photo = 0): string {
  return drawnUrl(person * PHOTOS_EACH + photo, 'thumbnail');
}

/** Whose photo, and which, the face of this number is. */
export function drawnFace(id: number): [person: number, photo: number] {
  const listed = id - FIRST_LISTED;
  return listed < 0
    ? [Math.floor(id / PHOTOS_EACH), id % PHOTOS_EACH]
    : [Math.floor(listed / 2) % 400, listed % 2];
}

export function faceImageOf(person: number, photo = 0): FaceImage {
  const { width, height, box, eyes } = drawPhoto(person, photo);
  return {
    imageUrl: drawnUrl(person * PHOTOS_EACH + photo, 'image'),
    thumbnailUrl: thumbnailOf(person, photo),
    width,
    height,
    box,
    eyes,
    fileName: `${personName(person).toLowerCase().replace(' ', '-')}-${photo + 1}.jpg`,
    sha256: (person * 7919 + photo).toString(16).padStart(8, '0').repeat(8),
    quality: 62 + ((person * 13 + photo * 7) % 36),
    pipelineId: 'vouch-face-1',
    enrolledAt: at(person * 3),
    person: null,
  };
}

export const [FIRST_PERSON, PERSONS] = [21, 8];

/** The validations that need review are of persons with other names than their photos. */
function personOf(index: number): { id: number; name: string } | null {
  const id = FIRST_PERSON + (index % PERSONS);
  return index % 97 === 3 ? { id, name: personName(id) } : null;
}

/** The values of row `index` that the list filters by: every 97th row needs review, one in 500 was rejected. */
export function filteredBy(index: number, decided: ReadonlyMap<number, number>) {
  const id = 240_000 - index;
  const usual = index % 97 === 3 ? 2 : index % 500 === 9 ? 1 : index % 241 === 20 ? 4 : 3;
  const screened = usual === 2 || usual === 1;
  return {
    id,
    usual,
    status: decided.get(id) ?? usual,
    source: usual === 3 ? ('enrolment' as const) : ('verification' as const),
    screened,
    name: personName(index % 400),
    reference: screened ? `R/${index}` : null,
    duplicateDetected: screened && index % 6 !== 0,
    blacklistDetected: screened && (usual === 1 || index % 2 === 0),
  };
}

/** Row `index` of the made-up list, newest first. */
export function rowOf(index: number, decided: ReadonlyMap<number, number> = new Map()): ValidationRow {
  const { usual, screened, ...row } = filteredBy(index, decided);
  return {
    ...row,
    trustFlowId: screened ? 7 : 1,
    trustFlowName: screened ? 'Border desk' : SYSTEM_FLOW_NAME,
    thumbnailUrl: usual === 4 ? null : thumbnailOf(index % 400),
    person: personOf(index),
    incompleteReason: row.status === 4 ? (index % 2 === 0 ? 'NO_SELFIE' : 'FACE_TOO_SMALL') : null,
    bestMatch: screened ? bestMatchOf(index, row.blacklistDetected) : null,
    createdAt: at(-index * 2),
    finalizedAt: usual === 4 ? null : at(-index * 2 + 1),
  };
}

function bestMatchOf(index: number, blacklisted: boolean): ValidationRow['bestMatch'] {
  const person = index % 400;
  return {
    score: index % 3 === 0 ? 91.4 : 74.2,
    band: index % 3 === 0 ? 'strong' : 'possible',
    name: personName(person),
    blacklistName: blacklisted ? 'Refused entry 2025' : null,
    severity: blacklisted ? SEVERITIES[index % 3]! : null,
    trustValidationId: blacklisted ? null : 240_000 - index - 400,
    thumbnailUrl: thumbnailOf(person, 1),
    person: personOf(index),
  };
}

export function detailOf(index: number, decided: ReadonlyMap<number, number>): ValidationDetail {
  const row = rowOf(index, decided);
  const person = index % 400;
  const noImage = row.thumbnailUrl === null;
  const duplicates = Array.from({ length: row.duplicateDetected ? 1 + (index % 2) : 0 }, (_, n) => ({
    trustValidationId: row.id - 400 * (n + 1),
    name: personName(person),
    personMatch: {
      id: null,
      photos: 1,
      agreeing: 1,
      photoSimilarityScore: n === 0 ? 91.4 : 74.2 - n,
      samePicture: n === 0,
    },
    reading: readingOf(n === 0 ? 91.4 : 74.2 - n),
    faceImage: faceImageOf(n === 0 ? person : person + 3, n + 1),
    earlierSelfie: null,
  }));
  const blacklists = Array.from({ length: row.blacklistDetected ? 1 + ((index % 3) % 2) : 0 }, (_, n) => ({
    blacklistId: 11 + n,
    blacklistName: n === 0 ? 'Refused entry 2025' : 'Document fraud',
    fullName: personName(person),
    blacklistFaceUploadId: 5_100 + person + n,
    severity: n === 0 ? ('stop' as const) : ('caution' as const),
    ...ofTexts(() => null),
    reason: n === 0 ? 'Refused entry after a forged visa' : null,
    personMatch: {
      id: null,
      photos: 1,
      agreeing: 1,
      photoSimilarityScore: n === 0 ? 87.9 : 72.6,
      samePicture: n === 0,
    },
    reading: readingOf(n === 0 ? 87.9 : 72.6),
    faceImage: faceImageOf(person, n + 4),
    earlierSelfie: null,
  }));
  const hit = duplicates.length + blacklists.length > 0;
  return {
    ...row,
    faceImage: noImage ? null : { ...faceImageOf(person), person: row.person },
    duplicates,
    blacklists,
    screening: {
      duplicates: hit,
      blacklists: hit ? ['Refused entry 2025', 'Document fraud'] : [],
      notScreened: hit && index % 2 === 0 ? ['Visitors 2019'] : [],
      photos: hit ? 3 : 0,
      thresholds: hit
        ? [
            { list: null, targetFmr: 1e-4, perSearch: null },
            {
              list: 'Refused entry 2025',
              targetFmr: 2e-5,
              perSearch: { persons: 512, targetFpir: 0.01, keptFpir: 0.01 },
            },
            {
              list: 'Document fraud',
              targetFmr: 1e-8,
              perSearch: { persons: 400_000, targetFpir: 0.001, keptFpir: 0.004 },
            },
          ]
        : [],
      at: hit ? row.finalizedAt : null,
    },
    history: [
      { at: row.createdAt, operator: null, action: 'created', status: 5, note: null, failureCode: null },
      ...(hit && row.finalizedAt !== null
        ? [
            {
              at: row.finalizedAt,
              operator: null,
              action: 'finalised' as const,
              status: 2,
              note: null,
              failureCode: null,
            },
          ]
        : []),
      ...(decided.has(row.id)
        ? [
            {
              at: at(5),
              operator: 'Maren Holt',
              action: row.status === 1 ? ('rejected' as const) : ('verified' as const),
              status: row.status,
              note: 'Compared side by side.',
              failureCode: null,
            },
          ]
        : []),
    ],
  };
}

export const BLACKLISTS: BlacklistRow[] = [
  {
    id: 11,
    name: 'Refused entry 2025',
    description: 'Persons refused at a border desk since January 2025',
    status: 1,
    enrolledFacesCount: 50_000,
    expiredFacesCount: 0,
    usedByTrustFlows: ['Border desk', 'Ferry terminal'],
    createdAt: at(-90_000),
    updatedAt: at(-60),
  },
  {
    id: 12,
    name: 'Document fraud',
    description: null,
    status: 1,
    enrolledFacesCount: 1_284,
    expiredFacesCount: 16,
    usedByTrustFlows: ['Border desk'],
    createdAt: at(-60_000),
    updatedAt: at(-30),
  },
  {
    id: 13,
    name: 'Visitors 2019',
    description: 'Kept for reference; no longer screened.',
    status: 0,
    enrolledFacesCount: 310,
    expiredFacesCount: 0,
    usedByTrustFlows: [],
    createdAt: at(-900_000),
    updatedAt: at(-400_000),
  },
];

export function blacklistFaceOf(index: number): BlacklistFace {
  const failed = index % 29 === 4;
  const pending = index % 37 === 8;
  return {
    id: failed || pending ? null : FIRST_LISTED + index,
    itemId: 9_000 + index,
    name: personName(Math.floor(index / 2)),
    status: failed ? 3 : pending ? 1 : 2,
    failureCode: failed ? FAILURE_CODES[index % 8]! : null,
    addedAt: at(-index),
    thumbnailUrl: failed || pending ? null : drawnUrl(FIRST_LISTED + index, 'thumbnail'),
    listing:
      failed || pending
        ? null
        : {
            ...newListing(),
            severity: SEVERITIES[(index * 5) % 3]!,
            reason: index % 3 === 0 ? 'Refused entry after a forged visa' : null,
            expiresAt: index % 6 === 5 ? at(index % 12 === 5 ? -60 : 60_000) : null,
          },
    expired: !failed && !pending && index % 12 === 5,
  };
}

/** The upload that is there from the start. */
export const EXAMPLE_UPLOAD = '6f4d7a52-1f0e-4c7c-9d9e-0a2b8f1c3d55';

/** An upload as the made-up site keeps it; every eleventh image fails. */
export function finishedUpload(uploadId: string, names: readonly string[], done: number): UploadDetail {
  const images = names.map((fileName, index) => {
    const answered = index < done;
    const failed = answered && index % 11 === 5;
    return {
      index,
      fileName,
      itemId: index + 1,
      status: answered ? (failed ? 3 : 2) : 1,
      trustValidationId: answered && !failed ? 240_000 + index : null,
      faceId: answered && !failed ? index : null,
      failureCode: failed ? FAILURE_CODES[(index * 3) % 8]! : null,
      thumbnailUrl: answered && !failed ? thumbnailOf(index % 400) : null,
    };
  });
  const failedCount = images.filter(({ status }) => status === 3).length;
  const succeededCount = images.filter(({ status }) => status === 2).length;
  const open = done < names.length;
  return {
    uploadId,
    runId: uploadId,
    kind: 'duplicate',
    blacklistName: null,
    numberOfImages: names.length,
    succeededCount,
    failedCount,
    status: open ? 1 : failedCount === 0 ? 2 : succeededCount === 0 ? 4 : 3,
    createdAt: at(0),
    completedAt: open ? null : at(1),
    images,
  };
}
