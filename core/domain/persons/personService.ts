/** The decisions of operators and programs about groups and persons. */
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { PersonDecision } from '../../contracts/dashboard/duplicates.ts';
import type { CompanyId, FaceId, PersonDecisionId } from '../../contracts/ids.ts';
import type { GroupService } from '../duplicates/groups.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import {
  SIDE,
  type Decided,
  type NamedFace,
  type NewDecision,
  type SeenGroup,
  type SeenPersons,
} from '../ports/persons.ts';
import type { DuplicateRuns } from '../../storage/duplicates/runs.ts';
import type { Persons } from '../../storage/persons/persons.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Storage } from '../../storage/index.ts';
import type { DuplicateGroup } from '../../storage/persons/personRows.ts';
import { Service } from '../serviceParts.ts';

export interface PersonPorts extends Pick<Storage, 'persons' | 'duplicateGroups'> {
  duplicateRuns: Pick<DuplicateRuns, 'latest'>;
  groups: GroupService;
  companies: Pick<Companies, 'find'>;
}

/** Which faces of a group a decision is about. */
export type DecisionSubject =
  | { kind: 'group' }
  | { kind: 'pair'; first: FaceId; second: FaceId }
  | { kind: 'split'; together: readonly FaceId[] }
  | { kind: 'join'; face: FaceId; group: SeenGroup | null }
  | { kind: 'confirm'; decision: PersonDecisionId };

interface GroupDecision {
  about: DecisionSubject;
  decision: PersonDecision;
  reason: string | null;
}

export class PersonService extends Service<PersonPorts> {
  /** Decides about a group. @throws {CodedError} it is refused, such as when the group has changed since the operator saw it */
  async decide(
    company: CompanyId,
    seen: SeenGroup,
    wish: GroupDecision,
    act: AuditContext,
  ): Promise<Decided> {
    const { about, decision, reason } = wish;
    const { companies, groups, duplicateGroups, duplicateRuns, persons } = this.ports;
    const earlier = await persons.repeated(company, act);
    if (earlier !== undefined) return earlier;
    await groups.refresh(company);
    const group = await duplicateGroups.find(company, seen.id);
    if (group === undefined) throw notFound();
    if (group.version !== seen.version) throw changedGroup(group);
    const wanted = await this.#wanted(company, group, about, decision);
    const run = await duplicateRuns.latest(company);
    const decided = await persons.decideGroups(
      company,
      {
        kind: wanted.kind,
        faces: wanted.faces,
        reason,
        needsConfirmation: (await companies.find(company))?.settings.secondOperator === true,
        distance: await this.#widestOf(company, group, wanted.faces),
        pipeline: run?.pipeline,
      },
      act,
      {
        groups: about.kind === 'join' && about.group !== null ? [seen, about.group] : [seen],
        confirms: about.kind === 'confirm' ? about.decision : undefined,
      },
    );
    // Another decision came between the reading of the group and this one.
    if (decided === undefined) return this.decide(company, seen, wish, act);
    await groups.refresh(company);
    return decided;
  }

  /** Undoes a decision; later ones keep their effect. */
  async undo(company: CompanyId, id: PersonDecisionId, act: AuditContext): ReturnType<Persons['undo']> {
    const undone = await this.ports.persons.undo(company, id, act);
    await this.ports.groups.refresh(company);
    return undone;
  }

  /** Creates a person of these faces, none of which belongs to a person yet. */
  async create(
    company: CompanyId,
    faces: readonly FaceId[],
    person: NonNullable<NewDecision['person']>,
    act: AuditContext,
  ): Promise<Decided> {
    const free = [...new Set(faces)];
    const decision = { kind: 'same', faces: sided(free, SIDE.stays), reason: null, person } as const;
    return this.#changePersons(company, decision, act, { free });
  }

  /** Faces that belong to no person come to this one. */
  async add(
    company: CompanyId,
    to: SeenPersons[number],
    { faces, reason }: { faces: readonly FaceId[]; reason: string | null },
    act: AuditContext,
  ): Promise<Decided> {
    const free = [...new Set(faces)];
    const present = await this.ports.persons.facesOf(company, to.id);
    const decision = { kind: 'same', faces: sided([...present, ...free], SIDE.stays), reason } as const;
    return this.#changePersons(company, decision, act, { seen: [to], free });
  }

  /** The person is deleted. Its faces stay enrolled and belong to no person; an undo brings it back. */
  async dissolve(
    company: CompanyId,
    person: SeenPersons[number],
    reason: string | null,
    act: AuditContext,
  ): Promise<Decided> {
    const faces = sided(await this.ports.persons.facesOf(company, person.id), SIDE.chosen);
    return this.#changePersons(company, { kind: 'dissolve', faces, reason }, act, { seen: [person] });
  }

  /** The faces of the source come to the target, which keeps name, note, external id and cover. */
  async merge(
    company: CompanyId,
    { target, source }: { target: SeenPersons[number]; source: SeenPersons[number] },
    reason: string | null,
    act: AuditContext,
  ): Promise<Decided> {
    if (target.id === source.id) throw new CodedError(problem('PERSON_MERGE_SELF'));
    const { persons } = this.ports;
    const faces = [
      ...sided(await persons.facesOf(company, target.id), SIDE.stays),
      ...sided(await persons.facesOf(company, source.id), SIDE.chosen),
    ];
    return this.#changePersons(company, { kind: 'merge', faces, reason }, act, { seen: [target, source] });
  }

  /** Faces of a person become a person of their own. */
  async split(
    company: CompanyId,
    from: SeenPersons[number],
    { faces, name, reason }: { faces: readonly FaceId[]; name: string; reason: string | null },
    act: AuditContext,
  ): Promise<Decided> {
    const { persons } = this.ports;
    const earlier = await persons.repeated(company, act);
    if (earlier !== undefined) return earlier;
    const all = await persons.facesOf(company, from.id);
    const leaving = new Set(faces);
    if (!faces.every((face) => all.includes(face))) throw notFound();
    if (leaving.size === all.length) throw new CodedError(problem('PERSON_SPLIT_ALL'));
    const named = all.map((face) => ({ face, side: leaving.has(face) ? SIDE.chosen : SIDE.stays }));
    const decision = { kind: 'split', faces: named, reason, person: { name } } as const;
    return this.#changePersons(company, decision, act, { seen: [from] });
  }

  /** Faces leave their person, for another one or for none. */
  async move(
    company: CompanyId,
    from: SeenPersons[number],
    {
      faces,
      to,
      reason,
    }: { faces: readonly FaceId[]; to: SeenPersons[number] | null; reason: string | null },
    act: AuditContext,
  ): Promise<Decided> {
    if (to?.id === from.id) throw new CodedError(problem('PERSON_MERGE_SELF'));
    const { persons } = this.ports;
    const earlier = await persons.repeated(company, act);
    if (earlier !== undefined) return earlier;
    const all = await persons.facesOf(company, from.id);
    const leaving = new Set(faces);
    if (!faces.every((face) => all.includes(face))) throw notFound();
    const named = all.map((face) => ({ face, side: leaving.has(face) ? SIDE.chosen : SIDE.stays }));
    const target = to === null ? [] : sided(await persons.facesOf(company, to.id), SIDE.target);
    const seen = to === null ? [from] : [from, to];
    const decision = { kind: 'move', faces: [...named, ...target], reason } as const;
    return this.#changePersons(company, decision, act, { seen });
  }

  async change(...asked: Parameters<Persons['change']>): Promise<void> {
    await this.ports.persons.change(...asked);
    await this.ports.groups.refresh(asked[0]);
  }

  async #changePersons(
    company: CompanyId,
    decision: NewDecision,
    act: AuditContext,
    conditions: Parameters<Persons['decide']>[3],
  ): Promise<Decided> {
    const decided = await this.ports.persons.decide(company, decision, act, conditions);
    await this.ports.groups.refresh(company);
    return decided;
  }

  /** The distance of the least similar pair of a decision. */
  async #widestOf(company: CompanyId, group: DuplicateGroup, faces: readonly NamedFace[]): Promise<number> {
    // A decision about as many faces as the group has is about the group.
    if (faces.length === group.size) return group.widest;
    const view = await this.ports.groups.describe(
      company,
      faces.map(({ face }) => face),
    );
    return view?.pairs.at(0)?.distance ?? group.widest;
  }

  /** The kind of a decision, and its faces. */
  async #wanted(
    company: CompanyId,
    group: DuplicateGroup,
    about: DecisionSubject,
    decision: PersonDecision,
  ): Promise<Pick<NewDecision, 'kind' | 'faces'>> {
    const { persons, duplicateGroups } = this.ports;
    if (about.kind === 'confirm') {
      const waiting = await persons.awaiting(company, await duplicateGroups.facesOf(company, group.id));
      const named = waiting.find(({ id }) => id === about.decision);
      if (named === undefined) throw notFound();
      return named;
    }
    return kindOf(about, decision, await this.#named(company, group, about, decision));
  }

  /** The faces of a decision, each with its side. */
  async #named(
    company: CompanyId,
    group: DuplicateGroup,
    about: Exclude<DecisionSubject, { kind: 'confirm' }>,
    decision: PersonDecision,
  ): Promise<NamedFace[]> {
    const { duplicateGroups } = this.ports;
    const faces = await duplicateGroups.facesOf(company, group.id);
    const apart = decision === 'different';
    switch (about.kind) {
      case 'group':
        return faces.map((face, index) => ({ face, side: apart ? index : SIDE.stays }));
      case 'pair': {
        const pair = [about.first, about.second];
        if (about.first === about.second || !pair.every((face) => faces.includes(face))) throw notFound();
        return pair.map((face, index) => ({ face, side: apart ? index : SIDE.stays }));
      }
      case 'split': {
        const together = new Set(about.together);
        if (!about.together.every((face) => faces.includes(face))) throw notFound();
        if (together.size === faces.length) return sided(faces, SIDE.chosen);
        return faces.map((face) => ({ face, side: together.has(face) ? SIDE.chosen : SIDE.stays }));
      }
      case 'join': {
        if (about.group === null) return sided([...faces, about.face], SIDE.stays);
        const other = await duplicateGroups.find(company, about.group.id);
        if (other === undefined) throw notFound();
        if (other.version !== about.group.version) throw changedGroup(other);
        return sided(
          [...new Set([...faces, ...(await duplicateGroups.facesOf(company, other.id))])],
          SIDE.stays,
        );
      }
    }
  }
}

/** The refusal of a decision about a group that has changed since its version was read. */
function changedGroup({ id, version }: DuplicateGroup): CodedError {
  return new CodedError({ code: 'GROUP_CHANGED', parameters: { id, version } });
}

function notFound(): CodedError {
  return new CodedError(problem('NOT_FOUND'));
}

function sided(faces: readonly FaceId[], side: number): NamedFace[] {
  return faces.map((face) => ({ face, side }));
}

/** A single chosen face becomes no person: it is said not to show those of the others. */
function kindOf(
  about: DecisionSubject,
  decision: PersonDecision,
  faces: NamedFace[],
): Pick<NewDecision, 'kind' | 'faces'> {
  if (about.kind === 'join') return { kind: 'same', faces };
  if (about.kind !== 'split') return { kind: decision, faces };
  const chosen = faces.filter(({ side }) => side === SIDE.chosen).length;
  return { kind: chosen > 1 ? 'choose' : 'different', faces };
}
