import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { UPLOAD_STATUS } from '../../core/contracts/codes.ts';
import { blacklistProgress, blacklistReceipt, envelope } from '../../core/contracts/uploads.ts';
import { validationDetail, type ValidationDetail } from '../../core/contracts/validations.ts';
import { createdVerification } from '../../core/contracts/verifications.ts';

/** A caller of the screening routes, as a program of the site would be. */
export class ScreeningClient {
  readonly #address: string;
  readonly #token: string;

  constructor(options: { address: string; token: string }) {
    this.#address = options.address;
    this.#token = options.token;
  }

  /** Uploads a photo into a blacklist and waits until it was looked at. */
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
      image: `data:image/jpeg;base64,${Buffer.from(selfie).toString('base64')}`,
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

  async #post<T>(path: string, answer: z.ZodType<T>, body: object): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.#call(path, answer, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #call<T>(path: string, answer: z.ZodType<T>, init: RequestInit = {}): Promise<T> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${this.#token}`);
    const response = await fetch(this.#address + path, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return answer.parse(JSON.parse(text));
  }
}
