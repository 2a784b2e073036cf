/** The decisions of operators and programs about groups and persons. */
import type { IdentityDecision } from '../../contracts/dashboard/duplicates.ts';
import type { CompanyId, DuplicateGroupId, FaceId, IdentityDecisionId } from '../../contracts/ids.ts';
import type { GroupService } from '../duplicates/groups.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import {
  SIDE,
  type Decided,
  type DuplicateGroup,
  type NamedFace,
  type NewDecision,
  type SeenGroup,
  type SeenPersons,
} from '../ports/persons.ts';
import type { DuplicateRuns } from '../../storage/duplicates/runs.ts';
import type { Persons } from '../../storage/persons/persons.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Storage } from '../../storage/index.ts';

export interface IdentityPorts extends Pick<Storage, 'persons' | 'duplicateGroups'> {
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
  | { kind: 'confirm'; decision: IdentityDecisionId };

interface GroupDecision {
  about: DecisionSubject;
  decision: IdentityDecision;
  reason: string | null;
}

/** A group that has changed since its version was read, and its version now. */
interface GroupChanged {
  kind: 'groupChanged';
  id: DuplicateGroupId;
  version: number;
}

type GroupDecided = Decided | GroupChanged;

export class IdentityService {
  readonly #ports: IdentityPorts;

  constructor(ports: IdentityPorts) {
    this.#ports = ports;
  }

  /** Decides about a group. Nothing is decided when it has changed since the operator saw it. */
  async decide(
    company: CompanyId,
    seen: SeenGroup,
    wish: GroupDecision,
    act: AuditContext,
  ): Promise<GroupDecided> {
    const { about, decision, reason } = wish;
    const { companies, groups, duplicateGroups, duplicateRuns, persons } = this.#ports;
    const earlier = await persons.repeated(company, act);
    if (earlier !== undefined) return earlier;
    await groups.refresh(company);
    const group = await duplicateGroups.find(company, seen.id);
    if (group === undefined) return { kind: 'notFound' };
    if (group.version !== seen.version) return changedGroup(group);
    const wanted = await this.#wanted(company, group, about, decision);
    if (!('faces' in wanted)) return wanted;
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
    if (decided.kind === 'outdated') return this.decide(company, seen, wish, act);
    if (decided.kind === 'done') await groups.refresh(company);
    return decided;
  }

  /** Undoes a decision; later ones keep their effect. */
  async undo(company: CompanyId, id: IdentityDecisionId, act: AuditContext): ReturnType<Persons['undo']> {
    const undone = await this.#ports.persons.undo(company, id, act);
    if (undone.kind === 'done') await this.#ports.groups.refresh(company);
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
    const present = await this.#ports.persons.facesOf(company, to.id);
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
    const faces = sided(await this.#ports.persons.facesOf(company, person.id), SIDE.chosen);
    return this.#changePersons(company, { kind: 'dissolve', faces, reason }, act, { seen: [person] });
  }

  /** The faces of the source come to the target, which keeps name, note, external id and cover. */
  async merge(
    company: CompanyId,
    { target, source }: { target: SeenPersons[number]; source: SeenPersons[number] },
    reason: string | null,
    act: AuditContext,
  ): Promise<Decided | { kind: 'itself' }> {
    if (target.id === source.id) return { kind: 'itself' };
    const { persons } = this.#ports;
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
  ): Promise<Decided | { kind: 'allFaces' }> {
    const { persons } = this.#ports;
    const earlier = await persons.repeated(company, act);
    if (earlier !== undefined) return earlier;
    const all = await persons.facesOf(company, from.id);
    const leaving = new Set(faces);
    if (!faces.every((face) => all.includes(face))) return { kind: 'notFound' };
    if (leaving.size === all.length) return { kind: 'allFaces' };
    const named = all.map((face) => ({ face, side: leaving.has(face) ? SIDE.chosen : SIDE.stays }));
    const decision = { kind: 'split', faces: named, reason, person: { name } } as const;
    return this.#changePersons(company, decision, act, { seen: [from] });
  }

  /** A face leaves its person, for another one or for none. */
  async move(
    company: CompanyId,
    from: SeenPersons[number],
    { face, to, reason }: { face: FaceId; to: SeenPersons[number] | null; reason: string | null },
    act: AuditContext,
  ): Promise<Decided | { kind: 'itself' }> {
    if (to?.id === from.id) return { kind: 'itself' };
    const { persons } = this.#ports;
    const earlier = await persons.repeated(company, act);
    if (earlier !== undefined) return earlier;
    const all = await persons.facesOf(company, from.id);
    if (!all.includes(face)) return { kind: 'notFound' };
    const named = all.map((other) => ({ face: other, side: other === face ? SIDE.chosen : SIDE.stays }));
    const target = to === null ? [] : sided(await persons.facesOf(company, to.id), SIDE.target);
    const seen = to === null ? [from] : [from, to];
    const decision = { kind: 'move', faces: [...named, ...target], reason } as const;
    return this.#changePersons(company, decision, act, { seen });
  }

  async change(...asked: Parameters<Persons['change']>): ReturnType<Persons['change']> {
    const changed = await this.#ports.persons.change(...asked);
    if (changed.kind === 'done') await this.#ports.groups.refresh(asked[0]);
    return changed;
  }

  async #changePersons(
    company: CompanyId,
    decision: NewDecision,
    act: AuditContext,
    conditions: Parameters<Persons['decide']>[3],
  ): Promise<Decided> {
    const decided = await this.#ports.persons.decide(company, decision, act, conditions);
    if (decided.kind === 'done') await this.#ports.groups.refresh(company);
    return decided;
  }

  /** The distance of the least similar pair of a decision. */
  async #widestOf(company: CompanyId, group: DuplicateGroup, faces: readonly NamedFace[]): Promise<number> {
    // A decision about as many faces as the group has is about the group.
    if (faces.length === group.size) return group.widest;
    const view = await this.#ports.groups.describe(
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
    decision: IdentityDecision,
  ): Promise<Pick<NewDecision, 'kind' | 'faces'> | { kind: 'notFound' } | GroupChanged> {
    const { persons, duplicateGroups } = this.#ports;
    if (about.kind === 'confirm') {
      const waiting = await persons.awaiting(company, await duplicateGroups.facesOf(company, group.id));
      return waiting.find(({ id }) => id === about.decision) ?? { kind: 'notFound' };
    }
    const named = await this.#named(company, group, about, decision);
    return Array.isArray(named) ? kindOf(about, decision, named) : named;
  }

  /** The faces of a decision, each with its side. */
  async #named(
    company: CompanyId,
    group: DuplicateGroup,
    about: Exclude<DecisionSubject, { kind: 'confirm' }>,
    decision: IdentityDecision,
  ): Promise<NamedFace[] | { kind: 'notFound' } | GroupChanged> {
    const { duplicateGroups } = this.#ports;
    const faces = await duplicateGroups.facesOf(company, group.id);
    const apart = decision === 'different';
    switch (about.kind) {
      case 'group':
        return faces.map((face, index) => ({ face, side: apart ? index : SIDE.stays }));
      case 'pair': {
        const pair = [about.first, about.second];
        if (about.first === about.second || !pair.every((face) => faces.includes(face)))
          return { kind: 'notFound' };
        return pair.map((face, index) => ({ face, side: apart ? index : SIDE.stays }));
      }
      case 'split': {
        const together = new Set(about.together);
        if (!about.together.every((face) => faces.includes(face))) return { kind: 'notFound' };
        if (together.size === faces.length) return sided(faces, SIDE.chosen);
        return faces.map((face) => ({ face, side: together.has(face) ? SIDE.chosen : SIDE.stays }));
      }
      case 'join': {
        if (about.group === null) return sided([...faces, about.face], SIDE.stays);
        const other = await duplicateGroups.find(company, about.group.id);
        if (other === undefined) return { kind: 'notFound' };
        if (other.version !== about.group.version) return changedGroup(other);
        return sided(
          [...new Set([...faces, ...(await duplicateGroups.facesOf(company, other.id))])],
          SIDE.stays,
        );
      }
    }
  }
}

function changedGroup({ id, version }: DuplicateGroup): GroupChanged {
  return { kind: 'groupChanged', id, version };
}

function sided(faces: readonly FaceId[], side: number): NamedFace[] {
  return faces.map((face) => ({ face, side }));
}

/** A single chosen face becomes no person: it is said not to show those of the others. */
function kindOf(
  about: DecisionSubject,
  decision: IdentityDecision,
  faces: NamedFace[],
): Pick<NewDecision, 'kind' | 'faces'> {
  if (about.kind === 'join') return { kind: 'same', faces };
  if (about.kind !== 'split') return { kind: decision, faces };
  const chosen = faces.filter(({ side }) => side === SIDE.chosen).length;
  return { kind: chosen > 1 ? 'choose' : 'different', faces };
}
