/** Persons, faces and groups as programs are sent them. */
import type { z } from 'zod';
import type { groupDecided, groupDetailView, groupView } from '../../contracts/duplicateGroups.ts';
import { GROUP_LISTED } from '../../contracts/dashboard/duplicates.ts';
import type { CompanyId, DuplicateGroupId, PersonId } from '../../contracts/ids.ts';
import type { PersonFaceView, personsChanged, PersonView } from '../../contracts/persons.ts';
import type { DescribedFace, DuplicateGroup, Person } from '../../storage/persons/personRows.ts';
import { bandOf, similarityScore, type Band } from '../../domain/scores/scores.ts';
import { ApiError } from '../http/errors.ts';
import { decisionOf, measuredScore } from '../http/personParts.ts';
import type { PublicPorts } from '../ports.ts';

// Parts that the routes about persons share.

export const PERSONS = '/api/v3/persons';
export const PERSON_TAGS = ['Persons'];
export const READING_PERSONS = { access: 'persons:read' } as const;
export const CHANGING_PERSONS = { access: 'persons:write', takesKey: true } as const;

type GroupView = z.infer<typeof groupView>;

export function personViewOf({ id, cover, faces, changedAt, ...person }: Person): PersonView {
  return { ...person, personId: id, coverFaceId: cover, numberOfFaces: faces, updatedAt: changedAt };
}

export function faceViewOf(face: DescribedFace): PersonFaceView {
  const { id, name, blacklist, trustValidationId, person, enrolledAt } = face;
  return {
    faceId: id,
    name,
    blacklistId: blacklist?.id ?? null,
    trustValidationId,
    personId: person?.id ?? null,
    enrolledAt,
  };
}

/** A person of the company. @throws {ApiError} 404 */
export async function requirePerson(
  { persons }: Pick<PublicPorts, 'persons'>,
  company: CompanyId,
  id: PersonId,
): Promise<PersonView> {
  const found = await persons.find(company, id);
  if (found === undefined) throw new ApiError('NOT_FOUND');
  return personViewOf(found);
}

/** A change with the persons that it concerned, as they are now. */
export async function changedPersons(
  { persons }: Pick<PublicPorts, 'persons'>,
  company: CompanyId,
  decision: number,
  concerned: readonly (PersonId | null)[],
): Promise<z.infer<typeof personsChanged>> {
  const ids = [...new Set(concerned)].filter((person) => person !== null);
  const found = await Promise.all(ids.map((person) => persons.find(company, person)));
  return {
    decisionId: decision,
    persons: found.flatMap((person) => (person === undefined ? [] : [personViewOf(person)])),
  };
}

/** Groups, each with its first faces. */
export async function groupViews(
  ports: PublicPorts,
  company: CompanyId,
  groups: readonly DuplicateGroup[],
): Promise<GroupView[]> {
  if (groups.length === 0) return [];
  const [similarity, certainty] = await Promise.all([
    similarities(ports, company),
    ports.groups.certainty(company),
  ]);
  return Promise.all(
    groups.map(async (group) => ({
      ...rowOf(group, certainty?.at(group.link) ?? 0),
      ...similarity(group.widest),
      faceIds: await ports.duplicateGroups.facesOf(company, group.id, GROUP_LISTED.row),
    })),
  );
}

function rowOf(group: DuplicateGroup, certainty: number) {
  const { id, version, state, identical, size, createdAt, changedAt } = group;
  return {
    groupId: id,
    version,
    state,
    identicalPhotos: identical,
    certainty: identical ? 1 : certainty,
    numberOfFaces: size,
    createdAt,
    updatedAt: changedAt,
  };
}

/** A group with its faces, pairs and decisions. */
export async function groupDetailOf(
  ports: PublicPorts,
  company: CompanyId,
  group: DuplicateGroup,
): Promise<z.infer<typeof groupDetailView>> {
  const { duplicateGroups, persons, groups } = ports;
  const faces = await duplicateGroups.facesOf(company, group.id);
  const listed = faces.slice(0, GROUP_LISTED.faces);
  const [similarity, certainty, view, records, described] = await Promise.all([
    similarities(ports, company),
    groups.certainty(company),
    groups.describe(company, listed),
    persons.decisionsOf(company, faces),
    persons.describe(company, listed),
  ]);
  const near = (view?.alsoNear ?? []).slice(0, GROUP_LISTED.faces);
  const nearGroups = await duplicateGroups.groupsOf(
    company,
    near.map(({ face }) => face),
  );
  return {
    ...rowOf(group, certainty?.at(group.link) ?? 0),
    ...similarity(group.widest),
    faces: described.map(faceViewOf),
    pairs: (view?.pairs ?? [])
      .slice(0, GROUP_LISTED.pairs)
      .map(({ first, second, distance, identical, decision }) => ({
        faceIds: [first, second],
        identicalPhotos: identical,
        decision,
        ...similarity(distance),
      })),
    numberOfPairs: (faces.length * (faces.length - 1)) / 2,
    alsoNear: near.map(({ face, distance, why }) => ({
      faceId: face,
      groupId: nearGroups.get(face)?.id ?? null,
      groupVersion: nearGroups.get(face)?.version ?? null,
      reason: why,
      ...similarity(distance),
    })),
    history: records.flatMap((record) => {
      const decision = decisionOf(record);
      if (decision === undefined) return [];
      const { id, by, at, reason, undoneAt } = record;
      const measured = measuredScore(ports, company, record);
      return {
        decisionId: id,
        decision,
        faceIds: record.faces.map(({ face }) => face),
        actor: by,
        at,
        reason,
        measured: measured && { similarityScore: measured.score, pipeline: measured.pipeline },
        undoneAt,
        awaitsConfirmation: record.awaitsConfirmation,
      };
    }),
  };
}

/** The group and the person after a decision. */
export async function decidedGroup(
  ports: PublicPorts,
  company: CompanyId,
  decided: { decision: number | null; person: PersonId | null; group: DuplicateGroupId | null },
): Promise<z.infer<typeof groupDecided>> {
  const { decision, person, group } = decided;
  const found = group === null ? undefined : await ports.duplicateGroups.find(company, group);
  const shown = found === undefined || found.state === 'superseded' ? [] : [found];
  const known = person === null ? undefined : await ports.persons.find(company, person);
  return {
    decisionId: decision,
    group: (await groupViews(ports, company, shown))[0] ?? null,
    person: known === undefined ? null : personViewOf(known),
  };
}

/** How a distance reads by the calibration of the last run. @throws {ApiError} 404: its pipeline is not installed */
async function similarities(
  { duplicateRuns, recognition }: PublicPorts,
  company: CompanyId,
): Promise<(distance: number) => { similarityScore: number; band: Band }> {
  const run = await duplicateRuns.latest(company);
  const calibration = recognition.calibrationOf(company, run?.pipeline ?? recognition.pipelineOf(company));
  if (calibration === undefined) throw new ApiError('NOT_FOUND');
  return (distance) => ({
    similarityScore: similarityScore(calibration, distance),
    band: bandOf(calibration, distance),
  });
}
