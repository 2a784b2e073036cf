import type { BlacklistId, CompanyId, FaceId, PipelineId } from '../../contracts/ids.ts';
import type { FaceRange, GallerySnapshot, GallerySnapshots } from '../../domain/ports/gallery.ts';
import { writing, type Database } from '../engine/database.ts';

/** Snapshots of the gallery. Triggers of the tables remove those that no longer agree with them. */
export class SqlGallerySnapshots implements GallerySnapshots {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async ranges(company: CompanyId, pipeline: PipelineId): Promise<FaceRange[]> {
    const rows = await this.#db
      .selectFrom('gallery_snapshot')
      .select(['after_face', 'up_to_face'])
      .where('company_id', '=', company)
      .where('pipeline_id', '=', pipeline)
      .orderBy('up_to_face')
      .execute();
    return rows.map((row) => ({ after: row.after_face, upTo: row.up_to_face }));
  }

  async read(
    company: CompanyId,
    pipeline: PipelineId,
    { after, upTo }: FaceRange,
  ): Promise<Uint8Array | undefined> {
    const row = await this.#db
      .selectFrom('gallery_snapshot')
      .select('content')
      .where('company_id', '=', company)
      .where('pipeline_id', '=', pipeline)
      .where('up_to_face', '=', upTo)
      .where('after_face', '=', after)
      .executeTakeFirst();
    return row?.content;
  }

  keep(
    company: CompanyId,
    pipeline: PipelineId,
    { after, upTo, content, leftOut }: GallerySnapshot,
    faces: readonly FaceId[],
  ): Promise<boolean> {
    return writing(this.#db, company, async (trx) => {
      const most = faces.length + leftOut.size + 1;
      const rows = await matchableFaces(trx, company, pipeline, { after, upTo }, most);
      const stored = rows.map(({ id }) => id).filter((face) => !leftOut.has(face));
      if (stored.length !== faces.length || stored.some((face, i) => face !== faces[i])) return false;
      await trx
        .deleteFrom('gallery_snapshot')
        .where('company_id', '=', company)
        .where('pipeline_id', '=', pipeline)
        .where('up_to_face', '>', after)
        .where('after_face', '<', upTo)
        .execute();
      await trx
        .insertInto('gallery_snapshot')
        .values({ company_id: company, pipeline_id: pipeline, after_face: after, up_to_face: upTo, content })
        .execute();
      return true;
    });
  }
}

/** The faces of a company that can be matched, with their templates. */
export function joinedFaces(db: Database, company: CompanyId, pipeline: PipelineId) {
  return db
    .selectFrom('face')
    .innerJoin('template', 'template.face_id', 'face.id')
    .where('face.company_id', '=', company)
    .where('template.pipeline_id', '=', pipeline)
    .where('face.matchable', '=', 1);
}

export type MatchableFaces = ReturnType<typeof joinedFaces>;

/** The first of the rows that `SqlFaces.all` gives, without the templates. */
export async function matchableFaces(
  db: Database,
  company: CompanyId,
  pipeline: PipelineId,
  { after, upTo }: FaceRange,
  most: number,
): Promise<{ id: FaceId; blacklist_id: BlacklistId | null }[]> {
  return joinedFaces(db, company, pipeline)
    .select(['face.id', 'face.blacklist_id'])
    .where('face.id', '>', after)
    .where('face.id', '<=', upTo)
    .orderBy('face.id')
    .limit(most)
    .execute();
}
