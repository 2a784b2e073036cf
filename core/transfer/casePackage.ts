/**
 * A sealed case folder: an age file encrypted to another installation, as a transfer package is. Inside is a container signed by
 * the sender: `case-folder.json`, then `contents/SHA-256` for everything that an entry holds and for each picture.
 */
import { z } from 'zod';
import { installationName } from '../contracts/blacklistTransfer.ts';
import { siteRates } from '../contracts/calibration.ts';
import {
  CASE_ENTRY_KINDS,
  caseContent,
  caseFolder,
  type CaseEntry,
} from '../contracts/dashboard/caseFolders.ts';
import { examination } from '../contracts/dashboard/examinations.ts';
import { box } from '../contracts/dashboard/faceImages.ts';
import { CodedError, problem } from '../contracts/errors/problem.ts';
import { trusted } from '../contracts/ids.ts';
import { firstBadEntry } from '../domain/examinations/caseChain.ts';
import type { CasePackage, OpenedCase } from '../domain/ports/casePackages.ts';
import { hexOf } from '../domain/values/bytes.ts';
import { isoTime } from '../domain/values/time.ts';
import { encryptAge } from '../encryption/age.ts';
import { manifestFields, packContainer, wholeOf, type NewFile } from '../encryption/container.ts';
import { ed25519PublicKey, ed25519Verifies, fingerprintOf } from '../encryption/keys.ts';
import { CRYPTO } from '../platform/platform.ts';
import type { IdentityKeys } from './installationIdentity.ts';
import { key } from './packageFormat.ts';
import { Malformed, openContainer, orRefused } from './packageReader.ts';

const LABEL = 'vouch-case-folder';
const FORMAT = 1;
const KIND = 'vouch case folder';
const HEAD = 'case-folder.json';
const CONTENTS = 'contents/';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const picture = z.object({
  ...{ faceId: z.number().int().nullable(), enrolledAt: z.string(), sha256: z.string().nullable() },
  ...{ width: z.number().positive(), height: z.number().positive(), box: box.nullable() },
  /** Absent: it is missing or damaged at the sender. */
  content: hash.optional(),
});
const head = z.object({
  sender: z.object({ name: installationName, signingKey: key }),
  exportedAt: z.iso.datetime(),
  company: z.object({ id: z.number().int().transform(trusted.company), name: z.string() }),
  /** Ed25519 key of the sender's audit log (SubjectPublicKeyInfo), which signs the chain. */
  auditKey: z.base64(),
  folder: caseFolder,
  chain: z.array(
    z.object({
      ...{ position: z.number().int(), kind: z.enum(CASE_ENTRY_KINDS), at: z.number(), actor: z.string() },
      ...{ target: z.number().int().nullable(), digest: hash.nullable(), hash, signature: z.string() },
    }),
  ),
  photos: z.array(z.tuple([z.number().int(), picture])),
  examinations: z.array(z.object({ examination, pictures: z.array(picture) })),
  rates: siteRates,
});
type Head = z.infer<typeof head>;
const caseManifest = manifestFields.extend({
  ...{ kind: z.literal(KIND), version: z.literal(FORMAT), receiver: key },
});

const nameOf = (content: Uint8Array) => hexOf(CRYPTO.sha256(content));

/**
 * Encrypts a case folder to another installation, signed.
 * @param receiver X25519, 32 raw bytes
 * @param made `most`: bytes of its contents
 * @throws {CodedError} CASE_FOLDER_CHANGED: see {@link requireWhole}; CASE_PACKAGE_TOO_LARGE
 */
export function writeCasePackage(
  sender: IdentityKeys,
  receiver: Uint8Array,
  folder: CasePackage,
  { at, most }: { at: Date; most: number },
): AsyncIterable<Uint8Array> {
  const files = caseFiles(sender, folder, at);
  requireWhole(files.head, files.contents);
  let bytes = 0;
  for (const content of files.contents.values()) bytes += content.length;
  requireRoom(bytes, most);
  return sealCaseFiles(sender, receiver, files, at);
}

interface CaseFiles {
  head: Head;
  contents: ReadonlyMap<string, Uint8Array>;
}

/** The files of a package, not checked. */
export function caseFiles({ name, signing }: IdentityKeys, folder: CasePackage, at: Date): CaseFiles {
  const { auditKey, examinations, photos, ...rest } = folder;
  const contents = new Map(folder.contents);
  const named = <P extends { content: Uint8Array | undefined }>({ content, ...of }: P) => {
    if (content === undefined) return of;
    const sha256 = nameOf(content);
    contents.set(sha256, content);
    return { ...of, content: sha256 };
  };
  const facts = head.parse({
    ...rest,
    sender: { name, signingKey: Buffer.from(signing.publicKey).toString('base64') },
    exportedAt: isoTime(at.getTime()),
    auditKey: Buffer.from(auditKey).toString('base64'),
    photos: [...photos].map(([face, photo]) => [face, named(photo)]),
    examinations: examinations.map((each) => ({ ...each, pictures: each.pictures.map(named) })),
  });
  return { head: facts, contents };
}

/** @param receiver X25519, 32 raw bytes */
export function sealCaseFiles(
  { signing }: IdentityKeys,
  receiver: Uint8Array,
  { contents, head: facts }: CaseFiles,
  at: Date,
): AsyncIterable<Uint8Array> {
  const files = async function* (): AsyncIterable<NewFile> {
    yield await Promise.resolve({ name: HEAD, content: JSON.stringify(facts) });
    for (const [sha256, content] of contents) yield { name: CONTENTS + sha256, content };
  };
  const about = () => ({
    ...{ kind: KIND, version: FORMAT },
    receiver: Buffer.from(receiver).toString('base64'),
  });
  const container = packContainer(files(), { about, at, signingKey: signing.privateKey });
  return encryptAge(receiver, [LABEL, String(FORMAT), fingerprintOf(receiver)], container).content;
}

function requireRoom(bytes: number, most: number): void {
  if (bytes > most)
    throw new CodedError(problem('CASE_PACKAGE_TOO_LARGE', { mib: Number((most / 1024 ** 2).toFixed(1)) }));
}

/**
 * Reads a sealed case folder from its first byte to its signature, and checks the chain and every content.
 * @param most bytes of its contents
 * @throws {CodedError} no sealed case folder, for another installation, of a later format, damaged, too large, or not as it was written
 */
export function openCasePackage(
  source: AsyncIterable<Uint8Array>,
  receiver: IdentityKeys['receiving'],
  most: number,
): Promise<OpenedCase> {
  return orRefused(async () => {
    const container = await openContainer(source, receiver, { label: LABEL, format: FORMAT });
    let facts: Head | undefined;
    let bytes = 0;
    const contents = new Map<string, Uint8Array>();
    for await (const file of container.files()) {
      // A folder that is sent within a setting opens within the same one, so the head does not count.
      const isHead = facts === undefined && file.name === HEAD;
      if (!isHead) requireRoom((bytes += file.size), most);
      const content = await wholeOf(file.content);
      if (isHead) facts = head.parse(JSON.parse(content.toString()));
      else if (file.name === CONTENTS + nameOf(content)) contents.set(nameOf(content), content);
      else throw new Malformed();
    }
    if (facts === undefined) throw new Malformed();
    const { auditKey, examinations, photos, sender, ...rest } = facts;
    const signingKey = Buffer.from(sender.signingKey, 'base64');
    const { receiver: named } = caseManifest.parse(container.manifest.fields);
    const isForThisOne = Buffer.from(named, 'base64').equals(receiver.publicKey);
    if (!isForThisOne || !container.manifest.isSignedBy(ed25519PublicKey(signingKey)))
      throw new CodedError(problem('PACKAGE_SIGNATURE_WRONG'));
    requireWhole(facts, contents);
    const filled = ({ content, ...of }: z.infer<typeof picture>) => ({
      ...of,
      content: content === undefined ? undefined : contents.get(content),
    });
    return {
      ...{ ...rest, contents, sender: { ...sender, signingKey }, auditKey: Buffer.from(auditKey, 'base64') },
      photos: new Map(photos.map(([face, photo]) => [face, filled(photo)])),
      examinations: examinations.map((each) => ({ ...each, pictures: each.pictures.map(filled) })),
    };
  });
}

/** @throws {CodedError} CASE_FOLDER_CHANGED: names the first entry that is not in the chain, or does not hold what the chain has the hash of */
function requireWhole({ auditKey, chain, company, folder }: Head, contents: ReadonlyMap<string, Uint8Array>) {
  const publicKey = Buffer.from(auditKey, 'base64');
  const place = { company: company.id, id: trusted.caseFolder(folder.id) };
  const bad = firstBadEntry(CRYPTO, place, chain, folder.newestHash, (message, signature) =>
    ed25519Verifies(publicKey, Buffer.from(message), signature),
  );
  const unlike = folder.entries.find((entry, index) => {
    const { at, digest, kind, target } = chain[index] ?? {};
    const isChained = entry.kind === kind && entry.digest === digest && entry.target === target;
    return !isChained || Date.parse(entry.at) !== at || !isWhole(entry, contents);
  });
  const end = folder.entries.length;
  const position = folder.firstBad ?? bad ?? unlike?.position ?? (end < chain.length ? end + 1 : undefined);
  if (position !== undefined) throw new CodedError(problem('CASE_FOLDER_CHANGED', { position }));
}

/** Whether an entry that still holds something holds what its digest is of, and says what stands there. */
function isWhole(
  { digest, kind, state, text }: CaseEntry,
  contents: ReadonlyMap<string, Uint8Array>,
): boolean {
  if (state !== 'kept') return state !== 'changed';
  const content = digest === null ? undefined : contents.get(digest);
  if (content === undefined) return false;
  if (kind === 'probe' || kind === 'candidate' || kind === 'examination' || kind === 'file') return true;
  return caseContent.parse(JSON.parse(Buffer.from(content).toString())).text === text;
}
