/** A site with an engine that knows people by number: uploads are worked on, verifications are screened. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BlacklistId, CompanyId, FaceId, TrustFlowId } from '../../core/contracts/ids.ts';
import { blacklistEdit, blacklistFields } from '../../core/contracts/blacklists.ts';
import { BLACKLIST_STATUS } from '../../core/contracts/codes.ts';
import { checked } from '../../core/contracts/errors/problem.ts';
import { deleteBlacklist, deleteListedFace } from '../../core/domain/blacklists/blacklistService.ts';
import { TEST_ACT } from '../support/act.ts';
import type { Blacklist } from '../../core/storage/screening/blacklists.ts';
import type { Verifications } from '../../core/domain/screening/verifications.ts';
import { Dispatcher } from '../../core/domain/enrolment/dispatcher.ts';
import { SILENT_LOG } from '../support/fakes.ts';
import { photoOf } from '../support/people.ts';
import { formOf, openSite, type Answer, type TestSite } from './site.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

export const BLACKLISTS = '/api/v3/biometric-blacklists';
export const CREATE = '/api/v1/verification/create-verification';
export const FINALIZE = '/api/v1/verification/finalize-verification';
export const SELFIE = '/api/v3/verifications/biometrics-verification';
export const DETECT = '/api/v3/verifications/biometrics-detection';
export const VALIDATIONS = '/api/v3/trust-validations';

type Removal = Parameters<typeof deleteBlacklist>;

/** The operations of the dashboard on blacklists. */
export function blacklistActs(ports: Removal[0]) {
  const { blacklists } = ports;
  return {
    create: async (company: CompanyId, fields: unknown) =>
      blacklists.create(company, checked(blacklistFields, fields), TEST_ACT),
    edit: async (company: CompanyId, id: BlacklistId, fields: unknown) =>
      blacklists.update(company, id, checked(blacklistEdit, fields), TEST_ACT),
    setActive: (company: CompanyId, id: BlacklistId, active: boolean) =>
      blacklists.setStatus(
        company,
        id,
        active ? BLACKLIST_STATUS.Active : BLACKLIST_STATUS.Inactive,
        TEST_ACT,
      ),
    delete: (company: CompanyId, id: BlacklistId) => deleteBlacklist(ports, company, id, TEST_ACT),
    deleteFace: (company: CompanyId, id: BlacklistId, face: FaceId) =>
      deleteListedFace(ports, company, { id, face }, TEST_ACT),
  };
}

export interface ScreeningSite {
  site: TestSite;
  gallery: TestSite['engine']['gallery'];
  service: ReturnType<typeof blacklistActs>;
  flows: TestSite['storage']['flows'];
  verifications: Verifications;
  /** Works on the queue until nothing waits. */
  work: () => Promise<void>;
  newBlacklist: (
    name: string,
    options?: { company?: Company; people?: readonly number[] },
  ) => Promise<Blacklist>;
  newFlow: (settings?: object, company?: Company) => Promise<TrustFlowId>;
  /** Uploads photos of these people through the interface and works on them. @returns the poll's data */
  fill: (list: BlacklistId, people: readonly number[], token?: string) => Promise<Record<string, unknown>>;
  post: (path: string, body: object, token?: string) => Promise<Answer>;
  /** Creates, gives the selfie of `person` when there is one, and finalises. @returns the validation's detail */
  verify: (flow: TrustFlowId, person: number | null, token?: string) => Promise<Record<string, unknown>>;
}

export async function openScreeningSite(
  t: TestContext,
  replaced?: Parameters<typeof openSite>[1],
): Promise<ScreeningSite> {
  const site = await openSite(t, replaced);
  const { vision, gallery, verifications } = site.engine;
  const { storage } = site;
  const clock = { now: () => new Date() };
  const ports = { ...storage, ...PLATFORM, vision, gallery, clock, log: SILENT_LOG };
  const service = blacklistActs(ports);
  const { flows } = storage;

  const work: ScreeningSite['work'] = async () => {
    const dispatcher = new Dispatcher(ports);
    dispatcher.start();
    for (let tries = 0; (await storage.queue.waiting()) > 0; tries += 1) {
      assert.ok(tries < 2000, 'the queue does not empty');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await dispatcher.stop();
  };
  const post: ScreeningSite['post'] = (path, body, token) =>
    site.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(token !== undefined && { token }),
    });
  const fill: ScreeningSite['fill'] = async (list, people, token) => {
    const files = people.map((person, shot) => ({
      name: `Person ${person}.jpg`,
      content: photoOf(person, shot),
    }));
    const form = formOf(...files);
    const options = token === undefined ? {} : { token };
    const answer = await site.call(`${BLACKLISTS}/${list}/faces`, { method: 'POST', body: form, ...options });
    assert.equal(answer.status, 202, answer.text);
    await work();
    const { uploadId } = dataOf(answer) as { uploadId: string };
    return dataOf(await site.call(`${BLACKLISTS}/uploads/${uploadId}`, options));
  };
  const newBlacklist: ScreeningSite['newBlacklist'] = async (
    name,
    { company = site.company, people } = {},
  ) => {
    const made = await service.create(company.id, { name });
    if (people !== undefined) await fill(made.id, people, await site.newToken({ company }));
    return made;
  };
  const newFlow: ScreeningSite['newFlow'] = async (settings = {}, company = site.company) => {
    return (await flows.create(company.id, 'Onboarding', settings, 'local-admin')).id;
  };
  const verify: ScreeningSite['verify'] = async (flow, person, token) => {
    const created = await post(CREATE, { template_id: flow }, token);
    assert.equal(created.status, 200, created.text);
    const { id } = created.body.verification as { id: string };
    if (person !== null) {
      const selfie = { image: dataUri(photoOf(person, 99)), trust_flow_id: flow, trust_validation_id: id };
      const taken = await post(SELFIE, selfie, token);
      assert.equal(taken.status, 200, taken.text);
    }
    const finalized = await post(FINALIZE, { template_id: flow, verification_id: id }, token);
    assert.equal(finalized.status, 200, finalized.text);
    return dataOf(await site.call(`${VALIDATIONS}/${id}`, token === undefined ? {} : { token }));
  };
  return {
    site,
    gallery,
    service,
    flows,
    verifications,
    work,
    newBlacklist,
    newFlow,
    fill,
    post,
    verify,
  };
}

export function dataOf(answer: Answer): Record<string, unknown> {
  assert.equal(typeof answer.body.data, 'object', answer.text);
  return answer.body.data as Record<string, unknown>;
}

export function dataUri(image: Uint8Array): string {
  return `data:image/jpeg;base64,${Buffer.from(image).toString('base64')}`;
}
