import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { CompanyId, FaceId, PipelineId } from '../../contracts/ids.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { openDatabase } from '../engine/sqliteFile.ts';
import { joinedFaces } from './gallerySnapshots.ts';

test("a page of a company's faces is read in index order without sorting", async (t) => {
  const db = await openDatabase(join(temporaryFolder(t), 'vouch.db'), randomBytes(32));
  t.after(() => db.destroy());
  const page = joinedFaces(db, 1 as CompanyId, 'any' as PipelineId)
    .select(['face.id', 'template.vector'])
    .where('face.id', '>', 5 as FaceId)
    .orderBy('face.id')
    .limit(10);
  const plan = await page.explain<{ detail: string }>(undefined, sql`query plan`);
  const steps = plan.map(({ detail }) => detail).join('\n');
  assert.match(steps, /SEARCH face USING INDEX face_company \(company_id=\? AND id>\?\)/);
  assert.doesNotMatch(steps, /B-TREE/);
});
