/** A verification that an operator runs in one step: one photo in, a finalised Trust Validation out. */
import type { TrustFlowId, TrustValidationId } from '../../contracts/ids.ts';
import { KeyedMutex } from '../work/turns.ts';
import type { Actor, Company } from '../ports/auditContext.ts';
import type { RecognitionPort } from '../ports/recognition.ts';
import type { ValidationState } from '../ports/screening.ts';
import type { UnusableSelfie, Verifications } from './verifications.ts';
import type { TrustFlows } from '../../storage/screening/trustFlows.ts';
import type { Validations } from '../../storage/screening/validations.ts';
import { Service } from '../serviceParts.ts';

/** The request of an operator. A repetition with the same `id` continues or answers the first request. */
export interface VerificationRequest {
  id: string;
  flowId: TrustFlowId;
  image: Uint8Array;
  /** The name in lists; absent: the number of the verification. */
  name: string | undefined;
  /** The operator's own reference; it becomes the metadata of the validation. */
  reference: string | undefined;
}

export type VerificationAnswer =
  | { kind: 'finalised'; id: TrustValidationId }
  | UnusableSelfie
  /** There is no such Trust Flow that screens. */
  | { kind: 'unknown' };

interface OperatorVerificationPorts {
  verifications: Verifications;
  flows: Pick<TrustFlows, 'find'>;
  validations: Pick<Validations, 'createdBy' | 'state'>;
  vision: Pick<RecognitionPort, 'pipelineOf'>;
}

/**
 * Runs verifications for operators by the rules of the public interface. The photo is analysed before anything is
 * written, so a photo that cannot be used leaves no validation behind.
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
    const started =
      state === undefined || state.selfies.length === 0
        ? await this.#start(company, request, state, by)
        : { kind: 'started' as const, id: state.id };
    if (started.kind !== 'started') return started;
    const { id } = started;
    const finalised = await verifications.finalise(company, { flowId: request.flowId, id }, by);
    return finalised === undefined ? { kind: 'unknown' } : { kind: 'finalised', id };
  }

  /** Creates the validation, unless an earlier attempt was interrupted after that, and gives it the photo. */
  async #start(
    company: Company,
    { id: requestId, flowId, image, name, reference }: VerificationRequest,
    earlier: ValidationState | undefined,
    by: Actor,
  ): Promise<
    { kind: 'started'; id: TrustValidationId } | Exclude<VerificationAnswer, { kind: 'finalised' }>
  > {
    const { verifications, flows } = this.ports;
    const flow = await flows.find(company.id, flowId);
    if (flow === undefined || flow.system) return { kind: 'unknown' };
    const selfie = await verifications.analyse(company, image);
    if (selfie.kind !== 'analysed') return selfie;
    const metadata = reference === undefined ? null : { reference };
    const validation =
      earlier ?? (await verifications.create(company, flowId, metadata, by, { name, requestId }))?.validation;
    if (validation === undefined) return { kind: 'unknown' };
    const { id } = validation;
    const shown = { by, name: validation.name };
    const kept = await verifications.keepSelfie(company, { flowId, id }, selfie, shown);
    return kept.kind === 'taken' ? { kind: 'started', id } : { kind: 'unknown' };
  }
}
