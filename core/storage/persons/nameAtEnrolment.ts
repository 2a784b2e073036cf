/** The person that the sender of a photo names, inside the transaction that commits the face. */
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type { PhotoPerson } from '../../contracts/photoPersons.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { SIDE } from '../../domain/ports/persons.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import type { Transaction } from '../engine/database.ts';
import { renewKey } from '../engine/searchKeys.ts';
import { recordDecision } from './recordDecision.ts';
import { requireFree } from './requirements.ts';

/**
 * The face joins the person that has the external id; without one it becomes a person of its own. A name alone joins nothing:
 * two people can have one name.
 * @param face enrolled in this transaction, without a person
 */
export async function nameAtEnrolment(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  { face, person: { name, externalId } }: { face: FaceId; person: PhotoPerson },
  act: AuditContext,
): Promise<void> {
  const known = externalId === null ? undefined : await faceOf(trx, company, externalId);
  if (known === undefined && externalId !== null) await requireFree(trx, company, externalId);
  const faces = known === undefined ? [face] : [known, face];
  const decision = {
    kind: 'named' as const,
    faces: faces.map((named) => ({ face: named, side: SIDE.stays })),
    reason: null,
    person: { externalId, ...(name !== null && { name }) },
    // The account that names persons at enrolment may edit them, and so needs no second operator.
    awaitsSecond: false,
    confirms: null,
  };
  await recordDecision(trx, audit, company, decision, act);
  if (known !== undefined && name !== null) await replaceFileName(trx, company, face, name);
}

/** A name that was given replaces one from a file name, whichever photo of the person is finished first. */
async function replaceFileName(
  trx: Transaction,
  company: CompanyId,
  face: FaceId,
  name: string,
): Promise<void> {
  const person = await trx
    .selectFrom('person')
    .innerJoin('person_face', 'person_face.person_id', 'person.id')
    .select('person.id')
    .where('person.company_id', '=', company)
    .where('person_face.face_id', '=', face)
    .where('person.name', 'in', (eb) =>
      eb
        .selectFrom('person_face as its')
        .innerJoin('face', 'face.id', 'its.face_id')
        .select('face.name')
        .where('face.company_id', '=', company)
        .whereRef('its.person_id', '=', 'person.id'),
    )
    .executeTakeFirst();
  if (person === undefined) return;
  await trx
    .updateTable('person')
    .set({ name })
    .where('company_id', '=', company)
    .where('id', '=', person.id)
    .execute();
  await renewKey(trx, 'person', company, person.id);
}

/**
 * The oldest face that stands for an external id. Of a person that was merged it is one that the person had, so that the photo
 * comes to the person that remains, and returns with the others if the merge is undone.
 */
async function faceOf(trx: Transaction, company: CompanyId, externalId: string): Promise<FaceId | undefined> {
  const present = await trx
    .selectFrom('person')
    .innerJoin('person_face', 'person_face.person_id', 'person.id')
    .select('person_face.face_id')
    .where('person.company_id', '=', company)
    .where('person.external_id', '=', externalId)
    .orderBy('person_face.face_id')
    .limit(1)
    .executeTakeFirst();
  if (present !== undefined) return present.face_id;
  const former = await trx
    .selectFrom('person')
    .innerJoin('person_former_face', 'person_former_face.person_id', 'person.id')
    .innerJoin('person_face', 'person_face.face_id', 'person_former_face.face_id')
    .select(['person_face.face_id', 'person_face.person_id'])
    .where('person.company_id', '=', company)
    .where('person.external_id', '=', externalId)
    .orderBy('person_face.face_id')
    .execute();
  // Its photos belong to several persons now, so none of them is the person of the external id.
  return new Set(former.map(({ person_id: person }) => person)).size === 1 ? former[0]?.face_id : undefined;
}
