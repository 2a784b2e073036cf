/** Lists as comma-separated values: validations, their matches, and the faces of a blacklist. */
import {
  listApi,
  VALIDATION_FILE_COLUMNS,
  type ValidationFileColumn,
} from '../../contracts/dashboard/lists.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  ITEM_STATUS_LABEL,
  TRUST_VALIDATION_STATUS,
  TRUST_VALIDATION_STATUS_LABEL,
  type TrustValidationStatus,
} from '../../contracts/codes.ts';
import { CSV_START, csvLine } from '../../contracts/csv.ts';
import {
  type BlacklistId,
  type CompanyId,
  type FaceId,
  type TrustValidationId,
} from '../../contracts/ids.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type {
  ListedValidation,
  ValidationFilter,
  ValidationPosition,
} from '../../storage/dashboard/validationList.ts';
import type { BlacklistPhoto } from '../../storage/screening/blacklists.ts';
import { existing } from '../http/errors.ts';
import { recordExport } from './access/export.ts';
import { serve } from './access/guard.ts';
import { personNames, type PersonName } from './personNames.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { DashboardQueries, StoredMatch } from '../../storage/dashboard/dashboardQueries.ts';
import { ofTexts } from '../../contracts/faceListing.ts';
import type { ValidationQuery } from '../../contracts/dashboard/validations.ts';
import { periodOf } from '../http/query.ts';

/** Rows that are read at once; the file is never held in memory. */
const PAGE = 500;

/** The routes of these files. Each export is recorded before its first byte leaves. */
export function listExportRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { views, blacklists } = ports;
  serve(app, listApi.exportValidations, async ({ operator, companyId, body, reply }) => {
    const { rows, ids, columns = VALIDATION_FILE_COLUMNS } = body;
    const filter = { ...filterOf(body.filter), ...(ids && { ids }) };
    const exported =
      rows === 'validations'
        ? { kind: 'validationList' as const, rows: (await views.countValidations(companyId, filter)).total }
        : { kind: 'matchList' as const, rows: await views.countMatches(companyId, filter) };
    await recordExport(ports, operator, { object: null, ...exported });
    const pages = pagesOf(views, companyId, filter, orderOf(body.filter));
    const lines =
      rows === 'validations'
        ? validationLines(pages, columns, (faces) => personNames(ports, operator, faces))
        : matchLines(
            pages,
            (page) => views.matchesOfEach(companyId, page),
            (faces) => personNames(ports, operator, faces),
          );
    return sendCsv(reply, `vouch-${rows}.csv`, lines);
  });
  serve(app, listApi.exportFaces, async ({ operator, params: { id }, reply }) => {
    existing(await blacklists.find(operator.companyId, id));
    const object = `blacklist:${id}` as const;
    const rows = await blacklists.countPhotos(operator.companyId, id);
    await recordExport(ports, operator, { kind: 'blacklistFaces', object, rows });
    return sendCsv(reply, `vouch-blacklist-${id}.csv`, faceLines(ports, operator, id));
  });
}

/** Sends a CSV file while its lines are made. */
export function sendCsv(reply: FastifyReply, fileName: string, lines: AsyncIterable<string>) {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(withMark(lines), { objectMode: false }));
}

async function* withMark(lines: AsyncIterable<string>): AsyncIterable<string> {
  yield CSV_START;
  yield* lines;
}

async function* pagesOf(
  views: DashboardQueries,
  company: CompanyId,
  filter: ValidationFilter,
  order: ReturnType<typeof orderOf>,
): AsyncIterable<readonly ListedValidation[]> {
  let after: ValidationPosition | undefined;
  do {
    const page = { ...order, limit: PAGE, ...(after && { after }) };
    const rows = await views.validations(company, filter, page);
    yield rows;
    after = rows.length === PAGE ? rows.at(-1)?.position : undefined;
  } while (after !== undefined);
}

type PersonsOf = (faces: readonly (FaceId | null | undefined)[]) => ReturnType<typeof personNames>;
type PersonOf = Awaited<ReturnType<typeof personNames>>;

const VALIDATION_CELLS: Readonly<
  Record<ValidationFileColumn, (row: ListedValidation, personOf: PersonOf) => string>
> = {
  number: ({ id }) => String(id),
  name: ({ name }) => name,
  person: ({ faceId }, personOf) => nameOf(personOf(faceId)),
  reference: ({ reference }) => reference ?? '',
  status: (row) => statusWord(row),
  incompleteReason: ({ incompleteReason }) => incompleteReason ?? '',
  bestScore: ({ bestMatch }) => bestMatch?.score.toFixed(2) ?? '',
  bestBand: ({ bestMatch }) => bestMatch?.band ?? '',
  bestMatch: ({ bestMatch }) => bestMatch?.name ?? '',
  bestMatchPerson: ({ bestMatch }, personOf) => nameOf(personOf(bestMatch?.faceId)),
  bestMatchIn: ({ bestMatch }) =>
    bestMatch === null ? '' : (bestMatch.blacklistName ?? `validation ${bestMatch.trustValidationId}`),
  bestMatchSeverity: ({ bestMatch }) => bestMatch?.severity ?? '',
  duplicateDetected: ({ duplicateDetected }) => String(duplicateDetected),
  blacklistDetected: ({ blacklistDetected }) => String(blacklistDetected),
  trustFlow: ({ trustFlowName }) => trustFlowName,
  created: ({ createdAt }) => createdAt,
  finalised: ({ finalizedAt }) => finalizedAt ?? '',
};

async function* validationLines(
  pages: AsyncIterable<readonly ListedValidation[]>,
  columns: readonly ValidationFileColumn[],
  personsOf: PersonsOf,
): AsyncIterable<string> {
  yield csvLine(columns);
  for await (const rows of pages) {
    const personOf = await personsOf(rows.flatMap(({ faceId, bestMatch }) => [faceId, bestMatch?.faceId]));
    yield rows
      .map((row) => csvLine(columns.map((column) => VALIDATION_CELLS[column](row, personOf))))
      .join('');
  }
}

const nameOf = (person: PersonName): string => person?.name ?? '';

async function* matchLines(
  pages: AsyncIterable<readonly ListedValidation[]>,
  matchesOf: (ids: TrustValidationId[]) => Promise<ReadonlyMap<TrustValidationId, readonly StoredMatch[]>>,
  personsOf: PersonsOf,
): AsyncIterable<string> {
  yield csvLine(Object.keys(MATCH_CELLS));
  for await (const rows of pages) {
    const matches = await matchesOf(rows.map(({ id }) => id));
    const personOf = await personsOf([...matches.values()].flat().map(({ faceId }) => faceId));
    for (const row of rows)
      for (const match of matches.get(row.id) ?? [])
        yield csvLine(Object.values(MATCH_CELLS).map((cell) => cell(row, match, personOf(match.faceId))));
  }
}

/** The file of matches has one line for each match of the validations: its columns. */
const MATCH_CELLS: Readonly<
  Record<string, (row: ListedValidation, match: StoredMatch, person: PersonName) => string>
> = {
  validation: (row) => String(row.id),
  name: (row) => row.name,
  reference: (row) => row.reference ?? '',
  status: (row) => statusWord(row),
  kind: (_, match) => match.kind,
  blacklist: (_, match) => match.blacklistName ?? '',
  severity: (_, match) => match.severity ?? '',
  ...ofTexts((field) => (_: ListedValidation, match: StoredMatch) => match[field] ?? ''),
  matchedName: (_, match) => match.name,
  matchedPerson: (_row, _match, person) => nameOf(person),
  matchedValidation: (_, match) => String(match.trustValidationId ?? ''),
  matchedFace: (_, match) => String(match.faceId),
  score: (_, match) => match.score.toFixed(2),
  band: (_, match) => match.band,
  photos: (_, match) => String(match.personMatch.photos),
  agreeingPhotos: (_, match) => String(match.personMatch.agreeing),
  photoScore: (_, match) => match.personMatch.photoSimilarityScore.toFixed(2),
  samePicture: (_, match) => String(match.personMatch.samePicture),
  created: (row) => row.createdAt,
};

async function* faceLines(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  list: BlacklistId,
): AsyncIterable<string> {
  yield csvLine(Object.keys(FACE_CELLS));
  let before: BlacklistPhoto['id'] | undefined;
  do {
    const page = { limit: PAGE, ...(before && { before }) };
    const photos = await ports.blacklists.photos(operator.companyId, list, page);
    const faces = photos.map(({ faceId }) => faceId);
    const personOf = await personNames(ports, operator, faces);
    const cellsOf = (photo: BlacklistPhoto) =>
      Object.values(FACE_CELLS).map((cell) => cell(photo, personOf(photo.faceId)));
    yield photos.map((photo) => csvLine(cellsOf(photo))).join('');
    before = photos.length === PAGE ? photos.at(-1)?.id : undefined;
  } while (before !== undefined);
}

/** The file of a blacklist's faces: its columns. */
export const FACE_CELLS: Readonly<Record<string, (photo: BlacklistPhoto, person: PersonName) => string>> = {
  face: ({ faceId }) => String(faceId ?? ''),
  name: ({ name }) => name,
  person: (_, person) => nameOf(person),
  status: ({ status }) => ITEM_STATUS_LABEL[status],
  failure: ({ failureCode }) => failureCode ?? '',
  severity: ({ listing }) => listing?.severity ?? '',
  ...ofTexts(
    (field) =>
      ({ listing }: BlacklistPhoto) =>
        listing?.[field] ?? '',
  ),
  expires: ({ listing }) => listing?.expiresAt ?? '',
  added: ({ addedAt }) => addedAt,
};

/** As the screens say it: a photo of enrolment is Enrolled, because no verification took place. */
function statusWord({ status, source }: Pick<ListedValidation, 'status' | 'source'>): string {
  const isEnrolled = source === 'enrolment' && status === TRUST_VALIDATION_STATUS.Verified;
  return isEnrolled ? 'Enrolled' : TRUST_VALIDATION_STATUS_LABEL[status];
}

/** The order of a query of the list: the newest first where it names none. */
export const orderOf = ({ sort = 'created', order }: Pick<ValidationQuery, 'sort' | 'order'>) => ({
  sort,
  descending: order !== 'asc',
});

/** The filter of a query of the list, as the queries of the dashboard take it. */
export function filterOf({
  status,
  source,
  flow,
  hit,
  band,
  text,
  person,
  ...period
}: ValidationQuery): ValidationFilter {
  return {
    status: status as TrustValidationStatus | undefined,
    source,
    flow,
    hit,
    band,
    text,
    person,
    ...periodOf(period),
  };
}
