/** A site as the contract tests need it: the real store in a folder of its own, the real interface on a real port. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createApi } from '../../core/api/app.ts';
import type { ApiPorts } from '../../core/api/ports.ts';
import { createLocalApi } from '../../core/api/local/index.ts';
import { routesOnDemand, sendInProcess } from '../../core/api/local/socket.ts';
import { BOUNDS } from '../../core/api/http/bounds.ts';
import { UploadIntake } from '../../core/domain/enrolment/intake.ts';
import { LocalApi } from '../../core/cli/client/localClient.ts';
import { BACKUP_KEYS } from '../../core/encryption/backupKey.ts';
import type { Readiness } from '../../core/contracts/nodes.ts';
import { type Scope, SCOPES } from '../../core/contracts/codes.ts';
import { type CompanySettings, companySettings } from '../../core/contracts/settings.ts';
import { PassphraseHasher } from '../../core/domain/identity/passphrase.ts';
import { createAccessServices } from '../../core/domain/services.ts';
import { argon2id } from '../../core/platform/argon2.ts';
import { createToken } from '../../core/domain/credentials/secrets.ts';
import type { Logger } from '../../core/domain/ports/machine.ts';
import { openHome, openStorage, type Storage } from '../../core/storage/index.ts';
import { UnexpiredGallery } from '../../core/domain/blacklists/unexpiredGallery.ts';
import { Verifications } from '../../core/domain/screening/verifications.ts';
import { openGallery, type Gallery } from '../../core/gallery/index.ts';
import type { EncounterService } from '../../core/domain/abis/encounters.ts';
import type { DuplicateSearch } from '../../core/domain/duplicates/duplicateSearch.ts';
import type { FolderGrants } from '../../core/domain/enrolment/folderGrants.ts';
import { dashboardOf } from './dashboardOf.ts';
import { Description } from './description.ts';
import { ScriptedSignatures, type ScriptedVision } from '../support/fakes.ts';
import { visionOfPeople } from '../support/people.ts';
import { keepTestAddress } from '../support/testServer.ts';
import { TEST_ACT } from '../support/act.ts';
import { CRYPTO, PLATFORM } from '../../core/platform/platform.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

/** The shortest things that begin like a JPEG and a PNG: the interface looks at no more than that. */
export const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]);
export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);

/** The least argon2id takes: tests are about the rules, not about the cost. */
export const CHEAP = { ...PLATFORM, hashing: argon2id({ memory: 64, passes: 1, parallelism: 1 }) };

export interface LogLine {
  level: string;
  facts: object;
  text: string;
}

export interface TestSite {
  readonly storage: Storage;
  /** The vision and the screening of the service as it was last started. */
  readonly engine: {
    vision: ScriptedVision;
    gallery: Gallery;
    verifications: Verifications;
    folderGrants: FolderGrants;
    /** The routes of the local socket. */
    terminal: LocalApi;
    localRoutes: ReturnType<typeof routesOnDemand>;
    /** Carries out no run before it is started. */
    duplicateSearch: DuplicateSearch;
    encounterService: EncounterService;
  };
  readonly api: FastifyInstance;
  company: Company;
  readonly address: string;
  readonly port: number;
  /** The interface description; every answer that `call` receives is held against it. */
  readonly description: Description;
  /** Where the installation and its images are. */
  folder: string;
  token: string;
  /** The service's log lines. */
  lines: LogLine[];
  /** How often something was queued. */
  accepted(): number;
  /** Sets the time that the service sees; it stands still in between. */
  setTime(time: Date): void;
  /** Stops the service and its store, and starts both again on the same home. */
  restart(): Promise<void>;
  newToken(options?: { company?: Company; scopes?: Scope[]; expiresAt?: Date }): Promise<string>;
  newCompany(options?: { storage?: boolean; settings?: Partial<CompanySettings> }): Promise<Company>;
  /** `fetch` with the company's token and JSON read. */
  call(path: string, init?: CallOptions): Promise<Answer>;
  upload(form: FormData, init?: CallOptions): Promise<Answer>;
  /** Paths of all image files of all companies. */
  imageFiles(): Promise<string[]>;
}

/** `token: null` sends none; `duplex` belongs to bodies that stream, and is missing from the platform's types. */
export type CallOptions = RequestInit & { token?: string | null; duplex?: 'half' };

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
}

export const FACES = '/api/v3/duplicate-detection/faces';
export const UPLOADS = '/api/v3/duplicate-detection/uploads';

/** The readiness of a service without a fault. */
const READY: Readiness = {
  ready: true,
  checks: { store: true, gallery: true, workers: true, accepting: true },
};

/**
 * Opens a site that goes away with the test.
 * @param ports replaces what the interface is given
 * @param extend adds routes to the interface
 */
export async function openSite(
  t: TestContext,
  ports: (storage: Storage) => Partial<ApiPorts> = () => ({}),
  extend: (api: FastifyInstance) => void = () => undefined,
): Promise<TestSite> {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-contract-'));
  keepTestAddress(folder);
  let time = new Date('2026-03-01T12:00:00.000Z');
  const clock = { now: () => time };
  const lines: LogLine[] = [];
  let accepted = 0;
  const start = async () => {
    const storage = await openStorage(openHome(folder), clock);
    const vision = visionOfPeople();
    const log = collector(lines);
    const gallery = await openGallery({ pipelineId: vision.pipelineId }, storage, log);
    const unexpired = new UnexpiredGallery({ ...storage, gallery, clock });
    const verifications = new Verifications({ ...storage, vision, gallery: unexpired, clock, log });
    const access = createAccessServices({
      ...storage,
      ...PLATFORM,
      hasher: new PassphraseHasher(CHEAP),
      clock,
    });
    const dashboard = await dashboardOf(folder, {
      storage,
      signIn: access.signIn,
      vision,
      gallery,
      verifications,
      clock,
      log,
      accepted: () => {
        accepted += 1;
      },
    });
    const replaced = ports(storage);
    const api = await createApi({
      ...PLATFORM,
      ...storage,
      ...access,
      verifications,
      vision,
      signatures: new ScriptedSignatures(),
      duplicateSearch: dashboard.duplicateSearch,
      groups: dashboard.groups,
      personService: dashboard.personService,
      encounterService: dashboard.encounterService,
      recognition: vision,
      converter: vision,
      readiness: () => Promise.resolve(READY),
      clock,
      log,
      accepted: () => {
        accepted += 1;
      },
      dashboard,
      ...replaced,
      bounds: { refusalGrid: 1, ...replaced.bounds },
    });
    extend(api);
    const address = await api.listen({ host: '127.0.0.1', port: 0 });
    const { folderGrants, duplicateSearch, encounterService } = dashboard;
    const local = {
      ...access,
      ...dashboard,
      images: storage.images,
      intake: new UploadIntake(dashboard),
      bounds: BOUNDS,
      backupKeys: BACKUP_KEYS,
      mosipLinks: { isConnected: () => false, follow: () => Promise.resolve() },
      backUp: () => Promise.reject(new Error('The site makes no backups.')),
      process: { ...dashboard.process, address: () => address, pipeline: () => vision.pipelineId },
    };
    const localRoutes = routesOnDemand((part) => createLocalApi(local, part));
    const terminal = new LocalApi(sendInProcess(localRoutes));
    const made = { storage, api, vision, gallery, verifications, folderGrants, duplicateSearch };
    return { ...made, encounterService, localRoutes, terminal, address };
  };
  let running = await start();
  const described = new Description();
  const stop = async () => {
    await running.api.close();
    await running.gallery.close();
    await running.storage.close();
  };
  const { storage } = running;
  await storage.installation.update({ minFreeBytes: 0 }, TEST_ACT);
  t.after(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  let companies = 0;
  const images = join(folder, 'storage');
  const newCompany: TestSite['newCompany'] = ({ storage: configured = true, settings = {} } = {}) => {
    const name = `company ${++companies}`;
    return storage.companies.create(
      {
        name,
        ...(!configured && { storageFolder: null }),
        settings: companySettings.parse(settings),
      },
      TEST_ACT,
    );
  };
  const company = await newCompany();
  const newToken: TestSite['newToken'] = async (options = {}) => {
    const { token, hash } = createToken(CRYPTO);
    await storage.apiTokens.create(
      (options.company ?? company).id,
      {
        name: 'a program',
        hash,
        scopes: options.scopes ?? SCOPES,
        expiresAt: options.expiresAt ?? null,
      },
      TEST_ACT,
    );
    return token;
  };
  const token = await newToken();
  const call: TestSite['call'] = async (path, { token: other, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (other !== null) headers.set('authorization', `Bearer ${other ?? token}`);
    const answer = await toAnswer(await fetch(running.address + path, { ...init, headers }));
    described.check(init.method ?? 'GET', path, answer);
    return answer;
  };
  return {
    get storage() {
      return running.storage;
    },
    get engine() {
      return running;
    },
    get api() {
      return running.api;
    },
    get address() {
      return running.address;
    },
    get port() {
      return Number(new URL(running.address).port);
    },
    company,
    description: described,
    folder,
    token,
    lines,
    accepted: () => accepted,
    setTime: (next) => {
      time = next;
    },
    async restart() {
      await stop();
      running = await start();
    },
    newToken,
    newCompany,
    call,
    upload: (form, init) => call(FACES, { method: 'POST', body: form, ...init }),
    async imageFiles() {
      const entries = await readdir(images, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter(({ name }) => name.endsWith('.vimg'))
        .map((entry) => join(entry.parentPath, entry.name));
    },
  };
}

/** A form with these files under `images[]`, or under the names given. */
export function formOf(
  ...files: (Uint8Array | { name?: string; field?: string; content: Uint8Array })[]
): FormData {
  const form = new FormData();
  for (const [index, file] of files.entries()) {
    const {
      name = `face ${index}.jpg`,
      field = 'images[]',
      content,
    } = file instanceof Uint8Array ? { content: file } : file;
    form.append(field, new Blob([Buffer.from(content)]), name);
  }
  return form;
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

function collector(lines: LogLine[]): Logger {
  const at = (level: string) => (facts: object, text: string) => {
    lines.push({ level, facts, text });
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
