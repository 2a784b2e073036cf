/** A good request for every route of programs: what the access table sends with every kind of credential. */
import { randomUUID } from 'node:crypto';
import { photoOf } from '../../support/people.ts';
import type { ProgramRequest, ProgramRoute } from './programRequest.ts';
import { fileHead, multipart } from '../rawRequest.ts';
import { IDENTITY_ROUTES } from './personRequests.ts';
import { FACES, PNG, UPLOADS, type TestSite } from '../site.ts';
import { TEST_ACT } from '../../support/act.ts';
import type { Company } from '../../../core/domain/ports/auditContext.ts';

const BLACKLISTS = '/api/v3/biometric-blacklists';
const BOUNDARY = 'access';
const FORM = {
  method: 'POST',
  body: multipart(BOUNDARY, [{ head: fileHead('images[]'), content: photoOf(1) }]),
  contentType: `multipart/form-data; boundary=${BOUNDARY}`,
};

/** By method and path, as the interface description spells them. */
export const PROGRAM_ROUTES: Record<string, ProgramRoute> = {
  ...IDENTITY_ROUTES,
  'POST /api/v3/duplicate-detection/faces': {
    scope: 'enroll',
    request: () => Promise.resolve({ target: FACES, ...FORM }),
    right: 202,
    otherCompany: 202,
  },
  'GET /api/v3/duplicate-detection/uploads/{uploadId}': {
    scope: 'enroll',
    request: async (site, company) => get(`${UPLOADS}/${(await upload(site, company, FACES)).id}`),
    right: 200,
    otherCompany: 404,
  },
  'GET /api/v3/duplicate-detection/uploads': {
    scope: 'enroll',
    request: async (site, company) => {
      const { key } = await upload(site, company, FACES);
      return get(`${UPLOADS}?idempotencyKey=${key}`);
    },
    right: 200,
    otherCompany: 404,
  },
  'GET /api/v3/biometric-blacklists': {
    scope: 'blacklists:read',
    request: () => Promise.resolve(get(BLACKLISTS)),
    right: 200,
    otherCompany: 200,
  },
  'POST /api/v3/biometric-blacklists/{blacklistId}/faces': {
    scope: 'blacklists:write',
    request: async (site, company) => ({ target: await blacklistFaces(site, company), ...FORM }),
    right: 202,
    otherCompany: 404,
  },
  'GET /api/v3/biometric-blacklists/uploads': {
    scope: 'blacklists:read',
    orScope: 'blacklists:write',
    request: async (site, company) => {
      const { key } = await upload(site, company, await blacklistFaces(site, company));
      return get(`${BLACKLISTS}/uploads?idempotencyKey=${key}`);
    },
    right: 200,
    otherCompany: 404,
  },
  'GET /api/v3/biometric-blacklists/uploads/{uploadId}': {
    scope: 'blacklists:read',
    orScope: 'blacklists:write',
    request: async (site, company) => {
      const { id } = await upload(site, company, await blacklistFaces(site, company));
      return get(`${BLACKLISTS}/uploads/${id}`);
    },
    right: 200,
    otherCompany: 404,
  },
  'POST /api/v1/verification/create-verification': {
    scope: 'verify',
    request: async (site, company) =>
      post('/api/v1/verification/create-verification', { template_id: (await begin(site, company)).flow }),
    right: 200,
    otherCompany: 404,
  },
  'POST /api/v1/verification/finalize-verification': {
    scope: 'verify',
    request: async (site, company) => {
      const { flow, validation } = await begin(site, company);
      return post('/api/v1/verification/finalize-verification', {
        template_id: flow,
        verification_id: validation,
      });
    },
    right: 200,
    otherCompany: 404,
  },
  'POST /api/v3/verifications/biometrics-verification': {
    scope: 'verify',
    request: async (site, company) => {
      const { flow, validation } = await begin(site, company);
      return post('/api/v3/verifications/biometrics-verification', {
        image: dataUri(photoOf(1)),
        trust_flow_id: flow,
        trust_validation_id: validation,
      });
    },
    right: 200,
    otherCompany: 404,
  },
  'POST /api/v3/verifications/biometrics-detection': {
    scope: 'verify',
    request: async (site, company) => {
      const { flow, validation } = await begin(site, company);
      return post('/api/v3/verifications/biometrics-detection', {
        image: dataUri(photoOf(1)),
        username: 'somebody',
        trustFlowId: flow,
        trustValidationId: validation,
      });
    },
    right: 200,
    otherCompany: 404,
  },
  'POST /api/v1/verification/biometricsverification': selfieV1('biometricsverification'),
  'POST /api/v1/verification/biometricsregistration': selfieV1('biometricsregistration'),
  'POST /api/v1/verification/biometricsfacecompare': {
    scope: 'verify',
    request: () =>
      Promise.resolve(
        post('/api/v1/verification/biometricsfacecompare', {
          image1: dataUri(photoOf(1)),
          image2: dataUri(photoOf(1, 1)),
          template_id: 'counter',
          verification_id: 'v-1',
        }),
      ),
    right: 200,
    otherCompany: 200,
  },
  'POST /api/v1/verification/signature/match': {
    scope: 'signatures',
    request: () =>
      Promise.resolve(
        post('/api/v1/verification/signature/match', {
          image1: pngUri('80 a'),
          image2: pngUri('80 b'),
          template_id: 'accounts',
          verification_id: 'v-1',
        }),
      ),
    right: 200,
    otherCompany: 200,
    bearerOnly: true,
  },
  'POST /api/v1/verification/signature/compare': {
    scope: 'signatures',
    request: () =>
      Promise.resolve(
        post('/api/v1/verification/signature/compare', {
          questioned: pngUri('80 a'),
          known: [pngUri('80 b'), pngUri('81 c'), pngUri('82 d')],
          template_id: 'accounts',
          verification_id: 'v-1',
        }),
      ),
    right: 200,
    otherCompany: 200,
    bearerOnly: true,
  },
  'GET /api/v3/trust-validations': {
    scope: 'verify',
    request: () => Promise.resolve(get('/api/v3/trust-validations')),
    right: 200,
    otherCompany: 200,
  },
  'GET /api/v3/trust-validations/{id}': {
    scope: 'verify',
    request: async (site, company) =>
      get(`/api/v3/trust-validations/${(await begin(site, company)).validation}`),
    right: 200,
    otherCompany: 404,
  },
};

/** A route that takes the selfie of a verification under the field names of v1. */
function selfieV1(name: string): ProgramRoute {
  return {
    scope: 'verify',
    request: async (site, company) => {
      const { flow, validation } = await begin(site, company);
      const fields = { image: dataUri(photoOf(1)), template_id: flow, verification_id: validation };
      return post(`/api/v1/verification/${name}`, fields);
    },
    right: 200,
    otherCompany: 404,
  };
}

function get(target: string): ProgramRequest {
  return { method: 'GET', target };
}

function post(target: string, fields: object): ProgramRequest {
  return {
    method: 'POST',
    target,
    body: Buffer.from(JSON.stringify(fields)),
    contentType: 'application/json',
  };
}

function dataUri(image: Buffer): string {
  return `data:image/jpeg;base64,${image.toString('base64')}`;
}

/** An image that the scripted comparison accepts as a signature. */
function pngUri(text: string): string {
  return `data:image/png;base64,${Buffer.concat([PNG.subarray(0, 8), Buffer.from(text)]).toString('base64')}`;
}

async function upload(
  site: TestSite,
  company: Company,
  target: string,
): Promise<{ id: string; key: string }> {
  const key = randomUUID();
  const token = await site.newToken({ company });
  const answer = await site.call(target, {
    token,
    method: 'POST',
    body: new Uint8Array(FORM.body),
    headers: { 'content-type': FORM.contentType, 'idempotency-key': key },
  });
  return { id: (answer.body.data as { uploadId: string }).uploadId, key };
}

async function blacklistFaces(site: TestSite, company: Company): Promise<string> {
  const name = randomUUID();
  const created = await site.storage.blacklists.create(company.id, { name, description: null }, TEST_ACT);
  return `${BLACKLISTS}/${created.id}/faces`;
}

/** A Trust Flow of the company, and a verification that was begun by it. */
async function begin(site: TestSite, company: Company): Promise<{ flow: number; validation: number }> {
  const { flows, validations } = site.storage;
  const made = await flows.create(company.id, 'Visitors', {}, 'local-admin');
  const flow = await flows.find(company.id, made.id);
  if (flow?.version == null) throw new Error('A flow that was just made has no version.');
  const { id: validation } = await validations.create(
    company.id,
    { trustFlowId: flow.id, versionId: flow.version.id, metadata: null },
    TEST_ACT,
  );
  return { flow: flow.id, validation };
}
