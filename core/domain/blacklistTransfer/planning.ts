import { CodedError, problem } from '../../contracts/errors/problem.ts';
import {
  type ImportPlan,
  type ImportChange,
  type ListedOtherwise,
  IMPORT_CHANGES,
} from '../../contracts/blacklistTransfer.ts';
import { LISTING_FIELDS } from '../../contracts/faceListing.ts';
import { BLACKLIST_STATUS } from '../../contracts/codes.ts';
import { blacklistFields, type BlacklistFields } from '../../contracts/blacklists.ts';
import type { BlacklistId, CompanyId, FaceId, PipelineId } from '../../contracts/ids.ts';
import { templateFault } from '../recognition/faceValidation.ts';
import { equalBytes } from '../values/bytes.ts';
import { installationFingerprint, installationHash } from './installationNames.ts';
import type {
  KnownFace,
  ListOrigin,
  OpenedPackage,
  PackagedFace,
  TrustedInstallation,
} from '../ports/blacklistTransfer.ts';
import type { Faces } from '../../storage/faces/faces.ts';
import type { BlacklistTransferStore } from '../../storage/blacklistTransfer/store.ts';
import type { Blacklists } from '../../storage/screening/blacklists.ts';
import { nameKey } from '../../contracts/displayName.ts';
import type { Parts } from '../serviceParts.ts';

/** Faces in one package: others wait for the one transaction that takes them in, about 0.3 ms of a core for each. */
export const MAX_FACES = 20_000;
/** Bytes of a package: the largest list with photos of 1.6 MiB. */
export const MAX_PACKAGE_BYTES = 32 * 1024 ** 3;
/** Packages of all companies that wait for a decision; beyond them the company with most loses its oldest one. */
export const MAX_WAITING = 4;
/** How long a package waits for a decision, milliseconds. */
export const WAITING_TIME = 60 * 60_000;
/** Names that a plan or an answer lists; the counts say how many there are. */
export const MAX_NAMES = 200;

export interface PlanPorts extends Pick<
  Parts,
  'companies' | 'blacklists' | 'trustedInstallations' | 'transferStore' | 'vision' | 'crypto'
> {
  faces: Pick<Faces, 'dimensions'>;
}

/** Where an import goes. */
export type ImportTarget =
  | { id: BlacklistId; name: string }
  | { id: null; name: string; fields: BlacklistFields };

/** The settings of an import that apply to each of its faces. */
export interface ImportFrame {
  sender: TrustedInstallation;
  origin: ListOrigin;
  target: ImportTarget;
  pipeline: PipelineId;
  /** Components of its templates; undefined: the store has never had one. */
  dimensions: number | undefined;
  /** Of this installation, as an origin names it. */
  own: string;
  importedAs: number | null;
}

/** The change that the import would make to one face. */
export type Classified =
  | { change: 'added'; reextract: boolean }
  | { change: 'renamed' | 'held'; known: KnownFace }
  | { change: 'own' }
  /** Its face is in another list here. */
  | { change: 'elsewhere'; known: KnownFace };

/**
 * Sender and destination of a package, before its faces are read.
 * @param own hash of this installation. @throws {CodedError}
 */
export async function frameOf(
  ports: PlanPorts,
  company: CompanyId,
  { head }: OpenedPackage,
  options: { into?: BlacklistId; own: string },
): Promise<ImportFrame> {
  const { settings, storageFolder } = (await ports.companies.find(company)) ?? {};
  if (settings?.blacklistsEnabled !== true) throw new CodedError(problem('BLACKLISTS_DISABLED'));
  if (storageFolder == null) throw new CodedError(problem('STORAGE_NOT_CONFIGURED'));
  const { signingKey } = head.sender;
  const sender = (await ports.trustedInstallations.list(company)).find(({ signingKey: known }) =>
    equalBytes(known, signingKey),
  );
  if (sender === undefined)
    throw new CodedError(problem('PACKAGE_SENDER_UNKNOWN', { name: head.sender.name }));
  const origin = { sender: installationHash(ports.crypto, signingKey), list: head.list.id };
  const newest = await ports.transferStore.newest(company, origin);
  const importedAs = newest?.packageId === head.packageId ? newest.id : null;
  if (
    newest !== undefined &&
    importedAs === null &&
    Date.parse(newest.exportedAt) >= Date.parse(head.exportedAt)
  )
    throw new CodedError(
      problem('PACKAGE_OLDER', {
        exported: head.exportedAt,
        newer: newest.exportedAt,
        import: newest.id,
      }),
    );
  if (
    newest !== undefined &&
    importedAs !== null &&
    (options.into ?? newest.blacklistId) !== newest.blacklistId
  )
    throw new CodedError(
      problem('PACKAGE_IMPORTED', { blacklist: newest.blacklistId, import: newest.id, undo: newest.id }),
    );
  const target = await targetOf(ports.blacklists, company, options.into ?? newest?.blacklistId, head.list);
  const pipeline = ports.vision.pipelineOf(company);
  const dimensions = (await ports.faces.dimensions()).get(pipeline);
  return { sender, origin, target, pipeline, dimensions, own: options.own, importedAs };
}

async function targetOf(
  blacklists: Blacklists,
  company: CompanyId,
  id: BlacklistId | undefined,
  list: OpenedPackage['head']['list'],
): Promise<ImportTarget> {
  if (id === undefined) {
    const fields = blacklistFields.safeParse({ name: list.name, description: list.description });
    if (!fields.success) throw new CodedError(problem('PACKAGE_LIST_NAME_INVALID'));
    return { id: null, name: fields.data.name, fields: fields.data };
  }
  const found = await blacklists.find(company, id);
  if (found === undefined) throw new CodedError(problem('BLACKLIST_UNKNOWN', { blacklist: id }));
  if (found.status !== BLACKLIST_STATUS.Active)
    throw new CodedError(problem('PACKAGE_LIST_INACTIVE', { name: found.name }));
  return { id, name: found.name };
}

/**
 * The change that the import would make to a face in the present store. @param index of the face in the package, from 0
 * @throws {CodedError} it cannot be matched here
 */
export async function classify(
  store: BlacklistTransferStore,
  company: CompanyId,
  frame: ImportFrame,
  face: PackagedFace,
  index: number,
): Promise<Classified> {
  const { origin, templates, name } = face;
  if (origin.installation === frame.own) return { change: 'own' };
  const known = await store.known(company, origin);
  if (known === undefined) {
    const template = templates.find(({ pipelineId }) => pipelineId === frame.pipeline);
    if (template !== undefined)
      requireSound('template', index, templateFault(template.vector, frame.dimensions));
    return { change: 'added', reextract: template === undefined };
  }
  if (known.blacklistId !== frame.target.id) return { change: 'elsewhere', known };
  // Only the installation that enrolled a face says what it is called; others pass it on as they have it.
  const renamed = known.name !== name && origin.installation === frame.origin.sender;
  return { change: renamed ? 'renamed' : 'held', known };
}

/**
 * Reads a package to its end and its signature, and says what importing it would change. Touches nothing.
 * @throws {CodedError}
 */
export async function planImport(
  ports: PlanPorts,
  company: CompanyId,
  opened: OpenedPackage,
  options: { into?: BlacklistId; own: string },
): Promise<{ frame: ImportFrame; plan: ImportPlan }> {
  const { transferStore, blacklists } = ports;
  const frame = await frameOf(ports, company, opened, options);
  const tally = new Tally();
  let [read, reextracted, withoutPhoto, foreign] = [0, 0, 0, 0];
  const here = new Set<FaceId>();
  const listed = new ListingTally();
  for await (const face of opened.faces()) {
    read += 1;
    if (read > MAX_FACES) throw new CodedError(problem('PACKAGE_TOO_MANY_FACES', { most: MAX_FACES }));
    const classified = await classify(transferStore, company, frame, face, read - 1);
    if ('known' in classified) {
      here.add(classified.known.faceId);
      listed.add(classified.known, face);
    }
    if (classified.change === 'added') {
      if (face.photo === null) withoutPhoto += 1;
      if (classified.reextract) reextracted += 1;
      if (classified.reextract && face.photo === null) foreign += 1;
    }
    const before = classified.change === 'renamed' ? classified.known.name : null;
    tally.add(classified.change, face.name, before);
  }
  requireMatchable(foreign, frame);
  if (frame.importedAs === null && frame.target.id === null)
    await requireFreeName(blacklists, company, frame.target.name);
  for (const { faceId, name } of await transferStore.brought(company, frame.origin))
    if (!here.has(faceId)) tally.add('gone', name, null);
  const { sender, target, importedAs } = frame;
  const plan: ImportPlan = {
    sender: { id: sender.id, name: sender.name, fingerprint: installationFingerprint(ports.crypto, sender) },
    exportedAt: opened.head.exportedAt,
    list: { name: opened.head.list.name, description: opened.head.list.description },
    target: { id: target.id, name: target.name },
    counts: tally.counts,
    reextracted,
    withoutPhoto,
    listedOtherwise: listed.result,
    examples: tally.examples,
    importedAs,
  };
  return { frame, plan };
}

/** A template of another pipeline says nothing here, and a small picture is too little to make a new one. */
function requireMatchable(foreign: number, frame: ImportFrame): void {
  if (foreign === 0) return;
  throw new CodedError(problem('PACKAGE_OTHER_PIPELINE', { faces: foreign, pipeline: frame.pipeline }));
}

async function requireFreeName(blacklists: Blacklists, company: CompanyId, name: string): Promise<void> {
  const taken = await blacklists.named(company, nameKey(name));
  if (taken !== undefined)
    throw new CodedError(problem('PACKAGE_LIST_NAMED', { name: taken.name, blacklist: taken.id }));
}

/** Counts of every change, and the names of the first that matter to a person. */
export class Tally {
  readonly counts = Object.fromEntries(IMPORT_CHANGES.map((change) => [change, 0])) as Record<
    ImportChange,
    number
  >;
  readonly examples: ImportPlan['examples'] = [];

  add(change: ImportChange, name: string, before: string | null): void {
    this.counts[change] += 1;
    if (change !== 'held' && this.counts[change] <= MAX_NAMES) this.examples.push({ change, name, before });
  }
}

/** Compares how faces are listed here and at the sender. */
class ListingTally {
  readonly result: ListedOtherwise = { count: 0, faces: [] };

  add({ faceId, blacklistId, listing: here }: KnownFace, { name, listing: there }: PackagedFace): void {
    if (LISTING_FIELDS.every((field) => here[field] === there[field])) return;
    this.result.count += 1;
    if (this.result.faces.length < MAX_NAMES)
      this.result.faces.push({ faceId, blacklistId, name, here, there });
  }
}

/**
 * Refuses a package with a part of a face that cannot be used.
 * @param index of the face in the package, from 0
 * @param fault the end of a sentence; undefined: the part can be used
 * @throws {CodedError}
 */
export function requireSound(part: string, index: number, fault: string | undefined): void {
  if (fault !== undefined)
    throw new CodedError(problem('PACKAGE_FACE_INVALID', { part, face: index + 1, fault }));
}
