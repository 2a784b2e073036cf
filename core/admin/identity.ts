import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import type { IDENTITY_COMMANDS, TerminalGroup } from '../contracts/admin/identity.ts';
import { CodedError, problem } from '../contracts/errors/problem.ts';
import { OPEN_GROUPS } from '../contracts/dashboard/duplicates.ts';
import type { CompanyId, FaceId, PersonId } from '../contracts/ids.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import { specimenBody, specimenProblem } from '../domain/persons/specimenViews.ts';
import type { GroupService } from '../domain/duplicates/groups.ts';
import type { PersonService } from '../domain/persons/personService.ts';
import type { SpecimenService } from '../domain/persons/specimens.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { DescribedFace, Person } from '../domain/ports/persons.ts';
import type { AuditLog } from '../storage/audit/auditLog.ts';
import type { Persons } from '../storage/persons/persons.ts';
import type { DuplicateGroups } from '../storage/persons/groups.ts';
import type { Companies } from '../storage/settings/companies.ts';

export interface IdentityCommandPorts {
  companies: Companies;
  duplicateGroups: DuplicateGroups;
  persons: Persons;
  groups: GroupService;
  personService: PersonService;
  specimenService: SpecimenService;
  audit: AuditLog;
  clock: Clock;
}

type IdentityHandlers = Pick<AdminCommandHandlers, keyof typeof IDENTITY_COMMANDS>;

/** The handlers of `vouch duplicates list|export|decide` and `vouch person …`. */
export function identityCommands(ports: IdentityCommandPorts): IdentityHandlers {
  return { ...groupCommands(ports), ...personCommands(ports), ...specimenCommands(ports) };
}

function groupCommands(
  ports: IdentityCommandPorts,
): Pick<IdentityHandlers, 'duplicates.list' | 'duplicates.decide'> {
  const { companies, duplicateGroups, groups, personService, persons, clock } = ports;
  const act = () => asLocalAdmin(clock);
  return {
    async 'duplicates.list'({ company: named, state, after, limit, export: exported }) {
      const { id: company } = await companyNamed(companies, named);
      await groups.refresh(company);
      const filter = { states: state === undefined ? OPEN_GROUPS : [state] };
      const found = await duplicateGroups.list(company, filter, { order: 'certainty', limit, after });
      if (exported && after === undefined)
        await ports.audit.record(act(), {
          company,
          action: 'export.taken',
          object: null,
          details: { kind: 'duplicateGroups', rows: await duplicateGroups.count(company, filter) },
        });
      const certainty = await groups.certainty(company);
      const rows: TerminalGroup[] = [];
      for (const { id, version, state: now, identical, link, size } of found)
        rows.push({
          id,
          version,
          state: now,
          identical,
          size,
          certainty: identical ? 1 : (certainty?.at(link) ?? 0),
          faces: (await persons.describe(company, await duplicateGroups.facesOf(company, id))).map(faceOf),
        });
      const last = found.length === limit ? found.at(-1) : undefined;
      return { groups: rows, next: last ? { value: last.link, size: last.size, id: last.id } : null };
    },
    async 'duplicates.decide'({ company: named, group, version, decision, reason }) {
      const { id: company } = await companyNamed(companies, named);
      const known = { id: group, version };
      const about = { kind: 'group' } as const;
      const decided = await personService.decide(company, known, { about, decision, reason }, act());
      const after = await duplicateGroups.find(company, group);
      return { ...decided, awaitsConfirmation: after?.state === 'awaitingConfirmation' };
    },
  };
}

function personCommands(
  ports: IdentityCommandPorts,
): Pick<IdentityHandlers, 'person.list' | 'person.show' | 'person.merge' | 'person.split' | 'person.move'> {
  const { companies, personService, persons, clock } = ports;
  const act = () => asLocalAdmin(clock);
  return {
    async 'person.list'({ company: named, text, limit }) {
      const { id: company } = await companyNamed(companies, named);
      return (await persons.list(company, { order: 'newest', limit, text })).map(personOf);
    },
    async 'person.show'({ company: named, id }) {
      const { id: company } = await companyNamed(companies, named);
      const person = await requirePerson(persons, company, id);
      const photos = await persons.describe(company, await persons.facesOf(company, id));
      return { ...personOf(person), photos: photos.map(faceOf) };
    },
    async 'person.merge'({ company: named, target, source }) {
      const { id: company } = await companyNamed(companies, named);
      const both = {
        target: await requirePerson(persons, company, target),
        source: await requirePerson(persons, company, source),
      };
      return await personService.merge(company, both, null, act());
    },
    async 'person.split'({ company: named, id, faces, name }) {
      const { id: company } = await companyNamed(companies, named);
      const from = await requirePerson(persons, company, id);
      return await personService.split(company, from, { faces, name, reason: null }, act());
    },
    async 'person.move'({ company: named, id, face, to }) {
      const { id: company } = await companyNamed(companies, named);
      const from = await requirePerson(persons, company, id);
      const target = to === null ? null : await requirePerson(persons, company, to);
      return await personService.move(company, from, { face, to: target, reason: null }, act());
    },
  };
}

function specimenCommands(
  ports: IdentityCommandPorts,
): Pick<
  IdentityHandlers,
  'person.specimens' | 'person.specimen-add' | 'person.specimen-remove' | 'person.specimens-use'
> {
  const { companies, persons, specimenService, clock } = ports;
  const act = () => asLocalAdmin(clock);
  return {
    async 'person.specimens'({ company: named, id }) {
      const { id: company } = await companyNamed(companies, named);
      await requirePerson(persons, company, id);
      return (await specimenService.of(company, id)).map(specimenBody);
    },
    async 'person.specimen-add'({ company: named, id, image }) {
      const { id: company } = await companyNamed(companies, named);
      const added = await specimenService.add(company, id, Buffer.from(image, 'base64'), act());
      if (added.kind !== 'done') throw new CodedError(specimenProblem(added));
      return specimenBody(added.specimen);
    },
    async 'person.specimen-remove'({ company: named, id, specimen }) {
      const { id: company } = await companyNamed(companies, named);
      if (!(await specimenService.erase(company, id, specimen, act())))
        throw new CodedError(problem('NOT_FOUND'));
      return { erased: true };
    },
    async 'person.specimens-use'({ company: named, id }) {
      const { id: company } = await companyNamed(companies, named);
      await requirePerson(persons, company, id);
      const used = await specimenService.use(company, id, act());
      return used.map((specimen) => ({
        ...specimenBody(specimen),
        image: Buffer.from(specimen.content).toString('base64'),
      }));
    },
  };
}

/** @throws {CodedError} the company has no such person */
async function requirePerson(persons: Persons, company: CompanyId, id: PersonId): Promise<Person> {
  const found = await persons.find(company, id);
  if (found === undefined) throw new CodedError(problem('NOT_FOUND'));
  return found;
}

function faceOf({ id, name, blacklist, enrolledAt, person }: DescribedFace): TerminalGroup['faces'][number] {
  return {
    id: id satisfies FaceId,
    name,
    blacklist: blacklist?.name ?? null,
    enrolledAt: enrolledAt.toISOString(),
    person: person?.id ?? null,
  };
}

function personOf({ id, name, externalId, note, faces, changedAt }: Person) {
  return { id, name, externalId, note, faces, changedAt: changedAt.toISOString() };
}
