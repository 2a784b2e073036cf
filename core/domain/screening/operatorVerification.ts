/** A verification that an operator runs in one step: photos of one person in, a finalised Trust Validation out. */
import type { FaceId, TrustFlowId, TrustValidationId } from '../../contracts/ids.ts';
import { KeyedMutex } from '../work/turns.ts';
import type { Actor, Company } from '../ports/auditContext.ts';
import type { RecognitionPort } from '../ports/recognition.ts';
import type { ValidationState } from '../ports/screening.ts';
import type { AnalysedSelfie, UnusableSelfie, Verifications } from './verifications.ts';
import type { TrustFlows } from '../../storage/screening/trustFlows.ts';
import type { Validations } from '../../storage/screening/validations.ts';
import { showSamePerson } from './probes.ts';
import { Service } from '../serviceParts.ts';

/** The request of an operator. A repetition with the same `id` continues or answers the first request. */
export interface VerificationRequest {
  id: string;
  flowId: TrustFlowId;
  /** Different files that show one person. */
  photos: readonly Uint8Array[];
  /** The name in lists; absent: the number of the verification. */
  name: string | undefined;
  /** The operator's own reference; it becomes the metadata of the validation. */
  reference: string | undefined;
}

export type VerificationAnswer =
  /** `faces`: of the photos that the verification has. */
  | { kind: 'finalised'; id: TrustValidationId; faces: readonly FaceId[] }
  /** `photo`: the position of the photo that cannot be used. */
  | (UnusableSelfie & { photo: number })
  /** The photo at this position shows somebody else than the others. */
  | { kind: 'other-person'; photo: number }
  /** There is no such Trust Flow that screens. */
  | { kind: 'unknown' };

interface OperatorVerificationPorts {
  verifications: Verifications;
  flows: Pick<TrustFlows, 'find'>;
  validations: Pick<Validations, 'createdBy' | 'state'>;
  vision: Pick<RecognitionPort, 'of' | 'pipelineOf'>;
}

/**
 * Runs verifications for operators by the rules of the public interface. The photos are analysed before anything is
 * written, so one that cannot be used, or shows somebody else, leaves no validation behind.
 */
export class OperatorVerifications extends Service<OperatorVerificationPorts> {
  readonly #turns = new KeyedMutex<string>();

  /** @throws {UnavailableError} the company's pipeline or its storage folder cannot be used now */
  run(company: Company, request: VerificationRequest, by: Actor): Promise<VerificationAnswer> {
    return this.#turns.run(`${company.id} ${request.id}`, () => this.#run(company, request, by));
  }

  async #run(company: Company, request: VerificationRequest, by: Actor): Promise<VerificationAnswer> {
    const { verifications, validations, vision } = this.ports;
    const earlier = await validations.createdBy(company.id, request.id);
    const state = earlier && (await validations.state(company.id, earlier, vision.pipelineOf(company.id)));
    // An interruption may have left it open with some of its photos.
    const started =
      state === undefined || (state.finalizedAt === null && state.selfies.length < request.photos.length)
        ? await this.#start(company, request, state, by)
        : { kind: 'started' as const, id: state.id };
    if (started.kind !== 'started') return started;
    const { id } = started;
    const finalised = await verifications.finalise(company, { flowId: request.flowId, id }, by);
    return finalised === undefined
      ? { kind: 'unknown' }
      : { kind: 'finalised', id, faces: finalised.selfies.map(({ faceId }) => faceId) };
  }

  /** Creates the validation, unless an earlier attempt was interrupted after that, and gives it the photos, the best one last. */
  async #start(
    company: Company,
    { id: requestId, flowId, photos, name, reference }: VerificationRequest,
    earlier: ValidationState | undefined,
    by: Actor,
  ): Promise<
    { kind: 'started'; id: TrustValidationId } | Exclude<VerificationAnswer, { kind: 'finalised' }>
  > {
    const { verifications, flows } = this.ports;
    const flow = await flows.find(company.id, flowId);
    if (flow === undefined || flow.system) return { kind: 'unknown' };
    const selfies: AnalysedSelfie[] = [];
    for (const [photo, image] of photos.entries()) {
      const selfie = await verifications.analyse(company, image);
      if (selfie.kind !== 'analysed') return { ...selfie, photo };
      selfies.push(selfie);
    }
    const templates = selfies.map(({ face }) => face.template);
    const { calibration } = this.ports.vision.of(company.id);
    const other = showSamePerson(calibration, templates).indexOf(false);
    if (other >= 0) return { kind: 'other-person', photo: other };
    const metadata = reference === undefined ? null : { reference };
    const validation =
      earlier ?? (await verifications.create(company, flowId, metadata, by, { name, requestId }))?.validation;
    if (validation === undefined) return { kind: 'unknown' };
    const { id } = validation;
    const shown = { by, name: validation.name };
    const byQuality = selfies.toSorted((a, b) => a.face.quality.score - b.face.quality.score);
    for (const selfie of byQuality.slice(earlier?.selfies.length ?? 0)) {
      const kept = await verifications.keepSelfie(company, { flowId, id }, selfie, shown);
      if (kept.kind !== 'taken') return { kind: 'unknown' };
    }
    return { kind: 'started', id };
  }
}
