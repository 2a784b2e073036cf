import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { VALIDATION_SORTS } from '../../contracts/dashboard/validations.ts';
import { trusted, type TrustValidationId } from '../../contracts/ids.ts';
import { newCompany, temporaryStorage } from '../../../test/support/site.ts';
import { rowsOf } from '../../../test/support/rowsOf.ts';
import { TEST_SERVER } from '../../../test/support/testServer.ts';
import {
  countValidations,
  readValidations,
  selectValidations,
  type ValidationPosition,
} from './validationList.ts';

test('pages in each order join to the sorted list, read in the order of an index', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const { id: company } = await newCompany(storage, folder);
  const flow = await storage.companies.systemTrustFlow(company);
  await storage.close();
  const db = await rowsOf(t, folder);
  const names = ['zoe', 'Amina', 'amina', 'Émile', 'Bo', 'bo'];
  for (let n = 0; n < 40; n++)
    await db
      .insertInto('trust_validation')
      .values({
        company_id: company,
        trust_flow_id: flow,
        status: n % 3 === 0 ? 2 : 3,
        name: names[n % names.length]!,
        created_at: n,
        finalized_at: n % 4 === 0 ? null : 1000 - (n % 5),
        best_score: n % 7 === 0 ? 71.5 : 0,
      })
      .execute();
  for (const sort of VALIDATION_SORTS)
    for (const descending of [true, false]) {
      const read = (limit: number, after?: ValidationPosition) =>
        readValidations(db, company, {}, { sort, descending, limit, ...(after && { after }) });
      if (TEST_SERVER === undefined) {
        const position = { value: 5, id: 5 as TrustValidationId };
        const page = { sort, descending, after: position, limit: 60 };
        const plan = await selectValidations(db, company, {}, page).explain<{ detail: string }>(
          undefined,
          sql`query plan`,
        );
        const steps = plan.map(({ detail }) => detail);
        assert.match(steps[0]!, /SEARCH trust_validation USING INDEX .*company_id=\? AND/);
        // The matches of one row are sorted; a sorting of all rows would be the last step.
        assert.match(steps.at(-1)!, /SEARCH best_face/);
      }
      const whole = await read(100);
      assert.equal(whole.length, 40);
      const keys = whole.map(({ position }) => position);
      const sorted = [...keys].sort((one, other) => compare(one, other) * (descending ? -1 : 1));
      assert.deepEqual(keys, sorted, `${sort} ${descending}`);
      const paged: ValidationPosition[] = [];
      for (let page = await read(7); page.length > 0; page = await read(7, page.at(-1)?.position))
        paged.push(...page.map(({ position }) => position));
      assert.deepEqual(paged, keys, `pages by ${sort}`);
    }
});

test('the filter by band reads the best match of a row, however many rows have none', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const { id: company } = await newCompany(storage, folder);
  const flow = await storage.companies.systemTrustFlow(company);
  await storage.close();
  const db = await rowsOf(t, folder);
  const add = async (scores: readonly number[]) => {
    const { id } = await db
      .insertInto('trust_validation')
      .values({
        company_id: company,
        trust_flow_id: flow,
        status: 2,
        name: 'one',
        created_at: 0,
        best_score: Math.max(0, ...scores),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const score of scores)
      await db
        .insertInto('screening_match')
        .values({
          company_id: company,
          trust_validation_id: id,
          kind: 'duplicate',
          full_name: 'other',
          face_id: trusted.face(99),
          probe_face_id: trusted.face(98),
          photos: 1,
          agreeing: 1,
          distance: 1,
          photo_distance: 1,
          photo_score: score,
          score,
          band: score >= 85 ? 'strong' : 'possible',
          enrolled_at: 0,
        })
        .execute();
    return id;
  };
  await add([]);
  const possible = [await add([71]), await add([72])];
  const strong = [await add([90, 71])];
  for (const [band, ids] of [
    ['possible', possible],
    ['strong', strong],
  ] as const) {
    const filter = { status: 2, band } as const;
    const rows = await readValidations(db, company, filter, { sort: 'score', descending: false, limit: 60 });
    assert.deepEqual(
      rows.map(({ id }) => id),
      ids,
    );
    const counts = await countValidations(db, company, filter);
    assert.deepEqual(counts, { total: ids.length, needReview: ids.length });
  }
});

/** As SQLite compares: letters A to Z in either case are one. */
function compare(one: ValidationPosition, other: ValidationPosition): number {
  const folded = ({ value }: ValidationPosition) =>
    typeof value === 'string' ? value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : value;
  const [a, b] = [folded(one), folded(other)];
  return a === b ? one.id - other.id : a < b ? -1 : 1;
}
