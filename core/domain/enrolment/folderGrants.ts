import { problem, CodedError } from '../../contracts/errors/problem.ts';
import {
  type FolderSkip,
  type OfferedFolder,
  REPORT_EVERY_MS,
  type WatchedFolder,
  type WatchReport,
} from '../../contracts/dashboard/folders.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { SignedIn, SignInService } from '../identity/signInService.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { Platform, Clock } from '../ports/machine.ts';
import type { IncomingFile } from './incomingFile.ts';
import { hasPassed } from '../values/time.ts';
import type { Storage } from '../../storage/index.ts';
import { Service } from '../serviceParts.ts';

/** A watcher that missed this many reports is lost. */
const MISSED_REPORTS = 3;
/** A watcher that ended is shown this long, milliseconds. */
const SHOWN_FOR_MS = 24 * 3_600_000;
/** Watchers of all companies that are kept; the one that reported longest ago makes room. */
const MAX_WATCHERS = 200;

interface Kept {
  company: CompanyId;
  report: WatchReport;
  reportedAt: Date;
}

/**
 * The latest report of each `vouch watch` on this machine. Reports contain file names, so they are kept in memory alone
 * and end with the service.
 */
export class WatchedFolders {
  readonly #clock: Clock;
  /** By the id of the run, the latest report last. */
  readonly #kept = new Map<string, Kept>();

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  /** Replaces the report of the same run, and of earlier runs on the same folder. */
  keep(company: CompanyId, report: WatchReport): void {
    for (const [id, { company: of, report: earlier }] of this.#kept)
      if (id === report.id || (of === company && earlier.folder === report.folder)) this.#kept.delete(id);
    this.#kept.set(report.id, { company, report, reportedAt: this.#clock.now() });
    for (const oldest of this.#kept.keys()) if (this.#kept.size > MAX_WATCHERS) this.#kept.delete(oldest);
  }

  /** The watched folders of a company, by folder. */
  of(company: CompanyId): WatchedFolder[] {
    const now = this.#clock.now().getTime();
    return [...this.#kept.values()]
      .filter(({ company: of, reportedAt }) => of === company && !hasPassed(reportedAt, SHOWN_FOR_MS, now))
      .map(({ report, reportedAt }) => {
        const isLate = now - reportedAt.getTime() > MISSED_REPORTS * REPORT_EVERY_MS;
        return {
          ...report,
          state: report.state !== 'stopped' && isLate ? ('lost' as const) : report.state,
          reportedAt: reportedAt.toISOString(),
        };
      })
      .toSorted((one, other) => one.folder.localeCompare(other.folder));
  }
}

/** A file below a folder, as it was when it was read. */
export interface FolderFile {
  /** Relative, with forward slashes. */
  path: string;
  bytes: number;
  skip: FolderSkip | null;
}

/** Photos that lie in folders of this machine. */
export interface PhotoFolders {
  /** The folder's absolute path, all links resolved. @throws {CodedError} it is relative, absent, a file, or cannot be read */
  find(path: string): Promise<{ root: string; name: string }>;
  /** Whether a place is another or lies below it. */
  isWithin(place: string, other: string): Promise<boolean>;
  /** Walks all of it, by name. @param passedOver places below it that are not looked into */
  look(root: string, options: { maxBytes: number; passedOver: readonly string[] }): AsyncIterable<FolderFile>;
  /** @returns undefined: it is not there any more, or something else stands in its place */
  open(root: string, path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
}

interface FolderGrantsPorts extends Pick<Storage, 'companies'>, Pick<Platform, 'clock' | 'crypto'> {
  folders: PhotoFolders;
  signIn: Pick<SignInService, 'holder' | 'verdict'>;
  /** The installation's own folder: nothing in it is ever taken for photos. */
  home: string;
}

interface Offer {
  company: CompanyId;
  by: Actor;
  root: string;
  name: string;
  files: FolderFile[];
  usedAt: number;
}

/** A folder with more is refused: its list is kept in memory and sent to the page. */
const MAX_FILES = 200_000;
/** Folders of all operators that are kept; the one that was used longest ago makes room. */
const MAX_OFFERS = 16;
/** How long an unused folder is kept, milliseconds. */
const KEPT_FOR = 24 * 3_600_000;

/** A photo of a batch that is not there any more; `index` is its place in the batch. */
export class PhotoGone extends Error {
  override name = 'PhotoGone';
  readonly index: number;

  constructor(index: number) {
    super('A photo of the batch cannot be read any more.');
    this.index = index;
  }
}

/**
 * Folders that the desktop shell handed over for the operator in front of it. A path comes in through the local socket
 * alone, which no page can reach; what goes out is a grant that is worth something in that operator's session only.
 */
export class FolderGrants extends Service<FolderGrantsPorts> {
  readonly #offers = new Map<string, Offer>();

  /**
   * @param session token of the operator's session
   * @param path as the system's dialog or a drop gave it to the shell
   * @returns the grant @throws {CodedError}
   */
  async offer(session: string, path: string): Promise<string> {
    const { folders, companies, signIn } = this.ports;
    const operator = await signIn.holder(session, false);
    if (operator === undefined) throw new CodedError(problem('FOLDER_SIGNED_OUT'));
    if (signIn.verdict(operator, 'uploads:create') !== 'allowed')
      throw new CodedError(problem('FOLDER_NOT_ALLOWED'));
    const company = await companies.find(operator.companyId);
    if (company === undefined) throw new CodedError(problem('FOLDER_COMPANY_GONE'));
    const { root, name } = await folders.find(path);
    const own = [this.ports.home, ...(company.storageFolder === null ? [] : [company.storageFolder])];
    for (const place of own)
      if (await folders.isWithin(root, place)) throw new CodedError(problem('FOLDER_OF_VOUCH'));
    const files = await this.#filesOf(root, company.settings.maxImageBytes, own);
    this.#makeRoom();
    const grantId = this.ports.crypto.randomUuid();
    const { companyId, actor } = operator;
    this.#offers.set(grantId, { company: companyId, by: actor, root, name, files, usedAt: this.#now() });
    return grantId;
  }

  /** @returns undefined: no such folder was offered in this operator's session, or it was forgotten */
  folder(operator: SignedIn, grantId: string): OfferedFolder | undefined {
    const offer = this.#find(operator, grantId);
    return offer && { name: offer.name, files: offer.files };
  }

  /**
   * The photos of a batch, opened one after another when they are asked for.
   * @param places in the folder's files; those that are to be skipped count as gone
   * @returns undefined as in {@link folder}. The iteration throws {PhotoGone}
   */
  photos(
    operator: SignedIn,
    grantId: string,
    places: readonly number[],
  ): AsyncIterable<IncomingFile> | undefined {
    const offer = this.#find(operator, grantId);
    return offer && this.#opened(offer, places);
  }

  /** @returns false as in {@link folder} */
  forget(operator: SignedIn, grantId: string): boolean {
    return this.#find(operator, grantId) !== undefined && this.#offers.delete(grantId);
  }

  async *#opened({ root, files }: Offer, places: readonly number[]): AsyncIterable<IncomingFile> {
    for (const [index, place] of places.entries()) {
      const file = files[place];
      const content = file?.skip === null ? await this.ports.folders.open(root, file.path) : undefined;
      if (file === undefined || content === undefined) throw new PhotoGone(index);
      yield { fieldName: 'images[]', fileName: file.path.slice(file.path.lastIndexOf('/') + 1), content };
    }
  }

  async #filesOf(root: string, maxBytes: number, passedOver: readonly string[]): Promise<FolderFile[]> {
    const files: FolderFile[] = [];
    for await (const file of this.ports.folders.look(root, { maxBytes, passedOver })) {
      if (files.length === MAX_FILES) throw new CodedError(problem('FOLDER_TOO_LARGE', { most: MAX_FILES }));
      files.push(file);
    }
    return files;
  }

  #find({ companyId, actor }: SignedIn, grantId: string): Offer | undefined {
    const offer = this.#offers.get(grantId);
    if (offer?.company !== companyId || offer.by !== actor) return undefined;
    offer.usedAt = this.#now();
    return offer;
  }

  #makeRoom(): void {
    const byAge = [...this.#offers].sort(([, one], [, other]) => one.usedAt - other.usedAt);
    for (const [index, [grantId, { usedAt }]] of byAge.entries())
      if (hasPassed(usedAt, KEPT_FOR, this.#now()) || byAge.length - index >= MAX_OFFERS)
        this.#offers.delete(grantId);
  }

  #now(): number {
    return this.ports.clock.now().getTime();
  }
}
