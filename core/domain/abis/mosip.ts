/** Requests of MOSIP's ABIS interface, each answered once or again with the same answer (docs/guides/mosip.md). */
import { z } from 'zod';
import { CodedError } from '../../contracts/errors/problem.ts';
import { FAILURES } from '../../contracts/errors/failures.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { MOSIP_FAILURES, type MosipConnection, type MosipFailure } from '../../contracts/mosip.ts';
import { givenId } from '../../contracts/osia.ts';
import type { Encounter } from '../../storage/screening/encounters.ts';
import type { MosipAnswers } from '../../storage/settings/mosip.ts';
import type { AuditContext, Company } from '../ports/auditContext.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import { UnavailableError, type Clock, type Logger } from '../ports/machine.ts';
import { comparisonRate } from '../../contracts/certainty.ts';
import { Service, type Parts } from '../serviceParts.ts';
import { hexOf } from '../values/bytes.ts';
import type { EncounterService, FoundPerson, KnownPerson } from './encounters.ts';

/** A request that fails for a reason that MOSIP has a number for. */
export class MosipRefusal extends Error {
  override name = 'MosipRefusal';
  readonly reason: MosipFailure;

  constructor(reason: MosipFailure, options?: ErrorOptions) {
    super(`A request of MOSIP is refused: ${reason}.`, options);
    this.reason = reason;
  }
}

interface MosipPorts extends Pick<Parts, 'companies'> {
  encounterService: EncounterService;
  mosipAnswers: MosipAnswers;
  crypto: CryptoPort;
  clock: Clock;
  log: Logger;
  /**
   * The face record at a reference URL.
   * @throws {MosipRefusal} it cannot be fetched
   */
  recordAt: (company: Company, connection: MosipConnection, url: string) => Promise<Uint8Array>;
}

const VERSION = '1.1';
/** Candidates of an answer where the request names no number. */
const CANDIDATES = 100;
/** The kind of biometrics of a face in an answer. */
const FACE = 'FID';
const MAIN = { kind: 'duplicate' } as const;

const text = z.string();
/** As an external ID of a person. */
const reference = z.union([z.literal(''), givenId]);
const plain = { id: text, version: text, requestId: text, requesttime: text };
const rate = z.string().regex(/^\d{1,3}(\.\d{1,6})?$/);
/** The fields of each request. A missing field has a failure reason of its own, so none is required here. */
const REQUESTS = {
  'mosip.abis.insert': z.strictObject({ ...plain, referenceId: reference, referenceURL: text }).partial(),
  'mosip.abis.identify': z
    .strictObject({
      ...plain,
      referenceId: reference.nullable(),
      referenceURL: text.nullable(),
      referenceUrl: text.nullable(),
      flags: z.looseObject({
        maxResults: z
          .string()
          .regex(/^[1-9]\d{0,5}$/)
          .optional(),
        targetFPIR: rate.optional(),
      }),
      gallery: z.strictObject({
        referenceIds: z.array(z.strictObject({ referenceId: reference })).max(10_000),
      }),
    })
    .partial(),
  'mosip.abis.delete': z.strictObject({ ...plain, referenceId: reference }).partial(),
  'mosip.abis.ping': z.strictObject(plain).partial(),
  'mosip.abis.pendingJobs': z.strictObject(plain).partial(),
  'mosip.abis.referenceCount': z.strictObject(plain).partial(),
} as const;
type RequestId = keyof typeof REQUESTS;
type RequestOf<Id extends RequestId> = z.infer<(typeof REQUESTS)[Id]>;
type Sent = { [Id in RequestId]: { id: Id; fields: RequestOf<Id> } }[RequestId];
/** Requests that no other one is waited for: they look at the service itself. */
const ALONE: ReadonlySet<RequestId> = new Set(['mosip.abis.ping', 'mosip.abis.pendingJobs']);

/** The requests of one company, from its queue. */
export class MosipRequests extends Service<MosipPorts> {
  /** Requests that are not answered. */
  #pending = 0;
  readonly #inserts = new Set<Promise<unknown>>();
  /** The last request that waited for all before it. */
  #barrier: Promise<unknown> = Promise.resolve();

  /**
   * Answers a request. Inserts run side by side; every other request waits for the ones before it, so that a search finds
   * all that was inserted earlier.
   * @param request its bytes as text
   * @returns the answer as text, stored before it is returned
   * @throws it could not be stored; the request must come again
   */
  async answer(company: CompanyId, connection: MosipConnection, request: string): Promise<string> {
    const { mosipAnswers: answers, crypto, clock } = this.ports;
    const digest = hexOf(crypto.sha256(request));
    const act = { by: 'service', at: clock.now() } as const;
    const sent = parsed(request);
    // Its place among the others is taken before anything is waited for.
    const make = async () => {
      const kept = await answers.find(company, digest, act.at);
      return kept ?? this.#answer(company, connection, { sent, digest, act, isBegun: kept === null });
    };
    this.#pending += 1;
    try {
      return await (isAlone(sent) ? make() : this.#inTurn(sent, make));
    } finally {
      this.#pending -= 1;
    }
  }

  /** Begins in the order of the calls. */
  #inTurn(sent: Parsed, make: () => Promise<string>): Promise<string> {
    if ('refusal' in sent || sent.id === 'mosip.abis.insert') {
      const made = this.#barrier.then(make);
      const settled = made.catch(() => undefined).finally(() => this.#inserts.delete(settled));
      this.#inserts.add(settled);
      return made;
    }
    const made = Promise.all([this.#barrier, ...this.#inserts]).then(make);
    this.#barrier = made.catch(() => undefined);
    return made;
  }

  async #answer(
    company: CompanyId,
    connection: MosipConnection,
    { sent, digest, act, isBegun }: { sent: Parsed; digest: string; act: AuditContext; isBegun: boolean },
  ): Promise<string> {
    const { mosipAnswers: answers, clock, log } = this.ports;
    const answered = (result: object): string => {
      const { id, requestId } = namesOf(sent);
      return JSON.stringify({ id, requestId, responsetime: clock.now().toISOString(), ...result });
    };
    const failed = (reason: MosipFailure) =>
      answered({ returnValue: '2', failureReason: MOSIP_FAILURES[reason] });
    let answer: string;
    try {
      if ('refusal' in sent) throw new MosipRefusal(sent.refusal);
      const result = await this.#carryOut(company, connection, sent, { digest, act, isBegun });
      answer = answered({ ...result, returnValue: '1' });
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) {
        // A passing cause is not kept, so that MOSIP's next attempt is carried out.
        log.error({ err: error, company }, 'a request of MOSIP could not be carried out');
        return failed(error instanceof UnavailableError ? 'aborted' : 'internal');
      }
      if (reason === 'notFetched')
        log.warn({ err: error, company }, 'MOSIP named a face record that could not be fetched');
      answer = failed(reason);
    }
    const namesPersons = namesOf(sent).id === 'mosip.abis.identify';
    if (!isAlone(sent)) await answers.keep(company, digest, { answer, namesPersons }, act.at);
    return answer;
  }

  async #carryOut(
    company: CompanyId,
    connection: MosipConnection,
    sent: Sent,
    by: { digest: string; act: AuditContext; isBegun: boolean },
  ): Promise<object> {
    const { companies, encounterService } = this.ports;
    switch (sent.id) {
      case 'mosip.abis.insert': {
        const owner = await companies.find(company);
        if (owner === undefined) throw new Error(`Company ${company} of a connection is gone.`);
        await this.#insert(owner, connection, sent.fields, by);
        return {};
      }
      case 'mosip.abis.identify':
        return this.#identify(company, connection, sent.fields, by.act);
      case 'mosip.abis.delete':
        await this.#delete(company, sent.fields.referenceId ?? '', by);
        return {};
      case 'mosip.abis.ping':
        return {};
      case 'mosip.abis.pendingJobs':
        // Without this one.
        return { jobscount: String(this.#pending - 1) };
      case 'mosip.abis.referenceCount':
        return { count: String(await encounterService.count(company)) };
    }
  }

  async #insert(
    company: Company,
    connection: MosipConnection,
    { referenceId = '', referenceURL = '' }: RequestOf<'mosip.abis.insert'>,
    { digest, act }: { digest: string; act: AuditContext },
  ): Promise<void> {
    const { encounterService, recordAt } = this.ports;
    // An earlier delivery of this request may have come this far: before a crash, or at this moment.
    const isStored = async () => {
      const known = await encounterService.person(company.id, referenceId).catch(orUnknown);
      if (known?.encounters.every(({ kept }) => kept?.request !== digest)) throw new MosipRefusal('exists');
      return known !== undefined;
    };
    if (await isStored()) return;
    const file = await recordAt(company, connection, referenceURL);
    const kept = { encounter: { id: referenceId, encounterType: 'MOSIP', request: digest } };
    try {
      await encounterService.create(company, referenceId, { file, isActive: true, kept, alone: true }, act);
    } catch (error) {
      if (!(await isStored())) throw error;
    }
  }

  /** @param by.isBegun an earlier delivery of the request found the reference */
  async #delete(
    company: CompanyId,
    referenceId: string,
    { digest, act, isBegun }: { digest: string; act: AuditContext; isBegun: boolean },
  ): Promise<void> {
    const { encounterService, mosipAnswers } = this.ports;
    const known = await encounterService.person(company, referenceId).catch(orUnknown);
    if (known === undefined && isBegun) return;
    if (known === undefined) throw new MosipRefusal('unknownReference');
    await mosipAnswers.keep(company, digest, { answer: null, namesPersons: false }, act.at);
    await encounterService.erase(company, known.encounters, act);
  }

  async #identify(
    company: CompanyId,
    connection: MosipConnection,
    { referenceId, referenceURL, referenceUrl, gallery, flags }: RequestOf<'mosip.abis.identify'>,
    act: AuditContext,
  ): Promise<object> {
    const { encounterService, companies, recordAt } = this.ports;
    let own: Encounter[] = [];
    let probes;
    if (referenceId != null && referenceId !== '') {
      own = (await this.#known(company, referenceId)).encounters;
      probes = await encounterService.probesOf(company, own);
    } else {
      const owner = await companies.find(company);
      if (owner === undefined) throw new Error(`Company ${company} of a connection is gone.`);
      const file = await recordAt(owner, connection, referenceURL ?? referenceUrl ?? '');
      probes = [await encounterService.probe(company, file)];
    }
    const except = new Set(own.map(({ face }) => face));
    const limit = Math.min(Number(flags?.maxResults ?? CANDIDATES), CANDIDATES);
    const rateOver = (size: number) =>
      flags?.targetFPIR === undefined
        ? undefined
        : comparisonRate(10 ** (-Number(flags.targetFPIR) / 10), size);
    const named = [...new Set((gallery?.referenceIds ?? []).map((each) => each.referenceId))];
    if (named.length === 0) {
      const fmr = rateOver(await encounterService.count(company));
      const wanted = { watchlists: [MAIN], limit, fmr };
      return candidates(await encounterService.identify(company, probes, wanted, act, except));
    }
    const among: Encounter[] = [];
    for (const each of named) among.push(...(await this.#known(company, each)).encounters);
    const others = among.filter(({ face }) => !except.has(face));
    const wanted = { limit, fmr: rateOver(others.length) };
    return candidates(await encounterService.identifyAmong(company, probes, others, wanted, act));
  }

  /** @throws {MosipRefusal} the company has no such reference */
  async #known(company: CompanyId, referenceId: string): Promise<KnownPerson> {
    const known = await this.ports.encounterService.person(company, referenceId).catch(orUnknown);
    if (known === undefined) throw new MosipRefusal('unknownReference');
    return known;
  }
}

type Parsed = Sent | { refusal: MosipFailure; id: string; requestId: string };

/** Reads a request. The first fault in the order of MOSIP's own checks is its refusal. */
function parsed(request: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(request);
  } catch {
    value = undefined;
  }
  const head = z.looseObject({ id: text.catch(''), requestId: text.catch('') }).safeParse(value);
  if (!head.success) return { refusal: 'structure', id: '', requestId: '' };
  const { id, requestId } = head.data;
  const refused = (refusal: MosipFailure) => ({ refusal, id, requestId });
  if (!isRequest(id)) return refused('id');
  const fields = REQUESTS[id].safeParse(value);
  if (!fields.success) return refused('structure');
  const sent: Sent = { id, fields: fields.data };
  const { requesttime, version } = sent.fields;
  if (requestId === '') return refused('noRequestId');
  if (version !== VERSION) return refused('version');
  if (requesttime === undefined || requesttime === '') return refused('noRequestTime');
  if (!z.iso.datetime({ offset: true }).safeParse(requesttime).success) return refused('requestTime');
  const missing = missingIn(sent);
  return missing === undefined ? sent : refused(missing);
}

function missingIn(sent: Sent): MosipFailure | undefined {
  switch (sent.id) {
    case 'mosip.abis.insert':
      if (!sent.fields.referenceId) return 'noReferenceId';
      return sent.fields.referenceURL ? undefined : 'noReferenceUrl';
    case 'mosip.abis.identify': {
      const { referenceId, referenceURL, referenceUrl } = sent.fields;
      return referenceId || referenceURL || referenceUrl ? undefined : 'noReferenceId';
    }
    case 'mosip.abis.delete':
      return sent.fields.referenceId ? undefined : 'noReferenceId';
    case 'mosip.abis.ping':
    case 'mosip.abis.pendingJobs':
    case 'mosip.abis.referenceCount':
      return undefined;
  }
}

function isRequest(id: string): id is RequestId {
  return Object.hasOwn(REQUESTS, id);
}

function isAlone(sent: Parsed): boolean {
  return !('refusal' in sent) && ALONE.has(sent.id);
}

function namesOf(sent: Parsed): { id: string; requestId: string } {
  if ('refusal' in sent) return { id: sent.id, requestId: sent.requestId };
  return { id: sent.id, requestId: sent.fields.requestId ?? '' };
}

function orUnknown(error: unknown): undefined {
  if (error instanceof CodedError && error.problem.code === 'NOT_FOUND') return undefined;
  throw error;
}

/** The failure reason of an error; undefined: none that would be the same at the next attempt. */
function reasonOf(error: unknown): MosipFailure | undefined {
  if (error instanceof MosipRefusal) return error.reason;
  if (!(error instanceof CodedError)) return undefined;
  const { code } = error.problem;
  if (code === 'ENCOUNTER_EXISTS') return 'exists';
  // A face that came another way is not MOSIP's to erase.
  if (code === 'ENCOUNTER_FIXED') return 'aborted';
  if (code === 'RECORD_WITHOUT_FACE') return 'noBiometrics';
  if (/^(RECORD|PICTURE)_/.test(code)) return 'format';
  if (code === 'ENGINE_ERROR' || code === 'TIMEOUT' || code === 'CANCELLED') return undefined;
  return code in FAILURES ? 'quality' : undefined;
}

function candidates(found: readonly FoundPerson[]): object {
  const list = found.map(({ person, score, falseMatchRate }) => {
    const analytics = {
      confidence: score.toFixed(2),
      internalScore: (-10 * Math.log10(falseMatchRate)).toFixed(1),
    };
    return { referenceId: person, analytics, modalities: [{ biometricType: FACE, analytics }] };
  });
  return { candidateList: { count: String(list.length), candidates: list } };
}
