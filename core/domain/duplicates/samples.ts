/** Random samples of groups: an operator who confirms one without an error may accept all the groups it was drawn from. */
import type { PersonDecision } from '../../contracts/dashboard/duplicates.ts';
import type { CompanyId, FaceId, PersonDecisionId } from '../../contracts/ids.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import type { GroupFilter, SeenGroup } from '../ports/persons.ts';
import type { GroupService } from './groups.ts';
import type { DuplicateGroups } from '../../storage/persons/groups.ts';
import { makeRoom } from '../work/keptRuns.ts';
import { Service } from '../serviceParts.ts';

/** How long a sample can be answered, milliseconds; and samples that are kept. */
const [KEPT_FOR, MAX_KEPT] = [60 * 60_000, 100];
/** Of a sample so many pairs are of different people, so that an operator who accepts everything fails. */
const DIFFERENT_SHARE = 0.1;
const PAGE = 500;

interface SampledPair {
  faces: readonly [FaceId, FaceId];
  expected: 'same' | 'different';
}

export interface Sample {
  id: string;
  company: CompanyId;
  actor: Actor;
  expires: Date;
  groups: readonly SeenGroup[];
  pairs: readonly SampledPair[];
  answered: readonly PersonDecision[];
  /** The decisions of the bulk accept; null: its groups are not accepted. */
  accepted: readonly PersonDecisionId[] | null;
}

export interface SampleState {
  state: 'open' | 'clean' | 'failed';
  confirmed: number;
  /** Null: not complete. */
  bound: number | null;
}

interface SamplePorts {
  duplicateGroups: DuplicateGroups;
  groups: GroupService;
  crypto: Pick<CryptoPort, 'randomUuid' | 'randomBytes'>;
}

export class GroupSamples extends Service<SamplePorts> {
  readonly #kept = new Map<string, Sample>();

  /** Draws a sample of the open groups that the filter leaves; with fewer groups than asked all of them. */
  async draw(
    of: { company: CompanyId; actor: Actor; at: Date },
    filter: GroupFilter,
    size: number,
  ): Promise<Sample> {
    const { duplicateGroups, groups } = this.ports;
    const { company, actor, at } = of;
    await groups.refresh(company);
    const found: SeenGroup[] = [];
    for (let after: Parameters<DuplicateGroups['list']>[2]['after'], more = true; more;) {
      const page = await duplicateGroups.list(
        company,
        { ...filter, states: ['proposed'] },
        { order: 'certainty', limit: PAGE, after },
      );
      found.push(...page.map(({ id, version }) => ({ id, version })));
      const last = page.at(-1);
      after = last && { value: last.link, size: last.size, id: last.id };
      more = page.length === PAGE;
    }
    const chosen = this.#shuffled(found).slice(0, size);
    const same = await Promise.all(chosen.map((group) => this.#leastSimilar(company, group)));
    const sample = {
      id: this.ports.crypto.randomUuid(),
      company,
      actor,
      groups: found,
      answered: [],
      accepted: null,
      expires: new Date(at.getTime() + KEPT_FOR),
      pairs: this.#shuffled([...same.flat(), ...this.#different(same.flat())]),
    };
    this.#kept.set(sample.id, sample);
    makeRoom(this.#kept, MAX_KEPT, (kept) => `${kept.company} ${kept.actor}`);
    return sample;
  }

  /** The sample of this operator; undefined: it has expired, or there is none. */
  find(id: string, of: { company: CompanyId; actor: Actor; at: Date }): Sample | undefined {
    const sample = this.#kept.get(id);
    const own = sample?.company === of.company && sample.actor === of.actor && sample.expires > of.at;
    return own ? sample : undefined;
  }

  /** @param answers all answers so far; given ones cannot be changed */
  answer(sample: Sample, answers: readonly PersonDecision[]): SampleState {
    const known = sample.answered;
    const answered = [...known, ...answers.slice(known.length)].slice(0, sample.pairs.length);
    const next = { ...sample, answered };
    this.#kept.set(sample.id, next);
    return stateOf(next);
  }

  /** Keeps the decisions of the bulk accept for as long as the sample, so that they can be undone together. */
  accept(sample: Sample, accepted: readonly PersonDecisionId[]): void {
    this.#kept.set(sample.id, { ...sample, accepted });
  }

  forget(sample: Sample): void {
    this.#kept.delete(sample.id);
  }

  async #leastSimilar(company: CompanyId, { id }: SeenGroup): Promise<SampledPair[]> {
    const faces = await this.ports.duplicateGroups.facesOf(company, id);
    const pair = (await this.ports.groups.describe(company, faces))?.pairs[0];
    return pair === undefined ? [] : [{ faces: [pair.first, pair.second], expected: 'same' }];
  }

  /** Faces of two groups each: groups of one person would have been joined, or are near each other at least. */
  #different(same: readonly SampledPair[]): SampledPair[] {
    if (same.length < 2) return [];
    const shuffled = this.#shuffled(same);
    const wanted = Math.max(1, Math.ceil(same.length * DIFFERENT_SHARE));
    return shuffled.slice(0, wanted).map(({ faces }, index) => ({
      faces: [faces[0], shuffled[(index + 1) % shuffled.length]!.faces[1]],
      expected: 'different',
    }));
  }

  #shuffled<T>(things: readonly T[]): T[] {
    const shuffled = [...things];
    for (let place = shuffled.length - 1; place > 0; place -= 1) {
      const other = new DataView(this.ports.crypto.randomBytes(4).slice().buffer).getUint32(0) % (place + 1);
      [shuffled[place], shuffled[other]] = [shuffled[other]!, shuffled[place]!];
    }
    return shuffled;
  }
}

/** Three in n: the 95 % bound of a share of which n random cases showed none. */
export function stateOf({ pairs, answered }: Sample): SampleState {
  const failed = answered.some((answer, index) =>
    pairs[index]!.expected === 'same' ? answer !== 'same' : answer === 'same',
  );
  const confirmed = answered.filter(
    (answer, index) => answer === 'same' && pairs[index]!.expected === 'same',
  ).length;
  if (failed) return { state: 'failed', confirmed, bound: null };
  if (answered.length < pairs.length || confirmed === 0) return { state: 'open', confirmed, bound: null };
  return { state: 'clean', confirmed, bound: Math.min(1, 3 / confirmed) };
}
