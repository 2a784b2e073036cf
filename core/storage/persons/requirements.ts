/** The conditions that are checked before a decision is stored. */
import type { CompanyId, PersonDecisionId, PersonId } from '../../contracts/ids.ts';
import type { SeenGroup, SeenPersons } from '../../domain/ports/persons.ts';
import type { Transaction } from '../engine/database.ts';
import { renewKey } from '../engine/searchKeys.ts';
import { recordsWhere, refused } from './decisions.ts';
import { facesOfPerson, HAS_FACES } from './personRows.ts';
import { rowsWith, changeRows } from '../engine/rows.ts';

/** Refuses when one of the persons has changed since, or has no photo any more. */
export async function requireSeen(trx: Transaction, company: CompanyId, seen: SeenPersons): Promise<void> {
  for (const { id, version } of seen) {
    const row = await rowsWith(trx, 'person', { company_id: company, id })
      .select('version')
      .where(HAS_FACES)
      .executeTakeFirst();
    if (row === undefined) throw refused('NOT_FOUND');
    if (row.version !== version) throw refused('PERSON_CHANGED', { id, version: row.version });
  }
}

/** Whether a group has changed since it was seen or must be grouped once more, or the decision to confirm waits no more. */
export async function isOutdated(
  trx: Transaction,
  company: CompanyId,
  { groups, confirms }: { groups: readonly SeenGroup[]; confirms: PersonDecisionId | undefined },
): Promise<boolean> {
  for (const { id, version } of groups) {
    const row = await rowsWith(trx, 'duplicate_group', { company_id: company, id })
      .select((eb) => [
        'version',
        eb
          .exists(
            eb
              .selectFrom('face_to_group')
              .innerJoin('duplicate_group_face as member', 'member.face_id', 'face_to_group.face_id')
              .select('member.face_id')
              .where('face_to_group.company_id', '=', company)
              .whereRef('member.group_id', '=', 'duplicate_group.id'),
          )
          .as('changes'),
      ])
      .executeTakeFirst();
    if (row?.version !== version || row.changes) return true;
  }
  if (confirms === undefined) return false;
  const [waiting] = await recordsWhere(trx, company, { id: confirms });
  return waiting?.awaitsConfirmation !== true;
}

/** Refuses an external id that another person has. One that was merged gives its own up. */
export async function requireFree(
  trx: Transaction,
  company: CompanyId,
  externalId: string,
  except?: PersonId,
): Promise<void> {
  const taken = await rowsWith(trx, 'person', { company_id: company, external_id: externalId })
    .select('id')
    .executeTakeFirst();
  if (taken === undefined || taken.id === except) return;
  if ((await facesOfPerson(trx, company, taken.id)).length > 0) throw refused('EXTERNAL_ID_TAKEN');
  await changeRows(trx, 'person', { company_id: company, id: taken.id }).set({ external_id: null }).execute();
  await renewKey(trx, 'person', company, taken.id);
}
