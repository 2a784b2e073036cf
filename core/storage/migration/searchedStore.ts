/** The parts of a database by which searches on two databases are compared. */
import { sql } from 'kysely';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { Template } from '../../contracts/faces.ts';
import type { Watchlist } from '../../domain/ports/gallery.ts';
import type { Database } from '../engine/database.ts';
import { Faces } from '../faces/faces.ts';
import { GallerySnapshots } from '../faces/gallerySnapshots.ts';
import { comparable } from '../faces/templates.ts';

export interface SearchedStore {
  companies: { list(): Promise<readonly { id: CompanyId }[]> };
  faces: Faces;
  gallerySnapshots: GallerySnapshots;
  /** The pipeline of each company. */
  serving(): Promise<Map<CompanyId, PipelineId>>;
  /** All lists that a search of the company can name. */
  watchlists(company: CompanyId): Promise<Watchlist[]>;
  /** Templates of random faces, of the pipelines that serve their companies. */
  samples(count: number): Promise<{ company: CompanyId; template: Template }[]>;
}

export function searchedStore(db: Database): SearchedStore {
  return {
    companies: { list: () => db.selectFrom('company').select('id').execute() },
    faces: new Faces(db),
    gallerySnapshots: new GallerySnapshots(db),
    async serving() {
      const rows = await db.selectFrom('active_pipeline').select(['company_id', 'pipeline_id']).execute();
      return new Map(rows.map((row) => [row.company_id, row.pipeline_id]));
    },
    async watchlists(company) {
      const lists = await db.selectFrom('blacklist').select('id').where('company_id', '=', company).execute();
      return [
        { kind: 'duplicate' },
        ...lists.map(({ id }) => ({ kind: 'blacklist' as const, blacklistId: id })),
      ];
    },
    async samples(count) {
      const rows = await db
        .selectFrom('template')
        .innerJoin('active_pipeline', (join) =>
          join
            .onRef('active_pipeline.company_id', '=', 'template.company_id')
            .onRef('active_pipeline.pipeline_id', '=', 'template.pipeline_id'),
        )
        .select(['template.company_id', 'template.pipeline_id', 'template.vector'])
        .orderBy(sql`random()`)
        .limit(count)
        .execute();
      const samples = [];
      for (const { company_id: company, pipeline_id, vector } of rows) {
        const template = await comparable(db, pipeline_id, vector);
        if (template !== null) samples.push({ company, template });
      }
      return samples;
    },
  };
}
