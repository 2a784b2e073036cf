import { TRUST_VALIDATION_STATUS, type TrustValidationStatus } from '../../contracts/codes.ts';
import type { FailureCode } from '../../contracts/failures.ts';
import type { FaceId, TrustFlowId, TrustValidationId } from '../../contracts/ids.ts';
import type { Decision, HistoryEntry } from '../../contracts/validations.ts';
import { sniffImageFormat } from '../imageFormat.ts';
import type { Company, ImageFiles } from '../ports.ts';
import type { VisionPort } from '../ports.ts';
import type { TrustFlow, TrustFlows, Validations, ValidationState } from './ports.ts';
import { screen, statusAfter, type ScreenPorts } from './screen.ts';

interface VerificationPorts extends ScreenPorts {
  flows: TrustFlows;
  validations: Validations;
  images: ImageFiles;
  vision: VisionPort;
}

export type SelfieOutcome =
  | { kind: 'taken'; validation: ValidationState; faceId: FaceId }
  /** The image cannot be used; the validation waits for another. */
  | { kind: 'refused'; code: FailureCode }
  /** Not a JPEG or PNG by its content. */
  | { kind: 'wrong type' }
  /** It was finalised: nothing is added any more. */
  | { kind: 'closed' }
  | { kind: 'unknown' };

const DECIDED: Record<
  Decision['decision'],
  { status: TrustValidationStatus; action: HistoryEntry['action'] }
> = {
  verify: { status: TRUST_VALIDATION_STATUS.Verified, action: 'verified' },
  reject: { status: TRUST_VALIDATION_STATUS.Rejected, action: 'rejected' },
  review: { status: TRUST_VALIDATION_STATUS.ReviewNeeded, action: 'sent back to review' },
};

/** The life of a verification: created, given a selfie, finalised with its screening, decided by a person. */
export class Verifications {
  readonly #ports: VerificationPorts;
  /** Per company, the end of what was begun last: see {@link Verifications.#inTurn}. */
  readonly #turns = new Map<number, Promise<unknown>>();

  constructor(ports: VerificationPorts) {
    this.#ports = ports;
  }

  /** @returns undefined when there is no such flow, or it is the internal one */
  async create(
    company: Company,
    flowId: TrustFlowId,
    metadata: unknown,
  ): Promise<{ flow: TrustFlow; validation: ValidationState } | undefined> {
    const { flows, validations, clock } = this.#ports;
    const flow = await flows.find(company.id, flowId);
    if (flow?.version == null || flow.system) return undefined;
    const validation = { trustFlowId: flow.id, versionId: flow.version.id, name: flow.name, metadata };
    const id = await validations.create(company.id, validation, clock.now());
    const state = await this.state(company, id);
    return state && { flow, validation: state };
  }

  async state(company: Company, id: TrustValidationId): Promise<ValidationState | undefined> {
    return this.#ports.validations.state(company.id, id, this.#ports.vision.pipelineId);
  }

  /** Describes the selfie and keeps it; a second one takes the place of the first. @param name shown in lists */
  async takeSelfie(
    company: Company,
    id: TrustValidationId,
    image: Uint8Array,
    name?: string,
  ): Promise<SelfieOutcome> {
    const { validations, vision, images, clock } = this.#ports;
    const before = await this.state(company, id);
    if (before === undefined) return { kind: 'unknown' };
    if (!isOpen(before.status)) return { kind: 'closed' };
    const format = sniffImageFormat(image);
    if (format === undefined) return { kind: 'wrong type' };
    const analysis = await vision.enrol(image, { gate: company.settings.gate, priority: 'interactive' });
    if (analysis.kind === 'refused') return { kind: 'refused', code: analysis.code };
    const written = await images.write(company.id, format, ReadableStream.from([image]));
    const selfie = { image: written, facts: analysis.image, face: analysis.face, name: name ?? before.name };
    const faceId = await validations.setSelfie(company.id, id, selfie, clock.now());
    if (faceId === false) {
      await images.discard(company.id, [written.id]);
      return { kind: 'closed' };
    }
    const validation = await this.state(company, id);
    return validation === undefined ? { kind: 'unknown' } : { kind: 'taken', validation, faceId };
  }

  /**
   * Screens, once, and writes the outcome; finalising again answers the same. Without a selfie: Incomplete.
   * @returns undefined when there is no such verification
   */
  async finalise(company: Company, id: TrustValidationId): Promise<ValidationState | undefined> {
    return this.#inTurn(company, async () => {
      const state = await this.state(company, id);
      if (state === undefined || !isOpen(state.status)) return state;
      const outcome = await this.#outcome(company, state);
      await this.#ports.validations.finalise(company.id, id, outcome, this.#ports.clock.now());
      if (outcome.status === TRUST_VALIDATION_STATUS.Verified) this.#setMatchable(company, state, true);
      return this.state(company, id);
    });
  }

  /** @returns 'decided', the status that stands when it is not the one the reviewer saw, or undefined */
  async decide(
    company: Company,
    id: TrustValidationId,
    { decision, note, seenStatus }: Decision,
    actor: string,
  ): Promise<'decided' | 'open' | TrustValidationStatus | undefined> {
    return this.#inTurn(company, async () => {
      const state = await this.state(company, id);
      if (state === undefined) return undefined;
      if (isOpen(state.status)) return 'open';
      const { status, action } = DECIDED[decision];
      const seen = seenStatus as TrustValidationStatus;
      const outcome = await this.#ports.validations.decide(
        company.id,
        id,
        { seen, status, action, actor, note },
        this.#ports.clock.now(),
      );
      if (outcome === 'decided')
        this.#setMatchable(company, state, status === TRUST_VALIDATION_STATUS.Verified);
      return outcome;
    });
  }

  async #outcome(company: Company, state: ValidationState): Promise<Parameters<Validations['finalise']>[2]> {
    if (state.selfie === null || state.version === null)
      return { status: TRUST_VALIDATION_STATUS.Incomplete, matches: [], facts: null };
    const { matches, facts } = await screen(this.#ports, company, state.selfie, state.version);
    return { status: statusAfter(state.version.settings, matches), matches, facts };
  }

  /** The gallery follows the store after COMMIT: a selfie is in it exactly while its validation is Verified. */
  #setMatchable(company: Company, state: ValidationState, matchable: boolean): void {
    const { gallery } = this.#ports;
    if (state.selfie === null) return;
    if (matchable) gallery.append(company.id, [{ ...state.selfie, watchlist: { kind: 'duplicate' } }]);
    else gallery.remove(company.id, [state.selfie.faceId]);
  }

  /**
   * One finalisation or decision of a company at a time: of two photos of one person that arrive together, the second
   * is compared with the first.
   */
  async #inTurn<T>(company: Company, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(company.id);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return work();
    })();
    this.#turns.set(company.id, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(company.id) === turn) this.#turns.delete(company.id);
    }
  }
}

function isOpen(status: TrustValidationStatus): boolean {
  return status === TRUST_VALIDATION_STATUS.Created || status === TRUST_VALIDATION_STATUS.InProgress;
}
