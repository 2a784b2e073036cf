import type { Selectable } from 'kysely';
import { TRUST_VALIDATION_STATUS, type TrustValidationStatus } from '../../contracts/codes.ts';
import type { CompanyId, FaceId, TrustValidationId, PipelineId } from '../../contracts/ids.ts';
import type { MatchRecord, ValidationState } from '../../domain/ports/screening.ts';
import { SAME_PICTURE } from '../../domain/scores/scores.ts';
import { ofTexts } from '../../contracts/faceListing.ts';
import type { PersonMatch } from '../../contracts/validations.ts';
import type { Schema } from '../engine/schema.ts';
import { cellsOf } from '../engine/cells.ts';
import { newIds } from '../engine/dialect.ts';
import { send, together, type Transaction, type Database } from '../engine/database.ts';
import { changeFaces, CODED_COLUMNS, textColumns } from '../faces/faces.ts';
import { comparable } from '../faces/templates.ts';
import { toVersion } from './trustFlows.ts';
import { rowsWith } from '../engine/rows.ts';

/** The status of a validation; undefined where the company has none of this id. */
export async function statusOf(
  trx: Transaction,
  company: CompanyId,
  id: TrustValidationId,
): Promise<TrustValidationStatus | undefined> {
  const row = await rowsWith(trx, 'trust_validation', { company_id: company, id })
    .select('status')
    .executeTakeFirst();
  return row?.status;
}

/**
 * Applies the rule of the duplicate-detection watchlist once a validation is finalised or decided: it holds the selfies
 * of Verified ones.
 */
export async function setMatchable(
  trx: Transaction,
  company: CompanyId,
  id: TrustValidationId,
  status: TrustValidationStatus,
): Promise<void> {
  const matchable = status === TRUST_VALIDATION_STATUS.Verified ? 1 : 0;
  await changeFaces(trx, await currentSelfies(trx, company, id), { matchable });
}

/** The selfies of a validation that no later one replaced. */
function currentSelfies(trx: Transaction, company: CompanyId, id: TrustValidationId) {
  return rowsWith(trx, 'face', { company_id: company, trust_validation_id: id, superseded: 0 })
    .select(CODED_COLUMNS)
    .execute();
}

/**
 * Marks the earlier selfies of a validation. They stay until the validation is erased, because they are screened too;
 * the photos of other people are not compared with them.
 * @returns the faces that were marked
 */
export async function supersedeSelfies(
  trx: Transaction,
  company: CompanyId,
  id: TrustValidationId,
): Promise<FaceId[]> {
  const faces = await currentSelfies(trx, company, id);
  await changeFaces(trx, faces, { superseded: 1, matchable: 0 });
  return faces.map((face) => face.id);
}

/** Whether the selfies of a validation are exactly these. @param selfies oldest first */
export async function hasSelfies(
  trx: Transaction,
  company: CompanyId,
  id: TrustValidationId,
  selfies: readonly FaceId[],
): Promise<boolean> {
  const rows = await rowsWith(trx, 'face', { company_id: company, trust_validation_id: id })
    .select('id')
    .orderBy('id')
    .execute();
  return rows.length === selfies.length && rows.every((row, i) => row.id === selfies[i]);
}

/** Writes a match of the screening as it was when the validation was finalised. */
export async function insertMatches(
  trx: Transaction,
  company: CompanyId,
  validation: TrustValidationId,
  matches: readonly MatchRecord[],
): Promise<void> {
  if (matches.length === 0) return;
  const cells = cellsOf(trx);
  const ids = await newIds(trx, 'screening_match', matches.length);
  for (const [index, match] of matches.entries()) {
    const place = { company_id: company, id: ids[index]! };
    await send(
      trx,
      trx.insertInto('screening_match').values({
        ...place,
        trust_validation_id: validation,
        kind: match.kind,
        blacklist_id: match.blacklist?.id ?? null,
        blacklist_name: match.blacklist?.name ?? null,
        face_id: match.faceId,
        probe_face_id: match.probeFaceId,
        matched_trust_validation_id: match.matchedValidationId,
        full_name: match.fullName,
        person_id: match.person.id,
        photos: match.person.photos,
        agreeing: match.person.agreeing,
        photo_distance: match.photoDistance,
        photo_score: match.person.photoSimilarityScore,
        distance: match.distance,
        score: match.score,
        band: match.band,
        enrolled_at: match.enrolledAt.getTime(),
        severity: match.listing?.severity ?? null,
        ...textColumns(match.listing ?? ofTexts(() => null), (column, text) =>
          cells.sealText('screening_match', column, place, text),
        ),
      }),
    );
  }
}

export function personMatchOf(row: Selectable<Schema['screening_match']>): PersonMatch {
  return {
    id: row.person_id,
    photos: row.photos,
    agreeing: row.agreeing,
    photoSimilarityScore: row.photo_score,
    samePicture: row.photo_distance <= SAME_PICTURE,
  };
}

/** The validation that a request of this id created, so that a repeated request creates no other. */
export async function readCreatedBy(
  db: Database,
  company: CompanyId,
  requestId: string,
): Promise<TrustValidationId | undefined> {
  const row = await rowsWith(db, 'trust_validation', { company_id: company, request_id: requestId })
    .select('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * The state of a validation that the rules of the screening read.
 * The templates of the selfies are those of `pipeline`.
 * @returns undefined where the company has no validation of this id
 */
export async function readState(
  db: Database,
  { company, id, pipeline }: { company: CompanyId; id: TrustValidationId; pipeline: PipelineId },
): Promise<ValidationState | undefined> {
  const rows = rowsWith(db, 'trust_validation', { company_id: company, id });
  const [[row], [version], selfies] = await together(
    db,
    rows.selectAll(),
    db
      .selectFrom('trust_flow_version')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', rows.select('flow_version_id').$castTo<{ flow_version_id: number }>()),
    db
      .selectFrom('face')
      .leftJoin('template', (join) =>
        join.onRef('template.face_id', '=', 'face.id').on('template.pipeline_id', '=', pipeline),
      )
      .select(['face.id', 'face.company_id', 'template.vector'])
      .where((eb) => eb.and({ 'face.company_id': company, 'face.trust_validation_id': id }))
      .orderBy('face.id'),
  );
  if (row === undefined) return undefined;
  return {
    id: row.id,
    trustFlowId: row.trust_flow_id,
    status: row.status,
    version: version === undefined ? null : toVersion(cellsOf(db).checked('trust_flow_version', version)),
    selfies: await Promise.all(
      selfies.map(async ({ id: face_id, company_id, vector }) => ({
        faceId: face_id,
        template: vector && (await comparable(db, { company_id, face_id, pipeline_id: pipeline, vector })),
      })),
    ),
    name: row.name,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as unknown),
    createdAt: new Date(row.created_at),
    finalizedAt: row.finalized_at === null ? null : new Date(row.finalized_at),
  };
}
