import {
  ADMIN_COMMANDS,
  type AdminCommand,
  type AdminOutput,
  type AdminRequest,
} from '../contracts/administration.ts';
import { FAILURES } from '../contracts/failures.ts';
import { companySettings } from '../contracts/settings.ts';
import { CommandRefused, companyNamed, type Handlers } from './commands.ts';
import { createToken } from './credentials.ts';
import { operatorCommands, type OperatorPorts } from './access/commands.ts';
import type {
  ApiToken,
  ApiTokens,
  Clock,
  Companies,
  Company,
  Faces,
  GalleryPort,
  Site,
  VisionPort,
  WorkQueue,
} from './ports.ts';
import { similarityScore, verbalBand } from './scores.ts';
import { searchImage } from './search.ts';

interface AdministrationPorts extends OperatorPorts {
  companies: Companies;
  apiTokens: ApiTokens;
  site: Site;
  queue: WorkQueue;
  faces: Faces;
  vision: VisionPort;
  gallery: GalleryPort;
  clock: Clock;
  /** Facts of the running process. */
  process: {
    version: string;
    address(): string | null;
    inWork(): number;
    /** Where a company's images go when no folder is named. */
    defaultStorageFolder(company: string): string;
  };
  /** The queue was resumed. */
  wake(): void;
}

/** Carries out a command whose input has come from anywhere: it is checked against the command's schema first. */
export type Administration = <C extends AdminCommand>(command: C, input: unknown) => Promise<AdminOutput<C>>;

/** Binds the owner's commands to the store. */
export function createAdministration(ports: AdministrationPorts): Administration {
  const handlers: Handlers = {
    ...siteCommands(ports),
    ...companyCommands(ports),
    ...tokenCommands(ports),
    ...operatorCommands(ports),
  };
  return async (command, input) => {
    const parsed = ADMIN_COMMANDS[command].input.safeParse(input);
    if (!parsed.success) throw new CommandRefused(parsed.error.issues.map(describeIssue).join('\n'));
    return handlers[command](parsed.data as AdminRequest<typeof command>);
  };
}

function siteCommands(
  ports: AdministrationPorts,
): Pick<Handlers, 'status' | 'queue.pause' | 'queue.resume' | 'search'> {
  const { site, queue, vision, process } = ports;
  return {
    async status() {
      return {
        version: process.version,
        address: process.address(),
        pipelineId: vision.pipelineId,
        workers: vision.workers,
        paused: (await site.settings()).paused,
        waiting: await queue.waiting(),
        inWork: process.inWork(),
      };
    },
    async 'queue.pause'() {
      const { paused } = await site.update({ paused: true });
      return { paused };
    },
    async 'queue.resume'() {
      const { paused } = await site.update({ paused: false });
      ports.wake();
      return { paused };
    },
    async search(input) {
      const company = await companyNamed(ports.companies, input.company);
      const result = await searchImage(ports, company.id, Buffer.from(input.image, 'base64'), {
        watchlists: [{ kind: 'duplicate' }],
        limit: input.limit,
        maxDistance: 2,
      });
      if (result.kind === 'refused') return { refused: FAILURES[result.code].sentence, faces: [] };
      return {
        refused: null,
        faces: result.faces.map(({ face, candidates }) => ({
          box: face.box,
          quality: face.quality.score,
          candidates: candidates.map((candidate) => ({
            faceId: candidate.faceId,
            name: candidate.name,
            watchlist: candidate.watchlist.kind,
            trustValidationId: candidate.trustValidationId,
            distance: candidate.distance,
            similarityScore: similarityScore(vision.calibration, candidate.distance),
            band: verbalBand(vision.calibration, candidate.distance),
            enrolledAt: candidate.enrolledAt.toISOString(),
          })),
        })),
      };
    },
  };
}

function companyCommands(
  ports: AdministrationPorts,
): Pick<Handlers, 'company.create' | 'company.list' | 'company.update'> {
  const { companies, process } = ports;
  return {
    async 'company.create'(input) {
      if ((await companies.findByName(input.name)) !== undefined)
        throw new CommandRefused(`A company named "${input.name}" exists already.`);
      const company = await companies.create({
        name: input.name,
        storageFolder: input.storageFolder ?? process.defaultStorageFolder(input.name),
        settings: companySettings.parse({}),
      });
      return companyView(company);
    },
    async 'company.list'() {
      return (await companies.list()).map(companyView);
    },
    async 'company.update'({ company: name, storageFolder, ...features }) {
      const company = await companyNamed(ports.companies, name);
      const moves = storageFolder !== undefined && storageFolder !== company.storageFolder;
      if (moves && (await companies.holdsImages(company.id)))
        throw new CommandRefused(
          `The storage folder of "${name}" holds images and stays ${company.storageFolder ?? ''}. To move it, restore a backup elsewhere.`,
        );
      const settings = companySettings.parse({ ...company.settings, ...features });
      await companies.update(company.id, {
        settings,
        ...(storageFolder !== undefined && { storageFolder }),
      });
      return companyView({ ...company, settings, storageFolder: storageFolder ?? company.storageFolder });
    },
  };
}

function tokenCommands(
  ports: AdministrationPorts,
): Pick<Handlers, 'token.create' | 'token.list' | 'token.revoke'> {
  const { apiTokens, clock } = ports;
  return {
    async 'token.create'(input) {
      const company = await companyNamed(ports.companies, input.company);
      const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
      if (expiresAt !== null && expiresAt <= clock.now())
        throw new CommandRefused('The token would have expired already: choose a later time.');
      const { token, hash } = createToken();
      const stored = await apiTokens.create(company.id, {
        name: input.name,
        hash,
        scopes: input.scopes,
        expiresAt,
      });
      return { ...tokenView(stored), token };
    },
    async 'token.list'(input) {
      const company = await companyNamed(ports.companies, input.company);
      return (await apiTokens.list(company.id)).map(tokenView);
    },
    async 'token.revoke'(input) {
      const company = await companyNamed(ports.companies, input.company);
      return { revoked: await apiTokens.revoke(company.id, input.id, clock.now()) };
    },
  };
}

function companyView(company: Company): AdminOutput<'company.create'> {
  const { registrationEnabled, blacklistsEnabled } = company.settings;
  return {
    id: company.id,
    name: company.name,
    storageFolder: company.storageFolder,
    registrationEnabled,
    blacklistsEnabled,
  };
}

function tokenView(token: ApiToken): AdminOutput<'token.list'>[number] {
  return {
    id: token.id,
    name: token.name,
    scopes: [...token.scopes],
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    revokedAt: token.revokedAt?.toISOString() ?? null,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  };
}

function describeIssue(issue: { path: PropertyKey[]; message: string }): string {
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}
