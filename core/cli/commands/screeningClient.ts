import { signatureSetResponse, type SignatureSetResponse } from '../../contracts/signatureSets.ts';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { UPLOAD_STATUS } from '../../contracts/codes.ts';
import { blacklistProgress, blacklistReceipt, envelope } from '../../contracts/uploads.ts';
import { validationDetail, type ValidationDetail } from '../../contracts/validations.ts';
import { signatureMatchResponse, type SignatureMatchResponse } from '../../contracts/signatures.ts';
import { faceCompareResponse, type FaceCompareResponse } from '../../contracts/faceComparisons.ts';
import { createdVerification } from '../../contracts/verifications.ts';
import { causeOf } from '../enroll/client.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import { sniffImageFormat } from '../../domain/values/bytes.ts';

/** A client of the public routes for screening and signatures. */
export class ScreeningClient {
  readonly #address: string;
  readonly #token: string;

  constructor(options: { address: string; token: string }) {
    this.#address = options.address;
    this.#token = options.token;
  }

  /** Uploads a photo into a blacklist and waits until it is processed. */
  async blacklist(list: number, fileName: string, photo: Uint8Array): Promise<void> {
    const form = new FormData();
    form.append('images[]', new Blob([Buffer.from(photo)]), basename(fileName));
    const path = `/api/v3/biometric-blacklists/${list}/faces`;
    const { data } = await this.#call(path, envelope(blacklistReceipt), { method: 'POST', body: form });
    for (;;) {
      const poll = `/api/v3/biometric-blacklists/uploads/${data.uploadId}`;
      const { data: progress } = await this.#call(poll, envelope(blacklistProgress));
      if (progress.status !== UPLOAD_STATUS.Processing) return;
      await sleep(100);
    }
  }

  /** Creates a verification, gives it its selfie and finalises it. */
  async verify(flow: number, selfie: Uint8Array): Promise<ValidationDetail> {
    const { verification } = await this.#post(
      '/api/v1/verification/create-verification',
      createdVerification,
      {
        template_id: flow,
      },
    );
    await this.#post('/api/v3/verifications/biometrics-verification', z.unknown(), {
      image: dataUri(selfie),
      trust_flow_id: flow,
      trust_validation_id: verification.id,
    });
    await this.#post('/api/v1/verification/finalize-verification', z.unknown(), {
      template_id: flow,
      verification_id: verification.id,
    });
    const { data } = await this.#call(
      `/api/v3/trust-validations/${verification.id}`,
      envelope(validationDetail),
    );
    return data;
  }

  /** Compares a questioned signature with several known ones of one writer. */
  async compareKnownSignatures(
    questioned: Uint8Array,
    known: readonly Uint8Array[],
    { reference, acrossMedia }: { reference: string; acrossMedia: boolean },
  ): Promise<SignatureSetResponse> {
    return this.#post('/api/v1/verification/signature/compare', signatureSetResponse, {
      questioned: dataUri(questioned),
      known: known.map(dataUri),
      template_id: 'terminal',
      verification_id: reference,
      across_media: acrossMedia,
    });
  }

  /** Compares two signatures. @param reference of the caller, stored with the comparison */
  async compareSignatures(
    image1: Uint8Array,
    image2: Uint8Array,
    reference: string,
  ): Promise<SignatureMatchResponse> {
    return this.#post('/api/v1/verification/signature/match', signatureMatchResponse, {
      image1: dataUri(image1),
      image2: dataUri(image2),
      template_id: 'terminal',
      verification_id: reference,
    });
  }

  /** Compares the faces of two photos. @param reference of the caller, stored with the comparison */
  async compareFaces(
    image1: Uint8Array,
    image2: Uint8Array,
    reference: string,
  ): Promise<FaceCompareResponse> {
    return this.#post('/api/v1/verification/biometricsfacecompare', faceCompareResponse, {
      image1: dataUri(image1),
      image2: dataUri(image2),
      template_id: 'terminal',
      verification_id: reference,
    });
  }

  async #post<T>(path: string, answer: z.ZodType<T>, body: object): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.#call(path, answer, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #call<T>(path: string, answer: z.ZodType<T>, init: RequestInit = {}): Promise<T> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${this.#token}`);
    const response = await fetch(this.#address + path, { ...init, headers }).catch((error: unknown) => {
      throw new CliError(`No service answers at ${this.#address}: ${causeOf(error)}`, EXIT.unreachable);
    });
    const text = await response.text();
    if (!response.ok) throw refusalOf(response.status, text);
    return answer.parse(JSON.parse(text));
  }
}

/** The service detects the format by the content, so the type needs to be valid only. */
function dataUri(image: Uint8Array): string {
  const type = sniffImageFormat(image) ?? 'jpeg';
  return `data:image/${type};base64,${Buffer.from(image).toString('base64')}`;
}

const refusal = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});

function refusalOf(status: number, text: string): CliError {
  const { message, errors = {} } = refusal.parse(JSON.parse(text));
  const reasons = Object.values(errors).flat();
  return new CliError(
    `The service answered ${status}: ${reasons.length > 0 ? reasons.join(' ') : message}`,
    status < 500 ? EXIT.usage : EXIT.failed,
  );
}
