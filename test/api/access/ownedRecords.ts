/** One of everything that has an id, for a company: by the names of the kinds. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaceId } from '../../../core/contracts/ids.ts';
import { failItem } from '../../support/answerItem.ts';
import { TEST_ACT } from '../../support/act.ts';
import { photoOf } from '../../support/people.ts';
import { acceptUpload } from '../../support/site.ts';
import { openExchangeSite, wholeOf, type ExchangeSite } from '../blacklistTransfer/sites.ts';
import { readCertificate } from '../../../core/transfer/installationIdentity.ts';
import { formOf, PNG, type Answer, type TestSite } from '../site.ts';
import { enrol, newGroup, newPerson, newRun } from './personRequests.ts';
import { addOperator, ask, signIn } from './operators.ts';
import type { Company } from '../../../core/domain/ports/auditContext.ts';

export const KINDS = [
  'operator',
  'token',
  'key',
  'face',
  'validation',
  'upload',
  'enrolmentRun',
  'failure',
  'blacklist',
  'installation',
  'import',
  'package',
  'group',
  'decision',
  'person',
  'specimen',
  'duplicateRun',
  'sample',
  'grant',
  'search',
  'addition',
  'flow',
  'faceComparison',
  'signatureComparison',
  'examination',
  'caseFolder',
  'calibrationRun',
  'signatureCalibrationRun',
  'erasure',
] as const;
export type Kind = (typeof KINDS)[number];
export type OwnedIds = Record<Kind, number | string>;

/** The company's admin, with a session. */
export interface Admin {
  company: Company;
  cookie: string;
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A body of bytes. */
  send(path: string, type: string, body: Uint8Array): Promise<Answer>;
}

export async function adminOf(site: TestSite, company: Company): Promise<Admin> {
  const name = `admin of ${company.name}`;
  await addOperator(site, name, 'admin', company);
  const cookie = await signIn(site, name);
  return {
    company,
    cookie,
    ask: (method, path, body) => ask(site, method, path, { cookie, ...(body !== undefined && { body }) }),
    send: (path, type, body) =>
      site.call(`/api/dashboard${path}`, {
        method: 'POST',
        token: null,
        headers: { origin: site.address, cookie, 'content-type': type },
        body: new Uint8Array(body),
      }),
  };
}

function idOf(answer: Answer, name = 'id'): number | string {
  assert.ok(answer.status < 300, answer.text);
  const id = answer.body[name] ?? (answer.body.comparison as { id?: number } | undefined)?.id;
  assert.ok(typeof id === 'number' || typeof id === 'string', answer.text);
  return id;
}

function png(text: string): string {
  return `data:image/png;base64,${Buffer.concat([PNG.subarray(0, 8), Buffer.from(text)]).toString('base64')}`;
}

export const SIGNATURES = {
  image1: png('80 a'),
  image2: png('80 b'),
  template_id: 'a',
  verification_id: 'v',
};
const jpeg = (photo: Buffer) => `data:image/jpeg;base64,${photo.toString('base64')}`;

/** @param sender another installation that the company comes to trust */
export async function createRecords(site: TestSite, admin: Admin, sender: ExchangeSite): Promise<OwnedIds> {
  const { company } = admin;
  return {
    ...(await accounts(site, company)),
    ...(await photos(site, admin)),
    ...(await personRecords(site, admin)),
    ...(await results(site, admin, sender)),
    // Last, because an erasure forgets the packages that wait.
    ...(await transfers(admin, sender)),
  };
}

async function accounts(site: TestSite, company: Company) {
  const { apiTokens, hmacKeys } = site.storage;
  const operator = await addOperator(site, `operator of ${company.name}`, 'operator', company);
  await site.newToken({ company });
  const key = await hmacKeys.create(
    company.id,
    {
      userId: `key of ${company.name}`,
      secret: 's',
      name: 'a program',
      profile: 'v1',
      scopes: ['verify'],
      expiresAt: null,
    },
    TEST_ACT,
  );
  assert.ok(key !== undefined);
  const token = (await apiTokens.list(company.id)).at(-1);
  return { operator: operator.id, token: token!.id, key: key.id };
}

async function photos(site: TestSite, admin: Admin) {
  const { storage } = site;
  const { company } = admin;
  const [face] = await enrol(site, company, 1);
  const upload = await acceptUpload(storage, company, ['fails.jpg']);
  const [item] = await storage.queue.lease(1);
  assert.ok(face !== undefined && item !== undefined);
  await failItem(storage, item, { code: 'NO_FACE' }, TEST_ACT.at);
  const { items } = (await admin.ask('GET', '/validations')).body as { items: { id: number }[] };
  assert.ok(items[0] !== undefined);
  return { face, validation: items[0].id, upload, enrolmentRun: upload, failure: item.id };
}

async function transfers(admin: Admin, sender: ExchangeSite) {
  const own = await admin.ask('GET', '/installations/own');
  const { name, signingKey, receivingKey } = readCertificate(JSON.stringify(own.body.certificate));
  const from = sender.site.company.id;
  const keys = { name, signingKey, receivingKey };
  const known = await sender.site.storage.trustedInstallations.trust(from, keys, TEST_ACT);
  const { certificate, fingerprint } = await sender.exchange.certificate('local-admin');
  const installation = idOf(await admin.ask('POST', '/installations', { certificate, fingerprint }));
  const [list] = (await sender.site.storage.blacklists.list(from, { offset: 0, limit: 1 })).rows;
  const wanted = { list: list!.id, installation: known.id, photos: false };
  const bundle = await wholeOf((await sender.exchange.export(from, wanted, 'local-admin')).content);
  const receive = async () =>
    idOf(await admin.send('/blacklists/packages', 'application/octet-stream', bundle), 'packageId');
  const first = await receive();
  const imported = idOf(await admin.ask('POST', `/blacklists/packages/${first}/import`, {}));
  return { installation, import: imported, package: await receive() };
}

async function personRecords(site: TestSite, admin: Admin) {
  const { company } = admin;
  const { storage } = site;
  const person = await newPerson(site, company);
  const content = ReadableStream.from([Buffer.from(PNG)]);
  const image = await storage.images.write(company.id, 'png', content);
  await storage.companies.changeSettings(company.id, { signatureSpecimens: true }, TEST_ACT);
  const added = await storage.signatureSpecimens.add(company.id, person.id, image, TEST_ACT);
  const group = await newGroup(site, company);
  const sample = await admin.ask('POST', '/duplicates/samples', { filter: {}, certainty: 0, size: 60 });
  const duplicateRun = await newRun(site, company);
  return {
    person: person.id,
    decision: person.decision,
    specimen: added.id,
    group: group.id,
    sample: idOf(sample),
    duplicateRun,
  };
}

async function results(site: TestSite, admin: Admin, sender: ExchangeSite) {
  const { company } = admin;
  const blacklist = idOf(await admin.ask('POST', '/blacklists', { name: `list of ${company.name}` }));
  const flow = idOf(await admin.ask('POST', '/flows', { name: 'Visitors' }));
  const addition = await admin.send(
    `/search/additions?blacklist=${blacklist}&name=Ada`,
    'image/jpeg',
    photoOf(7),
  );
  const pair = { image1: jpeg(photoOf(1)), image2: jpeg(photoOf(1, 2)) };
  // It goes with the home of the sender; in its own home a site grants no folder.
  const folder = join(sender.site.folder, `photos ${company.id}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'one.jpg'), photoOf(1));
  return {
    blacklist,
    flow,
    addition: idOf(addition, 'uploadId'),
    search: idOf(await admin.send('/search', 'image/jpeg', photoOf(5))),
    faceComparison: idOf(
      await admin.ask('POST', '/face-comparisons', { ...pair, template_id: 'a', verification_id: 'v' }),
    ),
    examination: idOf(await admin.ask('POST', '/examinations', { faces: await enrol(site, company, 2) })),
    caseFolder: idOf(await admin.ask('POST', '/case-folders', { reference: 'C 1', title: 'One' })),
    signatureComparison: idOf(await admin.ask('POST', '/signatures/compare', SIGNATURES)),
    calibrationRun: idOf(await admin.ask('POST', '/calibration/runs', {}), 'run'),
    signatureCalibrationRun: idOf(await admin.ask('POST', '/signature-calibration/runs'), 'run'),
    grant: await site.engine.folderGrants.offer(admin.cookie.replace('vouch_session=', ''), folder),
    erasure: await erase(admin, (await enrol(site, company, 1))[0]!),
  };
}

async function erase(admin: Admin, face: FaceId): Promise<number | string> {
  const choice = { faces: [face] };
  const plan = await admin.ask('POST', '/erasures/plan', { choice });
  return idOf(await admin.ask('POST', '/erasures', { choice, code: plan.body.code, copies: 'keep' }));
}

/** A site whose one list can be exported. */
export async function openSender(t: Parameters<typeof openExchangeSite>[0]): Promise<ExchangeSite> {
  const sender = await openExchangeSite(t);
  await sender.newBlacklist('Ferry thieves', { people: [1] });
  return sender;
}

/** Forms for routes that take no JSON. */
export const UPLOADED = { photos: () => formOf(photoOf(1)) };
