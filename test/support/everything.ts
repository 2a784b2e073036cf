/** A service in a process of its own, through which every action of the audit log is done once. */
import type { Operation } from '../../core/contracts/dashboard/operation.ts';
import { localApi } from '../../core/contracts/local.ts';
import { pipelineApi, companyPipeline } from '../../core/contracts/pipelines.ts';
import { settingsApi } from '../../core/contracts/dashboard/company.ts';
import { erasureApi } from '../../core/contracts/erasure.ts';
import { transferApi, type InstallationView } from '../../core/contracts/blacklistTransfer.ts';
import { transferPorts } from './transferPorts.ts';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { SCOPES, UPLOAD_STATUS, type UploadStatus } from '../../core/contracts/codes.ts';
import { LARGEST_CASE_PACKAGE } from '../../core/contracts/limits/limits.ts';
import type { BlacklistId } from '../../core/contracts/ids.ts';
import { ask, type Asking } from '../../core/cli/client/localClient.ts';
import { ScreeningClient } from '../../core/cli/commands/screeningClient.ts';
import { BlacklistTransferService } from '../../core/domain/blacklistTransfer/blacklistTransferService.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { TEST_ACT } from './act.ts';
import { aspectsOf, EXAMINED, type ExaminedKind } from '../../core/contracts/dashboard/examinations.ts';
import { operatorApi } from '../../core/contracts/dashboard/operators.ts';
import { OSIA } from '../../core/contracts/osia.ts';
import { encoded, signings } from '../signatures/specimens.ts';
import { RememberingGallery, ScriptedVision, SILENT_LOG } from './fakes.ts';
import { faceAlong, newCompany } from './site.ts';
import { processesFrom, type Shown } from './processList.ts';
import { issueCertificate } from '../../core/platform/certificate.ts';
import { freePort } from './network.ts';
import { portrait } from './facePhotos.ts';
import { run, startService, type ServiceProcess } from './serviceProcess.ts';
import { until } from './until.ts';
import { createHmacSecret } from '../../core/domain/credentials/secrets.ts';
import { createBackupKey } from '../../core/encryption/backupKey.ts';
import { CRYPTO } from '../../core/platform/platform.ts';

const CRASH = pathToFileURL(join(import.meta.dirname, 'crashOnSignal.mjs')).href;
const WATCH = pathToFileURL(join(import.meta.dirname, '..', 'security', 'watch.mjs')).href;

const CLOCK = { now: () => new Date() };

/** The values that are typed, named and sent; none of them occurs by chance. */
export type Planted = Record<
  | 'company'
  | 'operator'
  | 'second operator'
  | 'passphrase'
  | 'wrong passphrase'
  | 'passphrase as a name'
  | 'wrong token'
  | 'file name'
  | 'refused file name'
  | 'image bytes'
  | 'refused bytes'
  | 'blacklist name'
  | 'blacklist description'
  | 'reason of a blacklist face'
  | 'flow name'
  | 'note'
  | 'query',
  string
>;

export interface Done {
  home: string;
  /** The same installation, restored from its backup. */
  restored: string;
  bundle: string;
  /** Secrets that the service made. */
  made: Record<string, string>;
  /** Everything the service printed, its crash included. */
  printed: string;
  /** Bodies of all answers that refused something. */
  refusals: string[];
  /** Command lines and environments of the service and its workers. */
  processes: Shown[];
  /** The description that every account can read. */
  description: string;
  /** The attempts of the service and the terminal to reach a network, as watch.mjs writes them. */
  network: string[];
}

interface Asked {
  status: number;
  text: string;
  headers: Headers;
  body: Record<string, unknown>;
}

/** The analysis of a picture alone, without its position. */
const analysisOf = (kind: ExaminedKind, supports: string) => ({
  limits: Object.fromEntries(aspectsOf(kind).map((aspect) => [aspect, EXAMINED[kind].aspects[aspect]?.[0]])),
  ...{ age: '', supports },
});

/** One walk; each part stands on those before it. */
class Walk {
  readonly made: Record<string, string> = {};
  readonly refusals: string[] = [];
  #cookie = '';
  readonly #home: string;
  readonly #service: ServiceProcess;
  readonly #planted: Planted;
  #upload = '';
  /** The body that begins an examination of the compared signatures. */
  #signatures: object = {};

  constructor(home: string, service: ServiceProcess, planted: Planted) {
    this.#home = home;
    this.#service = service;
    this.#planted = planted;
  }

  async all(): Promise<void> {
    await this.#setUp();
    await this.#operators();
    const token = await this.#credentials();
    const readMetrics = await this.#enableMetrics();
    const client = new ScreeningClient({ address: this.#service.address, token });
    const list = await this.#blacklist(client);
    await this.#enrol(token);
    await this.#screen(client);
    await this.#lookAndTake();
    await this.#findDuplicates(list.id);
    await this.#changePipeline();
    await this.#erasePerson(token);
    await this.#exchange(list.id);
    await this.#letIn();
    await this.#damage(list.faces[0]!);
    await this.#post(`/blacklists/${list.id}/faces/remove`, { ids: list.faces });
    await this.#ask('DELETE', `/blacklists/${list.id}`);
    await this.#post('/audit/anchor');
    await this.#post('/audit/verify');
    const text = await readMetrics();
    for (const counted of [
      /^vouch_photos_answered_total\{outcome="enrolled",reason=""\} [1-9]/m,
      /^vouch_verifications_total\{status="[\w ]+"\} [1-9]/m,
      /^vouch_searched_faces_total [1-9]/m,
      /^vouch_gallery_faces\{pipeline="[^"]+"\} [1-9]/m,
      /^vouch_workers\{work="faces"\} [1-9]/m,
    ])
      assert.match(text, counted);
  }

  /** Turns metrics on, and reads them once: counting begins then. @returns reads them */
  async #enableMetrics(): Promise<() => Promise<string>> {
    const { token } = await this.owner(localApi.enableMetrics);
    this.made['metrics token'] = token;
    const headers = { authorization: `Bearer ${token}` };
    const read = async () => (await this.#call('/metrics', { headers })).text;
    await read();
    return read;
  }

  async signOut(): Promise<void> {
    await this.#ask('DELETE', '/session');
  }

  /** A request of the local administrator. */
  owner<P, Q, B, A extends z.ZodType>(
    operation: Operation<P, Q, B, A>,
    ...asked: Asking<P, Q, B>
  ): Promise<z.output<A>> {
    return ask(this.#home, operation, ...asked);
  }

  async #pipeline(): Promise<z.infer<typeof companyPipeline>> {
    const [now] = await this.owner(pipelineApi.ofCompanies);
    return now!;
  }

  async #call(path: string, init: RequestInit, expected?: number): Promise<Asked> {
    const response = await fetch(this.#service.address + path, init);
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') === true;
    const { status, headers } = response;
    if (status >= 400) this.refusals.push(text);
    if (expected === undefined) assert.ok(status < 300, `${path}: ${status} ${text}`);
    else assert.equal(status, expected, `${path}: ${text}`);
    return { status, text, headers, body: json ? (JSON.parse(text) as Record<string, unknown>) : {} };
  }

  /** A request of the dashboard's page. @param expected the status; absent: a good one */
  #ask(method: string, path: string, body?: object | Blob, expected?: number): Promise<Asked> {
    const headers = new Headers({ origin: this.#service.address, cookie: this.#cookie });
    if (body instanceof Blob) headers.set('content-type', body.type);
    else if (body !== undefined) headers.set('content-type', 'application/json');
    const sent = body === undefined || body instanceof Blob ? body : JSON.stringify(body);
    return this.#call(
      `/api/dashboard${path}`,
      { method, headers, ...(sent !== undefined && { body: sent }) },
      expected,
    );
  }

  #post(path: string, body?: object | Blob, expected?: number): Promise<Asked> {
    return this.#ask('POST', path, body, expected);
  }

  async #setUp(): Promise<void> {
    const { company, operator, passphrase } = this.#planted;
    const storageFolder = join(this.#home, 'storage', 'company-1');
    const features = { registration: true, blacklists: true };
    const { body } = await this.#post('/setup', { company, storageFolder, operator, passphrase, features });
    this.made['recovery code'] = String(body.recoveryCode);
    const wrong = this.#planted['wrong passphrase'];
    await this.#post('/session', { operator, passphrase: wrong }, 401);
    await this.#post('/session', { operator: this.#planted['passphrase as a name'], passphrase: wrong }, 401);
    this.#cookie = await this.#signIn(operator);
    this.made['session cookie'] = this.#cookie.split('=')[1]!;
    await this.#post('/session/confirm', { passphrase });
  }

  async #signIn(operator: string): Promise<string> {
    const { headers } = await this.#post('/session', { operator, passphrase: this.#planted.passphrase });
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  async #operators(): Promise<void> {
    const { passphrase } = this.#planted;
    const name = this.#planted['second operator'];
    const added = await this.#post('/operators', { name, role: 'reviewer', passphrase });
    const id = Number(added.body.id);
    await this.#ask('PATCH', `/operators/${id}`, { role: 'auditor' });
    await this.#post(`/operators/${id}/passphrase`, { passphrase });
    for (let attempt = 0; attempt < 6; attempt += 1)
      await this.#post(
        '/session',
        { operator: name, passphrase: this.#planted['wrong passphrase'] },
        attempt < 5 ? 401 : 429,
      );
    await this.#post(`/operators/${id}/unlock`);
    this.made['second session cookie'] = (await this.#signIn(name)).split('=')[1]!;
    await this.#post(`/operators/${id}/sign-out`);
    const recovery = { operator: name, recoveryCode: this.made['recovery code'], passphrase };
    const recovered = await this.#post('/session/recover', recovery);
    this.made['next recovery code'] = String(recovered.body.recoveryCode);
  }

  async #credentials(): Promise<string> {
    const { company } = this.#planted;
    const made = await this.#post('/credentials', { kind: 'token', name: 'gate', scopes: SCOPES });
    const token = String(made.body.secret);
    this.made.token = token;
    const key = await this.#post('/credentials', { kind: 'key', name: 'kiosk', scopes: ['enroll'] });
    this.made['signing secret'] = String(key.body.secret);
    const shown = createHmacSecret(CRYPTO);
    const body = { kind: 'key', name: 'old', ...shown, profile: 'v1', scopes: ['enroll'] };
    const other = await this.owner(localApi.storeCredential, { company, body });
    this.made['signing secret of the terminal'] = shown.secret;
    await this.#post(`/credentials/key/${other.id}/revoke`);
    const headers = { authorization: `Bearer ${this.#planted['wrong token']}` };
    await this.#call(`/api/v3/duplicate-detection/uploads/x?${this.#planted.query}`, { headers }, 401);
    return token;
  }

  /** A list that is named, put away and taken up again, with one face in it. */
  async #blacklist(client: ScreeningClient): Promise<{ id: number; faces: number[] }> {
    const words = {
      name: this.#planted['blacklist name'],
      description: this.#planted['blacklist description'],
    };
    const { body } = await this.#post('/blacklists', words);
    const id = Number(body.id);
    await this.#ask('PATCH', `/blacklists/${id}`, { description: `${words.description} again` });
    await this.#ask('PATCH', `/blacklists/${id}`, { status: 0 });
    await this.#ask('PATCH', `/blacklists/${id}`, { status: 1 });
    await client.blacklist(id, this.#fileName, this.#photo(await portrait(1)));
    const faces = (await this.#ask('GET', `/blacklists/${id}/faces`)).body.items as { id: number }[];
    const change = { severity: 'stop', reason: this.#planted['reason of a blacklist face'] };
    await this.#ask('PATCH', `/blacklists/${id}/faces`, { ids: faces.map((face) => face.id), change });
    // A face that stays, for the clock: see `followClock`.
    const { body: kept } = await this.#post('/blacklists', { name: 'Kept' });
    await client.blacklist(Number(kept.id), this.#fileName, this.#photo(await portrait(1)));
    const ids = faces.map((face) => face.id);
    await this.#post(`/blacklists/${id}/faces/move`, { ids, to: Number(kept.id) });
    await this.#post(`/blacklists/${Number(kept.id)}/faces/move`, { ids, to: id });
    return { id, faces: ids };
  }

  get #fileName(): string {
    return `${this.#planted['file name']}.jpg`;
  }

  /** Decoders stop at the end of a picture; what follows is kept with it all the same. */
  #photo(jpeg: Buffer): Buffer {
    return Buffer.concat([jpeg, Buffer.from(this.#planted['image bytes'])]);
  }

  async #enrol(token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const path = '/api/v3/duplicate-detection';
    const send = (content: Buffer, name: string, expected?: number) => {
      const form = new FormData();
      form.append('images[]', new Blob([Buffer.from(content)]), name);
      return this.#call(`${path}/faces`, { method: 'POST', headers, body: form }, expected);
    };
    const ended = async (
      content: Buffer,
      name: string,
      expected: UploadStatus = UPLOAD_STATUS.Completed,
    ): Promise<string> => {
      const { body } = await send(content, name);
      const { uploadId } = body.data as { uploadId: string };
      for (let tries = 0; ; tries += 1) {
        const poll = await this.#call(`${path}/uploads/${uploadId}`, { headers });
        const { status } = poll.body.data as { status: number };
        if (status === expected) return uploadId;
        assert.ok(status === UPLOAD_STATUS.Processing && tries < 4_800, poll.text);
        await sleep(50);
      }
    };
    this.#upload = await ended(this.#photo(await portrait(0)), this.#fileName);
    // The duplicate search finds it beside the first one.
    await ended(await portrait(0), 'Copy.jpg');
    const blank = { width: 300, height: 300, channels: 3, background: '#fff' } as const;
    await ended(await sharp({ create: blank }).jpeg().toBuffer(), 'Blank.jpg', UPLOAD_STATUS.Failed);
    const { body: failures } = await this.#ask('GET', '/failures');
    const ids = (failures.items as { id: number }[]).map(({ id }) => id);
    await this.#ask('PUT', '/failures/unfixable', { ids, unfixable: true, note: this.#planted.note });
    const refused = Buffer.from(this.#planted['refused bytes']);
    await send(refused, `${this.#planted['refused file name']}.jpg`, 422);
  }

  async #screen(client: ScreeningClient): Promise<void> {
    const { body } = await this.#post('/flows', { name: 'Visitors' });
    const flow = Number(body.id);
    await this.#ask('PATCH', `/flows/${flow}`, { name: this.#planted['flow name'] });
    await this.#ask('PUT', `/flows/${flow}/tool`, { settings: {}, revision: 1 });
    await this.#post(`/flows/${flow}/save`, { revision: 2 });
    const { id } = await client.verify(flow, this.#photo(await portrait(0, 3)));
    const seen = await this.#ask('GET', `/validations/${id}`);
    const { status, faceImage: own } = seen.body as { status: number; faceImage: { imageUrl: string } };
    await this.#post(`/validations/${id}/decision`, {
      decision: 'reject',
      note: this.#planted.note,
      seenStatus: status,
    });
    await this.#post('/validations/decisions', {
      decision: 'review',
      note: this.#planted.note,
      validations: [{ id, seenStatus: 1 }],
    });
    const image = await this.#ask('GET', own.imageUrl.replace('/api/dashboard', ''));
    assert.match(image.headers.get('content-type') ?? '', /^image\//);
  }

  /** Searches, comparisons of signatures, and everything that leaves as a file or on paper. */
  async #lookAndTake(): Promise<void> {
    const probe = this.#photo(await portrait(0, 2));
    const image = new Blob([Buffer.from(probe)], { type: 'image/jpeg' });
    const searched = await this.#post('/search', image);
    const result = `/search/${String(searched.body.id)}`;
    await this.#ask('PUT', `${result}/view`, { oneIn: 1_000, below: true });
    const seen = { view: {}, face: 0, candidate: null, language: 'en' };
    await this.#post(`${result}/report`, { ...seen, file: this.#fileName });
    const uri = `data:image/jpeg;base64,${probe.toString('base64')}`;
    const names = { template_id: 'accounts', verification_id: 'case-7' };
    const { body } = await this.#post('/signatures/compare', { image1: uri, image2: uri, ...names });
    await this.#post(`/signatures/${Number(body.id)}/report`, {});
    const { width, height } = await sharp(probe).metadata();
    const side = { image: uri, name: this.#fileName, width, height };
    this.#signatures = { comparison: Number(body.id), signatures: [side, side] };
    const client = new ScreeningClient({ address: this.#service.address, token: this.made.token ?? '' });
    await client.compareKnownSignatures(probe, [probe, probe], { reference: 'case-8', acrossMedia: false });
    await this.#post('/face-comparisons', { image1: uri, image2: uri, ...names });
    await this.#post('/exports', { kind: 'uploadResults', uploads: [this.#upload] });
    await this.#post('/exports', { kind: 'comparison', object: 'validation:1' });
    await this.#ask('GET', '/audit/export?format=csv');
  }

  /** A search that is paused while it runs, and then ends. */
  async #findDuplicates(list: number): Promise<void> {
    const newest = async () => {
      const { body } = await this.#ask('GET', '/duplicates/runs');
      return (body.items as { id: number; state: string }[])[0];
    };
    const isDone = async () => {
      for (let tries = 0; (await newest())?.state !== 'done'; tries += 1) {
        assert.ok(tries < 600, 'the duplicate search does not end');
        await sleep(50);
      }
    };
    const paused = async (): Promise<number> => {
      for (let tries = 0; tries < 100; tries += 1) {
        const next = ((await newest())?.id ?? 0) + 1;
        // The second request waits for the transaction of the first, and comes before the search itself.
        const begun = this.#post('/duplicates/runs', { blacklists: [list] });
        const path = `/duplicates/runs/${next}/pause`;
        // Rejected where the search was faster; its state below decides.
        await Promise.allSettled([this.#post(path)]);
        await begun;
        if ((await newest())?.state === 'paused') return next;
        await isDone();
      }
      throw new Error('No search could be paused.');
    };
    await this.#post(`/duplicates/runs/${await paused()}/resume`);
    await isDone();
    await this.#decideGroup();
  }

  /** The first group becomes a person, who is renamed; then the decision is undone. */
  async #decideGroup(): Promise<void> {
    const [group] = (await this.#ask('GET', '/duplicates/groups')).body.items as {
      id: number;
      version: number;
      faces: { id: number }[];
    }[];
    assert.ok(group !== undefined, 'no group was found');
    await this.#examine(group.faces.slice(0, 2).map(({ id }) => id));
    const decision = { version: group.version, about: { kind: 'group' }, decision: 'same' };
    const { body } = await this.#post(`/duplicates/groups/${group.id}/decisions`, decision);
    const { decisionId, person } = body as { decisionId: number; person: { id: number } };
    await this.#ask('PATCH', `/persons/${person.id}`, { version: 1, name: 'Ada' });
    await this.#keepSpecimens(person.id);
    await this.#storeEncounter();
    await this.#post(`/duplicates/decisions/${decisionId}/undo`);
  }

  /** Two examiners reach different conclusions about two faces and two signatures, and the first one settles them. */
  async #examine(faces: readonly number[]): Promise<void> {
    const { company, note, passphrase } = this.#planted;
    const name = `${this.#planted['second operator']} 2`;
    // An account that the first examiner gave its passphrase would not count as another person.
    const created = await this.owner(operatorApi.create, {
      company,
      body: { name, role: 'reviewer', passphrase },
    });
    const cookies = [this.#cookie, await this.#signIn(name)] as const;
    const signatures = await this.#examinePair('signatures', this.#signatures, cookies);
    await this.#post(`/examinations/${signatures}/report`, { language: 'ar' });
    const examined = await this.#examinePair('faces', { faces }, cookies);
    await this.#fillCaseFolder(faces[0]!, [examined, signatures]);
    const probe = Buffer.from(this.#photo(await portrait(0, 2))).toString('base64');
    const given = { photo: `data:image/jpeg;base64,${probe}`, face: 0, name: this.#fileName };
    const begun = `/examinations/${await this.#begin({ faces: [given, faces[0]] })}`;
    this.#cookie = cookies[1];
    await this.#post(`${begun}/steps`, { step: 'analysis', picture: 0, ...analysisOf('faces', note) });
    this.#cookie = cookies[0];
    await this.#post(`${begun}/replacement`, { examiner: created.id });
  }

  async #begin(pair: object): Promise<number> {
    return Number((await this.#post('/examinations', pair)).body.id);
  }

  /** @param cookies of both examiners @returns the examination */
  async #examinePair(kind: ExaminedKind, pair: object, cookies: readonly [string, string]): Promise<number> {
    const { note } = this.#planted;
    const id = await this.#begin(pair);
    const path = `/examinations/${id}`;
    for (const [examiner, cookie] of cookies.entries()) {
      this.#cookie = cookie;
      for (const picture of [0, 1]) {
        await this.#ask('GET', `${path}/picture?picture=${picture}`);
        await this.#post(`${path}/steps`, { step: 'analysis', picture, ...analysisOf(kind, note) });
      }
      for (const component of EXAMINED[kind].components)
        await this.#post(`${path}/steps`, {
          ...{ step: 'comparison', component, finding: 'similar', marks: [null, null], note: '' },
        });
      const conclusion = examiner === 0 ? 'strongSame' : 'neither';
      await this.#post(`${path}/steps`, { step: 'evaluation', conclusion, reasons: note });
    }
    this.#cookie = cookies[0];
    await this.#post(`${path}/settlement`, { conclusion: 'weakSame', reasons: note });
    return id;
  }

  /** A case folder with one of everything; it is closed, and another one is deleted. */
  async #fillCaseFolder(face: number, [examination, signatures]: readonly [number, number]): Promise<void> {
    const { note } = this.#planted;
    const opened = async () => {
      const { body } = await this.#post('/case-folders', { reference: note, title: note, note });
      return `/case-folders/${Number(body.id)}`;
    };
    const path = await opened();
    const content = `data:;base64,${Buffer.from(note).toString('base64')}`;
    for (const item of [
      { kind: 'candidate', face },
      { kind: 'examination', examination },
      { kind: 'note', text: note, about: 2 },
      { kind: 'file', name: this.#fileName, content },
      { kind: 'examination', examination: signatures },
    ])
      await this.#post(`${path}/entries`, item);
    await this.#ask('GET', path);
    await this.#post(`${path}/file`, { position: 5 });
    await this.#post(`${path}/report`, { language: 'ar' });
    await this.#post(`${path}/removal`, { position: 4, reason: note });
    await this.#post(`${path}/state`, { state: 'closed', reason: note });
    const other = await opened();
    await this.#post(`${other}/state`, { state: 'closed' });
    await this.#ask('DELETE', other);
  }

  /** Two specimens of a person: one is viewed, used and erased, the other goes with the setting. */
  async #keepSpecimens(person: number): Promise<void> {
    const { company } = this.#planted;
    await this.owner(settingsApi.changeCompany, { company, body: { signatureSpecimens: true } });
    const path = `/persons/${person}/specimens`;
    const [specimen] = await Promise.all(
      signings(21, 2).map(async (picture) => {
        const png = (await encoded(picture)).toString('base64');
        return Number((await this.#post(path, { image: `data:image/png;base64,${png}` })).body.id);
      }),
    );
    await this.#ask('GET', `${path}/${specimen}/image`);
    await this.#post(`${path}/use`);
    await this.#ask('DELETE', `${path}/${specimen}`);
    const without = { signatureSpecimens: false, eraseSpecimens: 1 };
    await this.owner(settingsApi.changeCompany, { company, body: without });
  }

  /** Another identity system stores a photo, and erases it. */
  async #storeEncounter(): Promise<void> {
    const { company } = this.#planted;
    await this.owner(settingsApi.changeCompany, { company, body: { osia: true } });
    const image = this.#photo(await portrait(1, 1)).toString('base64');
    const body = {
      encounterType: 'ISSUE',
      status: 'ACTIVE',
      biographicData: { name: this.#fileName },
      biometricData: [{ biometricType: 'FACE', image }],
    };
    const headers = { authorization: `Bearer ${this.made.token}`, 'content-type': 'application/json' };
    const path = `${OSIA}/v1/persons/P-1/encounters/E-1?transactionId=1`;
    await this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) });
    await this.#call(path, { method: 'DELETE', headers });
  }

  async #damage(face: number): Promise<void> {
    const folder = join(this.#home, 'storage', 'company-1');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.vimg'))
      .map((entry) => join(entry.parentPath, entry.name));
    const contents = files.map((file) => [file, readFileSync(file)] as const);
    for (const [file, content] of contents) writeFileSync(file, content.subarray(0, -1));
    await this.#ask('GET', `/faces/${face}/image`, undefined, 410);
    for (const [file, content] of contents) writeFileSync(file, content);
  }

  /** A person who is enrolled once more is found by name and erased, with a receipt; then what rules say, which is nothing. */
  async #erasePerson(token: string): Promise<void> {
    const { company } = this.#planted;
    await this.#enrol(token);
    const query = { name: this.#planted['file name'] };
    const found = await this.owner(erasureApi.find, { company, query });
    const ids = found.filter(({ kind }) => kind === 'validation').map(({ id }) => Number(id));
    const choice = { validations: [Math.max(...ids)] };
    const { code } = await this.owner(erasureApi.plan, { company, body: { choice } });
    const body = { choice, code, copies: 'keep' };
    const { signed } = await this.owner(erasureApi.erase, { company, body });
    assert.equal(signed?.receipt.proof?.found, 0);
    await this.owner(localApi.runRetention, { company });
  }

  /** Another site imports the list and sends it back: its faces come from here, so nothing is added. */
  async #exchange(list: number): Promise<void> {
    const { company } = this.#planted;
    const own = await this.owner(transferApi.ownInstallation);
    const other = await openOtherSite(join(dirname(this.#home), 'other'), own);
    try {
      const { certificate, fingerprint } = other;
      const trust = { company, body: { certificate, name: 'Other', fingerprint } };
      const { id } = await this.owner(transferApi.trust, trust);
      const sealed = await this.#bytes(`/blacklists/${list}/export`, { installation: id, photos: true });
      const handedIn = await this.#post(
        `/blacklists/packages?into=${list}`,
        new Blob([await other.sendBack(Buffer.from(sealed))], { type: 'application/octet-stream' }),
      );
      const { body } = await this.#post(`/blacklists/packages/${String(handedIn.body.packageId)}/import`, {
        into: list,
      });
      await this.#post(`/blacklists/imports/${Number(body.id)}/undo`);
      const folder = await this.#bytes('/case-folders/1/export', { installation: id });
      await this.#post(
        '/case-folders/sealed',
        new Blob([await other.sendCaseBack(Buffer.from(folder))], { type: 'application/octet-stream' }),
      );
      await this.owner(transferApi.distrust, { company, params: { id } });
    } finally {
      await other.close();
    }
  }

  async #bytes(path: string, body: object): Promise<ArrayBuffer> {
    const headers = {
      origin: this.#service.address,
      cookie: this.#cookie,
      'content-type': 'application/json',
    };
    const url = `${this.#service.address}/api/dashboard${path}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(response.status, 200);
    return response.arrayBuffer();
  }

  /** Other machines come in with a certificate of the organisation's own authority, and are shut out. */
  async #letIn(): Promise<void> {
    const names = ['vouch.site.lan'];
    const day = 86_400_000;
    const now = Date.now();
    const given = await issueCertificate({ names, from: new Date(now - day), to: new Date(now + day) });
    // One line in the middle of the PEM: the first says only what kind of key it is.
    this.made['TLS key'] = given.privateKey.split('\n')[2]!;
    const port = await freePort();
    await this.owner(localApi.setNetworkWith, { body: { names, address: '127.0.0.1', port, given } });
    await this.#ask('DELETE', '/system/network');
  }

  async #changePipeline(): Promise<void> {
    const { company } = this.#planted;
    await this.owner(settingsApi.changeCompany, { company, body: { features: { blacklists: true } } });
    await this.#post('/queue/pause');
    await this.#post('/queue/resume');
    const before = await this.#pipeline();
    const use = { company, body: { name: 'full' } };
    await this.owner(pipelineApi.use, use);
    for (const step of ['pause', 'cancel']) await this.owner(pipelineApi.change, { company, body: { step } });
    await this.owner(pipelineApi.use, use);
    for (let tries = 0; (await this.#pipeline()).name !== 'full'; tries += 1) {
      assert.ok(tries < 2_400, 'the pipeline is not changed');
      await sleep(100);
    }
    await this.owner(pipelineApi.purge, { company, body: { pipeline: before.serving } });
  }
}

/** A second site without a service, which trusts the first. */
async function openOtherSite(home: string, first: InstallationView) {
  const storage = await openStorage(openHome(home), CLOCK);
  const { id } = await newCompany(storage, home, 'Other');
  const face = faceAlong(0);
  const vision = new ScriptedVision(() => ({
    kind: 'face',
    image: { width: 100, height: 100, format: 'jpeg' },
    face,
  }));
  const gallery = new RememberingGallery();
  const exchange = new BlacklistTransferService({
    ...transferPorts(storage),
    vision,
    gallery,
    clock: CLOCK,
    log: SILENT_LOG,
  });
  const { id: installation } = await exchange.trust(id, first, TEST_ACT);
  const { certificate, fingerprint } = await exchange.certificate('local-admin');
  return {
    certificate,
    fingerprint,
    async sendBack(bundle: Buffer): Promise<Buffer<ArrayBuffer>> {
      const received = await exchange.receive(id, ReadableStream.from([bundle]), {}, 'local-admin');
      const imported = await exchange.import(id, received.packageId, {}, 'local-admin');
      const wanted = { list: imported.target.id as BlacklistId, installation, photos: true };
      const { content } = await exchange.export(id, wanted, 'local-admin');
      return buffer(content);
    },
    /** As its own: a package keeps the chain of the installation that wrote it. */
    async sendCaseBack(sealed: Buffer): Promise<Buffer<ArrayBuffer>> {
      const { packages } = transferPorts(storage);
      const opened = await packages.openCase(TEST_ACT, ReadableStream.from([sealed]), LARGEST_CASE_PACKAGE);
      const receiver = Buffer.from(first.certificate.receivingKey, 'base64');
      return buffer(await packages.sealCase(TEST_ACT, receiver, opened, LARGEST_CASE_PACKAGE));
    },
    close: () => storage.close(),
  };
}

/** Does everything, with a worker that dies on the way, and lets the service crash at the end. */
export async function doEverything(folder: string, planted: Planted): Promise<Done> {
  const [home, restored, bundle, paper] = ['home', 'restored', 'site.vouch', 'paper.txt'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const network = join(folder, 'network.log');
  const watched = { NODE_OPTIONS: `--import=${WATCH}`, VOUCH_TEST_NETWORK_LOG: network };
  const env = { ...watched, VOUCH_PIPELINE: 'light', NODE_OPTIONS: `--import=${CRASH} --import=${WATCH}` };
  const service = await startService(home, 0, 1, env, ['--log-level', 'debug']);
  const walk = new Walk(home, service, planted);
  await walk.all().catch(async (cause: unknown) => {
    // Else the test would wait for the service, and not say what failed.
    await service.kill();
    throw new Error(`The walk failed; the service printed: ${service.printed()}`, { cause });
  });
  const { text: backupKey, publicKey } = createBackupKey();
  const key = { publicKey: Buffer.from(publicKey).toString('hex') };
  await walk.owner(localApi.setBackupKey, { body: key });
  walk.made['backup key'] = backupKey;
  const backedUp = await run(home, ['backup', bundle], watched);
  assert.equal(backedUp.code, 0, backedUp.stderr);
  const processes = processesFrom(service.pid);
  assert.ok(processes.length >= 2, 'a service and its workers');
  const { pid } = processes.at(-1)!;
  process.kill(pid, 'SIGKILL');
  // It stays in the list until the service has taken note of its end.
  await until(() => !existsSync(`/proc/${pid}`), 'the end of the worker');
  await walk.signOut();
  const description = await (await fetch(`${service.address}/openapi.json`)).text();
  await service.signal('SIGUSR2');
  writeFileSync(paper, backupKey);
  const back = await run(restored, ['restore', bundle, '--backup-key-file', paper], watched);
  assert.equal(back.code, 0, back.stderr);
  const { made, refusals } = walk;
  return {
    ...{ home, restored, bundle, made, refusals, printed: service.printed(), processes, description },
    network: readFileSync(network, 'utf8').trim().split('\n'),
  };
}
