/**
 * Mock API server for every state of every screen: serves the built dashboard under the real policy and
 * answers its routes from fixtures. Never part of the product; tests on the real core are elsewhere.
 */
import sharp from 'sharp';
import { problem } from '../../core/contracts/errors/problem.ts';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import {
  MANUAL_POLICY,
  NO_PERMISSIONS,
  PAGE_PERMISSIONS,
  PAGE_POLICY,
} from '../../core/api/dashboard/pagePolicy.ts';
import {
  batchDecision,
  batchResult,
  exportNotice,
  type ExportNotice,
} from '../../core/contracts/dashboard/lists.ts';
import {
  decisionRequest,
  validationDetail,
  validationPage,
  type NewHit,
  type NewHits,
  verificationQuery,
  frameCheck,
} from '../../core/contracts/dashboard/validations.ts';
import { pictureKindOf } from '../../core/contracts/pictureKinds.ts';
import type { FoundFaces, FailureRow } from '../../core/contracts/dashboard/enrolmentRuns.ts';
import type { FailureCode } from '../../core/contracts/errors/failures.ts';
import { searchAddition } from '../../core/contracts/dashboard/search.ts';
import { appearance, type Appearance, type OperatorRole } from '../../core/contracts/dashboard/session.ts';
import { ROLE_PERMISSIONS } from '../../core/domain/identity/roles.ts';
import { answerAccess } from './fixtureAccess.ts';
import { BUILD_FOLDER } from './built.ts';
import type { Verdict } from '../../core/contracts/signatures.ts';
import type { EventTopic } from '../../core/contracts/dashboard/work.ts';
import { answerFlows, answerOverview } from './fixtureFlows.ts';
import { answerSignatures } from './fixtureSignatures.ts';
import type { PipelineChange } from '../../core/contracts/pipelines.ts';
import { answerSettings } from './fixtureSettings.ts';
import { answerCalibration } from './fixtureCalibration.ts';
import { answerSignatureCalibration } from './fixtureSignatureCalibration.ts';
import { answerBackups, type BackupBehaviour } from './fixtureBackups.ts';
import { answerBlacklists } from './fixtureBlacklists.ts';
import { answerBlacklistTransfer } from './fixtureBlacklistTransfer.ts';
import { answerCaseFolders, newCaseFolderState } from './fixtureCaseFolders.ts';
import { answerExaminations, newExaminationState } from './fixtureExaminations.ts';
import { answerFaceComparisons } from './fixtureFaceComparisons.ts';
import { answerFaces, drawnPicture } from './fixtureFaces.ts';
import { answerDuplicates, newDuplicateState, type DuplicateState } from './fixtureDuplicates.ts';
import { answerPersons, newPersonState, type PersonState } from './fixturePersons.ts';
import { answerRuns } from './fixtureRuns.ts';
import { answerFolders } from './fixtureFolders.ts';
import { answerErasure } from './fixtureErasure.ts';
import { answerSearch } from './fixtureSearch.ts';
import { answerPipelines } from './fixturePipelines.ts';
import {
  detailOf,
  EXAMPLE_UPLOAD,
  finishedUpload,
  GALLERY_SIZE,
  personName,
  filteredBy,
  rowOf,
  SESSION,
} from './fixtures.ts';
import {
  healthOf,
  networkAccessOf,
  systemOf,
  type HealthBehaviour,
  type NetworkBehaviour,
} from './fixtureSystem.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
};

/** The behaviour of the mock API server; tests change it between two requests. */
export interface MockBehaviour {
  rows: number;
  signedIn: boolean;
  /** The operator's own settings; null: never chosen. */
  appearance: Appearance | null;
  /** Hits on blacklists since the page was opened. */
  hits: NewHit[];
  role: OperatorRole;
  setupNeeded: boolean;
  /** The storage folder of the set-up can be written. */
  folderUsable: boolean;
  /** Status that every data route answers; 200: as it should. */
  answer: number;
  /** Never answers, so that loading can be looked at. */
  stuck: boolean;
  blacklists: boolean;
  waiting: number;
  paused: boolean;
  /** How many faces the second of two compared photos shows. */
  faces: 'one' | 'several';
  /** The failure codes of a camera's frames. */
  frame: readonly FailureCode[];
  candidates: 'some' | 'none' | 'group' | 'refused' | 'other-person';
  /** Whether the service no longer keeps the result of a search. */
  searchExpired: boolean;
  health: HealthBehaviour;
  /** Several services share a PostgreSQL database. */
  services: boolean;
  /** How a face that is added from a search ends. */
  addition: 'enrolled' | 'refused' | 'waiting';
  /** Whether the audit log is found whole. */
  whole: boolean;
  /** Whether secrets need the passphrase again. */
  asksPassphrase: boolean;
  verdict: Verdict;
  /** The change to another pipeline. */
  change: 'none' | PipelineChange['stage'];
  /** Whether thresholds of the company's own are active. */
  calibrated: boolean;
  signaturesCalibrated: boolean;
  /** Whether other machines are let in. */
  network: NetworkBehaviour;
  /** Which shipped table was chosen. */
  thresholds: 'default' | 'strict';
  /** Whether a program has used the credential that was created. */
  credentialUsed: boolean;
  /** Demo photos that are enrolled. */
  demo: number;
  /** Whether there is a backup key, and a backup in progress. */
  backup: BackupBehaviour['backup'];
}
export const DEFAULT_BEHAVIOUR: MockBehaviour = {
  rows: GALLERY_SIZE,
  signedIn: true,
  appearance: null,
  hits: [],
  role: 'admin',
  setupNeeded: false,
  folderUsable: true,
  answer: 200,
  stuck: false,
  blacklists: true,
  waiting: 0,
  paused: false,
  candidates: 'some',
  faces: 'one',
  frame: [],
  searchExpired: false,
  health: 'good',
  services: false,
  addition: 'enrolled',
  whole: true,
  asksPassphrase: false,
  verdict: 'POSSIBLE_MATCH',
  change: 'none',
  calibrated: true,
  signaturesCalibrated: true,
  network: 'off',
  thresholds: 'default',
  credentialUsed: false,
  demo: 0,
  backup: 'kept',
};

export interface MockApiServer {
  address: string;
  behaviour: MockBehaviour;
  /** Tells open pages that rows of a topic changed. */
  report(topic: EventTopic): void;
  /** Ends the event streams of open pages, as at the end of a session. */
  endStreams(): void;
  /** Decisions that arrived: `id:decision`. */
  decisions: string[];
  /** File names that arrived. */
  received: string[];
  /** The first bytes of each of them. */
  receivedHeads: string[];
  /** Exports that were announced. */
  exports: ExportNotice[];
  /** Faces that were added from a search and not undone: the request and its body. */
  additions: string[];
  /** Frames of a camera that arrived. */
  frames: number;
  /** Corrected photos that arrived: the query of each, by the id of the failed photo. */
  fixes: Map<number, string>;
  /** Failed photos that are marked as not fixable, by their ids. */
  unfixable: Map<number, NonNullable<FailureRow['unfixable']>>;
  /** Verifications that were asked for. */
  verifications: { flow: number; name?: string | undefined; reference?: string | undefined; key: string }[];
  /** Reports of searches, and views that were recorded with them. */
  searches: unknown[];
  examinations: ReturnType<typeof newExaminationState>;
  caseFolders: ReturnType<typeof newCaseFolderState>;
  duplicates: DuplicateState;
  persons: PersonState;
  /** Statuses of decided validations, by their ids. */
  decided: Map<number, number>;
  /** File names of each upload, by its id. */
  uploads: Map<string, string[]>;
  close(): Promise<void>;
}

/** Open event streams. */
const streams = new Set<ServerResponse>();

/** Hits are numbered by their place. */
function newHitsOf(hits: readonly NewHit[], after: string | null): NewHits {
  return { last: hits.length, hits: after === null ? [] : hits.slice(Number(after)) };
}

export async function startMockApiServer(): Promise<MockApiServer> {
  const site: MockApiServer = {
    address: '',
    behaviour: { ...DEFAULT_BEHAVIOUR },
    report: (topic) => {
      for (const stream of streams) stream.write(`data: ${JSON.stringify({ topics: [topic] })}\n\n`);
    },
    endStreams: () => {
      for (const stream of streams) stream.end();
    },
    decisions: [],
    received: [],
    receivedHeads: [],
    exports: [],
    additions: [],
    frames: 0,
    fixes: new Map(),
    unfixable: new Map(),
    verifications: [],
    searches: [],
    examinations: newExaminationState(),
    caseFolders: newCaseFolderState(),
    duplicates: newDuplicateState(),
    persons: newPersonState(),
    decided: new Map(),
    uploads: new Map(),
    close: () => Promise.resolve(),
  };
  const server = createServer((request, response) => {
    answer(site, request, response).catch((error: unknown) => {
      console.error(error);
      send(response, 500, { success: false, message: String(error) });
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  site.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  site.close = () =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return site;
}

async function answer(
  site: MockApiServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://fixture');
  if (!url.pathname.startsWith('/api/')) {
    await servePage(url.pathname, response);
    return;
  }
  const path = url.pathname.replace('/api/dashboard', '');
  const route = `${request.method ?? 'GET'} ${path}`;
  const body = await readBody(request);
  const picture = drawnPicture(`${path}${url.search}`);
  if (picture !== undefined) {
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=600' });
    response.end(picture);
    return;
  }
  const outside = answerOutside(site, route, body);
  if (outside !== undefined) {
    send(response, ...outside);
    return;
  }
  if (path === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(':\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
    return;
  }
  if (site.behaviour.stuck) return;
  if (site.behaviour.answer !== 200) {
    send(response, site.behaviour.answer, {
      success: false,
      message: 'Enrollment queue is unavailable. Please retry shortly.',
      code: 'DISK_FULL',
    });
    return;
  }
  if (route === 'POST /pictures') {
    // A kind that sharp does not read becomes a grey picture.
    const isGrey = ['JPEG 2000', 'face record'].includes(pictureKindOf(body) ?? '');
    const grey = { width: 120, height: 160, channels: 3, background: '#888888' } as const;
    const jpeg = await (isGrey ? sharp({ create: grey }) : sharp(body)).jpeg().toBuffer();
    response.writeHead(200, { 'content-type': 'image/jpeg' });
    response.end(jpeg);
    return;
  }
  if (route === 'POST /exports') {
    site.exports.push(exportNotice.parse(JSON.parse(body.toString())));
    send(response, 204, null);
    return;
  }
  const found =
    answerBackups(site.behaviour, route, body) ??
    answerValidations(site, route, url.searchParams, body) ??
    answerFaces(site, route, url.searchParams) ??
    answerBlacklistTransfer(site, route, url.searchParams, body) ??
    answerBlacklists(site, route, url.searchParams, body) ??
    answerAdditions(site, route, url.searchParams, body) ??
    answerFolders(route, body, (uploadId, names) => {
      site.uploads.set(uploadId, names);
      site.received.push(...names.map((name) => `in its place: ${name}`));
    }) ??
    answerWork(site, route, body) ??
    answerRuns(
      site,
      route,
      url.searchParams,
      [...site.uploads].map(([id, names]) => finishedUpload(id, names, names.length)),
      body,
    ) ??
    answerDuplicates(site, route, url.searchParams, body) ??
    answerPersons(site, route, url.searchParams, body) ??
    answerAccess(site.behaviour, route, url.searchParams, body) ??
    answerSystem(site, route) ??
    answerPipelines(site, route, body) ??
    answerErasure(site, route, body) ??
    answerCalibration(site, route, body) ??
    answerSignatureCalibration(site, route) ??
    answerSettings(route, body) ??
    answerFlows(site, route, body) ??
    answerSignatures(site, route, url.searchParams, body) ??
    answerOverview(site, route, url.searchParams) ??
    answerExaminations(site, route, body) ??
    answerCaseFolders(site, route, body) ??
    answerFaceComparisons(site, route, url.searchParams, body) ??
    answerVerification(site, route, url.searchParams, request.headers['idempotency-key']) ??
    answerSearch(site, route, body);
  send(response, ...(found ?? [404, { success: false, message: 'Not found.' }]));
}

type Answer = [status: number, body: unknown];

/** The sign-in recovery code of the fixture's administrator. */
export const RECOVERY_CODE = 'K7QM-2VXD-9RTA-W4HC-PN6E-83JZ-T0MB-5GKQ';
export const PASSPHRASE = 'four unrelated harbour words';

function answerOutside({ behaviour }: MockApiServer, route: string, body: Buffer): Answer | undefined {
  const { company } = SESSION;
  switch (route) {
    case 'GET /session':
      if (!behaviour.signedIn) return [401, { success: false, message: 'Unauthenticated.' }];
      return [
        200,
        {
          permissions: ROLE_PERMISSIONS[behaviour.role],
          operator: { ...SESSION.operator, role: behaviour.role },
          company: { ...company, features: { registration: true, blacklists: behaviour.blacklists } },
        },
      ];
    case 'POST /session':
      behaviour.signedIn = true;
      return [200, {}];
    case 'POST /session/confirm':
      if (body.includes('not the passphrase')) return [403, { success: false, code: 'PASSPHRASE_WRONG' }];
      behaviour.asksPassphrase = false;
      return [200, {}];
    case 'DELETE /session':
      behaviour.signedIn = false;
      return [200, {}];
    case 'POST /session/recover':
      return body.includes(RECOVERY_CODE)
        ? [200, { recoveryCode: 'P3XW-81ZD-QRT0-V6HC-7N2E-KM9Z-B4TS-5GYA' }]
        : [401, { success: false, code: 'UNAUTHENTICATED' }];
    case 'POST /session/passphrase':
      if (!body.includes(PASSPHRASE)) return [403, { success: false, code: 'PASSPHRASE_WRONG' }];
      behaviour.signedIn = false;
      return [204, null];
    case 'GET /session/appearance':
      return [200, { appearance: behaviour.appearance }];
    case 'PUT /session/appearance':
      behaviour.appearance = appearance.parse(JSON.parse(body.toString()));
      return [204, null];
    case 'GET /setup':
      return [200, { needed: behaviour.setupNeeded, suggestedStorageFolder: '/srv/vouch/storage' }];
    case 'POST /setup/storage':
      return [
        200,
        behaviour.folderUsable
          ? { writable: true, freeBytes: 214 * 1024 ** 3, problem: null }
          : {
              writable: false,
              freeBytes: null,
              problem: problem('STORAGE_FOLDER_UNUSABLE', { cause: problem('SYSTEM_FORBIDDEN') }),
            },
      ];
    case 'POST /setup':
      behaviour.setupNeeded = false;
      return [200, { recoveryCode: RECOVERY_CODE }];
    default:
      return undefined;
  }
}

const NEXT_STATUS = { verify: 3, reject: 1, review: 2 };

function answerValidations(
  site: MockApiServer,
  route: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  const { decided } = site;
  if (route === 'POST /validations/decisions') {
    const { decision, validations } = batchDecision.parse(JSON.parse(body.toString()));
    const results = validations.map(({ id, seenStatus }) => {
      const { status } = rowOf(240_000 - id, decided);
      if (status !== seenStatus) return { id, outcome: 'changed' as const };
      decided.set(id, NEXT_STATUS[decision]);
      return { id, outcome: 'decided' as const };
    });
    return [200, batchResult.parse({ results })];
  }
  if (route === 'POST /validations/export') return [200, 'number,name\r\n'];
  if (route === 'GET /hits') return [200, newHitsOf(site.behaviour.hits, query.get('after'))];
  if (route === 'GET /validations') return [200, validationPage.parse(pageOf(site, decided, query))];
  const one = /^(GET|POST) \/validations\/(\d+)(\/decision|\/report)?$/.exec(route);
  if (one === null) return undefined;
  if (one[3] === '/report') return [200, 'a report'];
  const id = Number(one[2]);
  const index = 240_000 - id;
  if (index < 0 || index >= site.behaviour.rows) return [404, { success: false, message: 'Not found.' }];
  if (one[3] !== undefined) {
    const request = decisionRequest.parse(JSON.parse(body.toString()));
    if (request.seenStatus !== rowOf(index, decided).status)
      return [
        409,
        {
          success: false,
          code: 'DECIDED_MEANWHILE',
        },
      ];
    site.decisions.push(`${id}:${request.decision}`);
    decided.set(id, NEXT_STATUS[request.decision]);
  }
  return [200, validationDetail.parse(detailOf(index, decided))];
}

function pageOf(site: MockApiServer, decided: MockApiServer['decided'], query: URLSearchParams): unknown {
  const limit = Number(query.get('limit') ?? 200);
  const from = Number(query.get('cursor') ?? 0);
  const status = query.get('status');
  const hit = query.get('hit');
  const band = query.get('band');
  const person = query.get('person');
  const text = query.get('text')?.toLowerCase();
  const indices: number[] = [];
  let needReview = 0;
  for (let index = 0; index < site.behaviour.rows; index++) {
    const row = filteredBy(index, decided);
    if (status !== null && row.status !== Number(status)) continue;
    if (hit === 'duplicate' && !row.duplicateDetected) continue;
    if (hit === 'blacklist' && !row.blacklistDetected) continue;
    if (person !== null && String(rowOf(index, decided).person?.id) !== person) continue;
    if (band !== null && rowOf(index, decided).bestMatch?.band !== band) continue;
    if (hit === 'none' && (row.duplicateDetected || row.blacklistDetected)) continue;
    if (text !== undefined && !row.name.toLowerCase().includes(text) && String(row.id) !== text) continue;
    if (row.status === 2) needReview++;
    indices.push(index);
  }
  if (query.get('sort') === 'score') {
    const score = (index: number) => rowOf(index, decided).bestMatch?.score ?? 0;
    indices.sort((one, other) => score(other) - score(one) || one - other);
  }
  if (query.get('order') === 'asc') indices.reverse();
  const shown = indices.slice(from, from + limit);
  return {
    items: shown.map((index) => rowOf(index, decided)),
    nextCursor: from + limit < indices.length ? String(from + limit) : null,
    total: indices.length,
    needReview,
  };
}

function answerWork(site: MockApiServer, route: string, body: Buffer): Answer | undefined {
  const { behaviour } = site;
  const queue = () => ({
    paused: behaviour.paused,
    waiting: behaviour.waiting,
    inProgress: behaviour.waiting > 0 ? 2 : 0,
    workers: 2,
  });
  if (route === 'GET /queue') return [200, queue()];
  if (route === 'POST /queue/pause' || route === 'POST /queue/resume') {
    behaviour.paused = route.endsWith('pause');
    return [200, queue()];
  }
  if (route === 'GET /uploads/limits')
    return [200, { imagesPerUpload: 50, bytesPerImage: 10 * 1024 * 1024, blocked: null }];
  const listed = /^POST \/blacklists\/(\d+)\/faces$/.exec(route);
  if (route === 'POST /uploads' || listed !== null) {
    const parts = [...body.toString('latin1').matchAll(/filename="([^"]*)"[^]*?\r\n\r\n([^]{0,4})/g)];
    const names = parts.map(([, name = '']) => Buffer.from(name, 'latin1').toString());
    site.receivedHeads.push(...parts.map(([, , head = '']) => head));
    const uploadId = randomUUID();
    site.uploads.set(uploadId, names);
    site.received.push(...names);
    return [
      202,
      {
        success: true,
        message: 'queued',
        data: {
          uploadId,
          ...(listed === null ? { trustFlowId: 1 } : { blacklistId: Number(listed[1]) }),
          numberOfImages: names.length,
          status: 1,
          statusLabel: 'Processing',
        },
      },
    ];
  }
  const one = /^GET \/uploads\/([\w-]+)$/.exec(route);
  if (one === null) return undefined;
  if (one[1] === EXAMPLE_UPLOAD)
    return [
      200,
      finishedUpload(
        EXAMPLE_UPLOAD,
        Array.from({ length: 50 }, (_, n) => `${personName(n)}.jpg`),
        50,
      ),
    ];
  const names = site.uploads.get(one[1] ?? '');
  return names === undefined
    ? undefined
    : [
        200,
        finishedUpload(one[1] ?? '', names, behaviour.paused ? Math.floor(names.length / 2) : names.length),
      ];
}

function answerSystem({ behaviour }: MockApiServer, route: string): Answer | undefined {
  if (route === 'GET /system/network') return [200, networkAccessOf(behaviour.network)];
  if (route === 'GET /system') return [200, systemOf(behaviour)];
  if (route === 'GET /system/health') return [200, healthOf(behaviour.health)];
  return undefined;
}

/** Row of a validation with matches that needs review, and of one without a match. */
/** The validation of each verification that needs review. */
export const REVIEWED = 239_997;
const CLEAR = 239_999;

/** Two faces and a covered head in a photo of 300 by 200 pixels. */
const TWO_FACES: FoundFaces = {
  width: 300,
  height: 200,
  boxes: [
    { x: 20, y: 60, width: 80, height: 90 },
    { x: 130, y: 60, width: 70, height: 80 },
  ],
  unclear: [{ x: 220, y: 60, width: 60, height: 70 }],
  onePerson: false,
};

function answerVerification(
  site: MockApiServer,
  route: string,
  query: URLSearchParams,
  key: string | string[] | undefined,
): Answer | undefined {
  if (route === 'POST /camera/frames') {
    site.frames += 1;
    return [200, frameCheck.parse({ refusals: site.behaviour.frame, quality: 50 })];
  }
  if (route !== 'POST /verifications') return undefined;
  const { flow, name, reference } = verificationQuery.parse(Object.fromEntries(query));
  site.verifications.push({ flow, name, reference, key: String(key) });
  const { candidates } = site.behaviour;
  const refused = { photo: 0, found: null, validationId: null };
  if (candidates === 'refused') return [200, { ...refused, refused: 'NO_FACE' }];
  if (candidates === 'other-person') return [200, { ...refused, refused: 'OTHER_PERSON', photo: 1 }];
  if (candidates === 'group') {
    // The photo that is cropped to one face is accepted.
    site.behaviour.candidates = 'none';
    return [200, { ...refused, refused: 'MULTIPLE_FACES', found: TWO_FACES }];
  }
  return [
    200,
    { ...refused, refused: null, photo: null, validationId: candidates === 'none' ? CLEAR : REVIEWED },
  ];
}

/** The upload of what is added from a search. */
const ADDITION = '0c9a3a0e-7a5e-4d8c-8a4f-52f2d3a5be10';

function answerAdditions(
  site: MockApiServer,
  route: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  const { behaviour, additions } = site;
  if (route === `GET /uploads/${ADDITION}`) {
    const upload = finishedUpload(ADDITION, ['Somebody.jpg'], behaviour.addition === 'waiting' ? 0 : 1);
    if (behaviour.addition !== 'refused') return [200, upload];
    const images = upload.images.map((image) => ({
      ...image,
      status: 3,
      faceId: null,
      failureCode: 'MULTIPLE_FACES',
    }));
    return [200, { ...upload, status: 4, images }];
  }
  const kept = /^POST \/search\/additions\/faces\/(\d+)$/.exec(route);
  if (kept !== null) {
    const { blacklist, name } = searchAddition.parse(JSON.parse(body.toString()));
    additions.push(`face ${kept[1] ?? ''}, ${blacklist}, ${name}`);
  } else if (route === 'POST /search/additions') {
    const { blacklist, name } = searchAddition.parse(Object.fromEntries(query));
    const jpeg = body.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
    additions.push(`${jpeg ? 'JPEG' : 'something else'}, ${blacklist}, ${name}`);
  } else if (route === `DELETE /search/additions/${ADDITION}`) {
    additions.pop();
    return [200, {}];
  } else return undefined;
  return [202, { uploadId: ADDITION }];
}

async function servePage(path: string, response: ServerResponse): Promise<void> {
  const file = extname(path) === '' ? '/index.html' : path;
  try {
    const content = await readFile(join(BUILD_FOLDER, file));
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      // As the service: the name of an asset changes with its content.
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': path.startsWith('/manual/') ? MANUAL_POLICY : PAGE_POLICY,
      'permissions-policy': path.startsWith('/manual/') ? NO_PERMISSIONS : PAGE_PERMISSIONS,
    });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': '5f0c6f1e-0d2b-4c56-9a53-7f3a2f4f3b11',
  });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
