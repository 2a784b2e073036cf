import { TRUST_VALIDATION_STATUS, type TrustValidationStatus } from '../../contracts/codes.ts';
import type { FoundFaces } from '../../contracts/dashboard/enrolmentRuns.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import {
  trusted,
  type CompanyId,
  type FaceId,
  type TrustFlowId,
  type TrustValidationId,
} from '../../contracts/ids.ts';
import type { Decision, HistoryEntry } from '../../contracts/validations.ts';
import type { Actor, Company } from '../ports/auditContext.ts';
import { afterCommit, FOLLOWS } from '../work/afterCommit.ts';
import type { GalleryEntry } from '../ports/gallery.ts';
import { UnavailableError } from '../ports/machine.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { FacesOfPhoto } from '../ports/recognition.ts';
import type { ExtractedFace, ImageFacts, ImageFormat, Template } from '../../contracts/faces.ts';
import { extractStored } from '../recognition/faceValidation.ts';
import type { MatchRecord, ValidationState } from '../ports/screening.ts';
import type { TrustFlow } from '../../storage/screening/trustFlows.ts';
import { screen, screenDuplicates, statusAfter, type ScreenPorts, isUnchanged } from './screen.ts';
import { probesOf, type Probe } from './probes.ts';
import { KeyedMutex } from '../work/turns.ts';
import type { PipelineStore } from '../../storage/faces/pipelines.ts';
import type { Validations } from '../../storage/screening/validations.ts';
import { oneChunk, sniffImageFormat } from '../values/bytes.ts';
import { referTo } from '../work/writtenImages.ts';
import { Service, type Parts } from '../serviceParts.ts';

export interface VerificationPorts
  extends Pick<Parts, 'flows' | 'validations' | 'images' | 'vision' | 'log'>, Omit<ScreenPorts, 'vision'> {
  pipelines: Pick<PipelineStore, 'pendingExtraction' | 'keep'>;
  metrics?: Pick<Metrics, 'verificationFinalised'> | undefined;
}

/** A verification as callers name it; the flow must be its own. */
export interface VerificationReference {
  flowId: TrustFlowId;
  id: TrustValidationId;
}

/** Why an image cannot become a selfie. */
export type UnusableSelfie =
  /** The image cannot be used; the verification waits for another. */
  | { kind: 'refused'; code: FailureCode; found?: FoundFaces | undefined }
  /** Not a JPEG or PNG by its content. */
  | { kind: 'wrong-type' }
  /** The company has nowhere to keep images. */
  | { kind: 'no-storage' };

/** An image with its one face, of which nothing is kept yet. */
export interface AnalysedSelfie {
  kind: 'analysed';
  image: Uint8Array;
  format: ImageFormat;
  facts: ImageFacts;
  face: ExtractedFace;
  /** The photo shows the person more than once; this is the largest usable face. */
  onePerson: boolean;
}

type SelfieRefusal =
  | UnusableSelfie
  /** It was finalised: nothing is added any more. */
  | { kind: 'closed' }
  | { kind: 'unknown' };

export interface TakenSelfie {
  kind: 'taken';
  validation: ValidationState;
  selfie: GalleryEntry;
  at: Date;
  onePerson: boolean;
}

export type SelfieOutcome = TakenSelfie | SelfieRefusal;
export type RegistrationOutcome =
  | (TakenSelfie & {
      /** Faces that were enrolled before and match, nearest first. */
      matches: MatchRecord[];
      /** The status that these matches alone give to the verification. */
      status: TrustValidationStatus;
    })
  | SelfieRefusal;

/** The data that a finalisation writes, and the faces that were compared. */
type Outcome = Omit<Parameters<Validations['finalise']>[2], 'selfies' | 'stands' | 'createdAt'> & {
  probes: readonly Probe[];
};

/** How often one finalisation is screened while other services change faces that are similar. */
const ATTEMPTS = 10;

/** The status and the line of the history of each decision. */
export const DECIDED: Record<
  Decision['decision'],
  { status: TrustValidationStatus; action: HistoryEntry['action'] }
> = {
  verify: { status: TRUST_VALIDATION_STATUS.Verified, action: 'verified' },
  reject: { status: TRUST_VALIDATION_STATUS.Rejected, action: 'rejected' },
  review: { status: TRUST_VALIDATION_STATUS.ReviewNeeded, action: 'returned-to-review' },
};

/** The life of a verification: created, given a selfie, finalised with its screening, decided by a person. */
export class Verifications extends Service<VerificationPorts> {
  readonly #turns = new KeyedMutex<CompanyId>();

  /**
   * @param named the name in lists, absent for its number; the request by which {@link Validations.createdBy} finds it
   * @returns undefined when there is no such flow, or it is the internal one
   */
  async create(
    company: Company,
    flowId: TrustFlowId,
    metadata: unknown,
    by: Actor,
    named: { name?: string | undefined; requestId?: string } = {},
  ): Promise<{ flow: TrustFlow; validation: ValidationState } | undefined> {
    const { flows, validations, clock } = this.ports;
    const flow = await flows.find(company.id, flowId);
    if (flow?.version == null || flow.system) return undefined;
    const validation = { trustFlowId: flow.id, versionId: flow.version.id, metadata, ...named };
    const at = clock.now();
    const created = await validations.create(company.id, validation, { by, at });
    const { Created: status } = TRUST_VALIDATION_STATUS;
    const version = flow.version;
    return {
      flow,
      validation: {
        ...created,
        ...{ trustFlowId: flow.id, version, status, selfies: [], metadata },
        ...{ createdAt: at, finalizedAt: null },
      },
    };
  }

  /** Extracts the template of the selfie and stores both. A second one becomes the photo; the first is screened too. */
  async takeSelfie(
    company: Company,
    reference: VerificationReference,
    image: Uint8Array,
    by: Actor,
  ): Promise<SelfieOutcome> {
    return this.#take(company, reference, image, { matchable: false, by }, (taken) => Promise.resolve(taken));
  }

  /**
   * Takes the selfie, compares it with everybody enrolled before, and enrols it at once: others are compared with it
   * without waiting for the verification to be finalised, which then decides whether it stays.
   * @param name shown in lists
   */
  async register(
    company: Company,
    reference: VerificationReference,
    image: Uint8Array,
    by: Actor,
    name?: string,
  ): Promise<RegistrationOutcome> {
    return this.#take(company, reference, image, { matchable: true, by, name }, async (taken) => {
      const { validation, selfie } = taken;
      const settings = validation.version?.settings;
      if (settings === undefined) throw new Error(`Verification ${validation.id} has no flow version.`);
      const matches = await screenDuplicates(this.ports, company, selfie, settings);
      return { ...taken, matches, status: statusAfter(settings, matches) };
    });
  }

  /**
   * Screens, once, and writes the outcome; finalising again answers what stands. Without a selfie: Incomplete.
   * @returns undefined when there is no such verification
   */
  async finalise(
    company: Company,
    reference: VerificationReference,
    by: Actor,
  ): Promise<ValidationState | undefined> {
    return this.#turns.run(company.id, async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const state = await this.#find(company, reference);
        if (state === undefined || !isOpen(state.status)) return state;
        const written = await this.#finaliseOnce(company, state, by);
        if (written !== 'outdated') return this.#find(company, reference);
      }
      throw new UnavailableError(
        `Similar faces are being enrolled or changed, so the screening was repeated ${ATTEMPTS} times without a result. Try again.`,
      );
    });
  }

  /**
   * A reviewer's decision on a finalised validation, also one of bulk enrolment.
   * @returns `open`: it is not finalised yet; `changed`: its status is not the one that the reviewer saw
   */
  async decide(
    company: Company,
    id: TrustValidationId,
    { decision, note, seenStatus }: Decision,
    by: Actor,
  ): Promise<'decided' | 'open' | 'changed' | 'unknown'> {
    return this.#turns.run(company.id, async () => {
      const { validations, vision, clock } = this.ports;
      const state = await validations.state(company.id, id, vision.pipelineOf(company.id));
      if (state === undefined) return 'unknown';
      if (isOpen(state.status)) return 'open';
      const { status, action } = DECIDED[decision];
      const seen = seenStatus as TrustValidationStatus;
      const change = { seen, status, action, note };
      const outcome = await validations.decide(company.id, id, change, { by, at: clock.now() });
      if (outcome === 'decided') await this.#setMatchable(company, state, status);
      return outcome;
    });
  }

  /** Screens and writes the result, unless it would be another one by the time of the transaction. */
  async #finaliseOnce(
    company: Company,
    state: ValidationState,
    by: Actor,
  ): ReturnType<Validations['finalise']> {
    const { gallery, validations, clock } = this.ports;
    const moment = await gallery.moment();
    const { probes, ...outcome } = await this.#outcome(company, state);
    const { facts, matches } = outcome;
    const stands =
      moment === undefined || facts === null
        ? {}
        : {
            stands: async () =>
              isUnchanged({ probes, facts, matches }, await gallery.changedSince(company.id, moment)),
          };
    const selfies = state.selfies.map(({ faceId }) => faceId);
    const act = { by, at: clock.now() };
    const { createdAt } = state;
    const finalised = { ...outcome, selfies, createdAt, ...stands };
    const written = await validations.finalise(company.id, state.id, finalised, act);
    if (written === 'finalised') {
      this.ports.metrics?.verificationFinalised(outcome.status);
      await this.#setMatchable(company, state, outcome.status);
    }
    return written;
  }

  /** Does `work` while no verification of the company is finalised or decided, and none gets a selfie. */
  runExclusive<T>(company: CompanyId, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(company, work);
  }

  async #find(company: Company, { flowId, id }: VerificationReference): Promise<ValidationState | undefined> {
    const { validations, vision } = this.ports;
    const state = await validations.state(company.id, id, vision.pipelineOf(company.id));
    // A face from bulk enrolment is no verification: it has no version of a flow.
    return state?.trustFlowId === flowId && state.version !== null ? state : undefined;
  }

  /** Describes the face of an image. Writes nothing, so an image that cannot be used leaves no trace. */
  async analyse(
    company: Company,
    image: Uint8Array,
    severalFaces: FacesOfPhoto = 'refuse',
  ): Promise<AnalysedSelfie | UnusableSelfie> {
    if (company.storageFolder === null) return { kind: 'no-storage' };
    const format = sniffImageFormat(image);
    if (format === undefined) return { kind: 'wrong-type' };
    const analysis = await this.ports.vision
      .of(company.id)
      .enrol(image, { gate: company.settings.gate, severalFaces, priority: 'interactive' });
    if (analysis.kind === 'refused') return { kind: 'refused', code: analysis.code, found: analysis.found };
    const { image: facts, face, found } = analysis;
    return { kind: 'analysed', image, format, facts, face, onePerson: found?.onePerson === true };
  }

  /** Keeps an image that {@link Verifications.analyse} has described as the selfie of an open verification. */
  async keepSelfie(
    company: Company,
    reference: VerificationReference,
    selfie: AnalysedSelfie,
    { by, name }: { by: Actor; name: string },
  ): Promise<SelfieOutcome> {
    const kept = { matchable: false, by, name };
    return this.#keepInTurn(company, reference, selfie, kept, (taken) => Promise.resolve(taken));
  }

  /** Analyses the image before its turn, because that takes long; keeps it, and does `then`, in its turn. */
  async #take<T>(
    company: Company,
    reference: VerificationReference,
    image: Uint8Array,
    options: { matchable: boolean; by: Actor; name?: string | undefined },
    then: (taken: TakenSelfie) => Promise<T>,
  ): Promise<T | SelfieRefusal> {
    const before = await this.#find(company, reference);
    if (before === undefined) return { kind: 'unknown' };
    if (!isOpen(before.status)) return { kind: 'closed' };
    const selfie = await this.analyse(company, image);
    if (selfie.kind === 'refused') {
      const act = { by: options.by, at: this.ports.clock.now() };
      await this.ports.validations.refuseSelfie(company.id, reference.id, selfie.code, act);
    }
    if (selfie.kind !== 'analysed') return selfie;
    const name = options.name ?? before.name;
    return this.#keepInTurn(company, reference, selfie, { ...options, name }, then);
  }

  async #keepInTurn<T>(
    company: Company,
    reference: VerificationReference,
    { image, format, facts, face, onePerson }: AnalysedSelfie,
    { matchable, by, name }: { matchable: boolean; by: Actor; name: string },
    then: (taken: TakenSelfie) => Promise<T>,
  ): Promise<T | SelfieRefusal> {
    const written = await this.ports.images.write(company.id, format, oneChunk(image));
    return this.#turns.run(company.id, async () => {
      const selfie = { image: written, facts, face, onePerson, name, matchable };
      const taken = await this.#keep(company, reference, selfie, by);
      return taken.kind === 'taken' ? then(taken) : taken;
    });
  }

  async #keep(
    company: Company,
    reference: VerificationReference,
    selfie: Parameters<Validations['setSelfie']>[2],
    by: Actor,
  ): Promise<SelfieOutcome> {
    const { validations, gallery, clock, log } = this.ports;
    const at = clock.now();
    const kept = await referTo(this.ports, company.id, [selfie.image], () =>
      validations.setSelfie(company.id, reference.id, selfie, { by, at }),
    );
    if (kept === undefined) return { kind: 'closed' };
    const entry: GalleryEntry = {
      faceId: kept.faceId,
      watchlist: { kind: 'duplicate' },
      template: selfie.face.template,
    };
    if (selfie.matchable)
      await afterCommit(log, { company: company.id, face: entry.faceId }, FOLLOWS.enrolled, () =>
        gallery.append(company.id, [entry]),
      );
    const { superseded } = kept;
    await afterCommit(log, { company: company.id, faces: superseded }, FOLLOWS.superseded, () =>
      gallery.remove(company.id, superseded),
    );
    const validation = await this.#find(company, reference);
    return validation === undefined
      ? { kind: 'unknown' }
      : { kind: 'taken', validation, selfie: entry, at, onePerson: selfie.onePerson };
  }

  async #outcome(company: Company, state: ValidationState): Promise<Outcome> {
    const { selfies, version } = state;
    if (selfies.length === 0 || version === null)
      return { status: TRUST_VALIDATION_STATUS.Incomplete, matches: [], facts: null, probes: [] };
    const described: Probe[] = [];
    for (const { faceId, template: kept } of selfies) {
      const template = kept ?? (await this.#describeSelfie(company, faceId));
      if (template !== null) described.push({ faceId, template });
    }
    const probes = probesOf(this.ports.vision.of(company.id).calibration, described);
    if (probes.length === 0)
      return { status: TRUST_VALIDATION_STATUS.ReviewNeeded, matches: [], facts: null, probes };
    const { matches, facts } = await screen(this.ports, company, probes, version);
    const found = statusAfter(version.settings, matches);
    // A selfie that the serving pipeline cannot compare: a person has to look at it.
    const status =
      described.length < selfies.length && found === TRUST_VALIDATION_STATUS.Verified
        ? TRUST_VALIDATION_STATUS.ReviewNeeded
        : found;
    return { status, matches, facts, probes };
  }

  /** A selfie that another pipeline described. @returns null when the one that serves refuses it */
  async #describeSelfie(company: Company, faceId: FaceId): Promise<Template | null> {
    const { pipelines, vision } = this.ports;
    const recogniser = vision.of(company.id);
    const { pipelineId } = recogniser;
    const page = { after: trusted.face(faceId - 1), limit: 1 };
    const [face] = await pipelines.pendingExtraction(company.id, pipelineId, page);
    if (face?.faceId !== faceId) return null;
    const description = await extractStored(this.ports, recogniser, company.id, face);
    await pipelines.keep(company.id, pipelineId, [description]);
    return description.vector === undefined ? null : { pipelineId, vector: description.vector };
  }

  /** The gallery follows the store after COMMIT: a selfie is in it exactly while its validation is Verified. */
  async #setMatchable(
    { id: company }: Company,
    { selfies }: ValidationState,
    status: TrustValidationStatus,
  ): Promise<void> {
    const { gallery, log } = this.ports;
    const selfie = selfies.at(-1);
    if (selfie === undefined) return;
    const { faceId, template } = selfie;
    await afterCommit(log, { company, face: faceId }, FOLLOWS.decided, () => {
      if (status !== TRUST_VALIDATION_STATUS.Verified) gallery.remove(company, [faceId]);
      // A template of another pipeline comes back when the face is described again.
      else if (template !== null)
        gallery.append(company, [{ faceId, template, watchlist: { kind: 'duplicate' } }]);
    });
  }
}

function isOpen(status: TrustValidationStatus): boolean {
  return status === TRUST_VALIDATION_STATUS.Created || status === TRUST_VALIDATION_STATUS.InProgress;
}
