/** Exchange of blacklists between installations: an installation's public certificate, what an import would change, what it did. */
import { z } from 'zod';
import { faceListing } from './faceListing.ts';
import { displayLine } from './displayLine.ts';
import { get, poll, post, put, remove } from './dashboard/operation.ts';

/** 32 bytes as base64. */
const key = z.base64().length(44);

export const installationName = displayLine(100).min(1);

/** The public certificate of an installation, as a file. It has no secret; its fingerprint identifies the sender. */
export const installationCertificate = z.object({
  kind: z.literal('vouch installation certificate'),
  version: z.literal(1),
  name: installationName,
  /** Ed25519: what the installation signs with. */
  signingKey: key,
  /** X25519: what is sealed for the installation. */
  receivingKey: key,
  /** Ed25519 over the rest, so that one installation's signing key cannot be shown with another's receiving key. */
  signature: z.base64(),
});
export type InstallationCertificate = z.infer<typeof installationCertificate>;

export const installationView = z.object({
  name: z.string(),
  /** Eight groups of four hexadecimal digits; what two people read to each other. */
  fingerprint: z.string(),
  certificate: installationCertificate,
});
export type InstallationView = z.infer<typeof installationView>;

export const trustedInstallationView = z.object({
  id: z.number().int(),
  name: z.string(),
  fingerprint: z.string(),
  trustedAt: z.iso.datetime(),
});
export type TrustedInstallationView = z.infer<typeof trustedInstallationView>;
export const trustedInstallationList = z.object({ items: z.array(trustedInstallationView) });

/** Trusting an installation: its certificate, and the fingerprint that its people read out, as it was heard. */
export const installationTrust = z.object({
  certificate: installationCertificate,
  /** The name that the company gave it; absent: its own name. */
  name: installationName.optional(),
  fingerprint: z.string().trim().min(1).max(100),
});
export type InstallationTrust = z.infer<typeof installationTrust>;

/** `POST /blacklists/{id}/export`. */
export const listExport = z.object({ installation: z.number().int(), photos: z.boolean() });
/** Where an import goes; absent: the list of the last import of it, else a new one. */
export const importOrder = z.object({ into: z.coerce.number().int().positive().optional() });

/** The change that an import makes to a face. */
export const IMPORT_CHANGES = [
  /** It was not here. */
  'added',
  /** It is here under another name, and the installation that it comes from calls it so now. */
  'renamed',
  /** It is here as it is in the package. */
  'held',
  /** It came earlier, into another list of the company: it stays there. */
  'elsewhere',
  /** It comes from this very installation. */
  'own',
  /** It came with an earlier export of this list and is not in this one: it stays, and a person decides. */
  'gone',
] as const;
export type ImportChange = (typeof IMPORT_CHANGES)[number];

const counts = z.object(
  Object.fromEntries(IMPORT_CHANGES.map((change) => [change, z.number().int()])) as Record<
    ImportChange,
    z.ZodNumber
  >,
);

/**
 * Faces that stay listed as they are here, although the package lists them otherwise: an operator decides. `count` of all; `faces`:
 * the first of them.
 */
const listedOtherwise = z.object({
  count: z.number().int(),
  faces: z.array(
    z.object({
      faceId: z.number().int(),
      /** The blacklist here. */
      blacklistId: z.number().int(),
      name: z.string(),
      here: faceListing,
      there: faceListing,
    }),
  ),
});
export type ListedOtherwise = z.infer<typeof listedOtherwise>;

const target = z.object({
  /** null: a list that the import makes. */
  id: z.number().int().nullable(),
  name: z.string(),
});

/** The changes that an import would make. */
export const importPlan = z.object({
  sender: z.object({ id: z.number().int(), name: z.string(), fingerprint: z.string() }),
  exportedAt: z.iso.datetime(),
  list: z.object({ name: z.string(), description: z.string().nullable() }),
  target,
  counts,
  /** Faces to add that another pipeline described: they are described again from their photos. */
  reextracted: z.number().int(),
  /** Faces to add of which only the small picture is in the package. */
  withoutPhoto: z.number().int(),
  listedOtherwise,
  /** The first of those that change or are gone, by name. */
  examples: z.array(
    z.object({ change: z.enum(IMPORT_CHANGES), name: z.string(), before: z.string().nullable() }),
  ),
  /** This very package was imported already, as this import: nothing would change. */
  importedAs: z.number().int().nullable(),
});
export type ImportPlan = z.infer<typeof importPlan>;

/** A package that was received and waits for a decision; it is forgotten after an hour. */
export const receivedPackage = z.object({ packageId: z.uuid(), plan: importPlan });
export type ReceivedPackage = z.infer<typeof receivedPackage>;

/** How far an import is. */
export const importProgress = z.object({
  /** Faces that were read and written; when it is all of them, the one transaction that enters them is running. */
  done: z.number().int(),
  total: z.number().int(),
});

/** A package that waits, or is being imported. */
export const waitingPackage = receivedPackage.extend({
  since: z.iso.datetime(),
  /** null: no import is running. */
  progress: importProgress.nullable(),
});
export type WaitingPackage = z.infer<typeof waitingPackage>;
/** The one that has waited longest first. */
export const waitingPackageList = z.object({ items: z.array(waitingPackage) });

/** The changes that an import made. */
export const importResult = z.object({
  /** The import's number, with which it is undone; null: nothing changed. */
  id: z.number().int().nullable(),
  target: z.object({ id: z.number().int(), name: z.string() }),
  counts,
  /** Faces that were left out because the company's pipeline could not describe them, with the reason. */
  leftOut: z.array(z.object({ name: z.string(), reason: z.string() })),
  listedOtherwise,
});
export type ImportResult = z.infer<typeof importResult>;

/** An import that was made. */
export const importView = z.object({
  id: z.number().int(),
  sender: z.string(),
  blacklist: z.object({ id: z.number().int(), name: z.string().nullable() }),
  exportedAt: z.iso.datetime(),
  importedAt: z.iso.datetime(),
  added: z.number().int(),
  renamed: z.number().int(),
  /** Faces that are here through this import. */
  holds: z.number().int(),
  undoneAt: z.iso.datetime().nullable(),
});
export type ImportView = z.infer<typeof importView>;
export const importList = z.object({ items: z.array(importView) });

/** The changes that the undo of an import made. */
export const undoResult = z.object({
  removed: z.number().int(),
  renamedBack: z.number().int(),
  /** Faces that stay because a later import brought them too. */
  heldByOthers: z.number().int(),
  /** Faces that stay until the cases that name them are decided; undo again then. The first of them by name. */
  inReview: z.object({ count: z.number().int(), names: z.array(z.string()) }),
  list: z.enum(['stays', 'deleted', 'in-use', 'not-empty']),
});
export type UndoResult = z.infer<typeof undoResult>;

const byId = z.object({ id: z.coerce.number().int().min(1) });
const byPackage = z.object({ id: z.string() });
/** The dashboard's operations. */
export const transferApi = {
  imports: get('/blacklists/imports', 'blacklists:read', { answer: importList }),
  export: post('/blacklists/:id/export', 'blacklists:exchange', { params: byId, body: listExport }),
  installations: get('/installations', 'blacklists:read', { answer: trustedInstallationList }),
  ownInstallation: get('/installations/own', 'blacklists:read', { answer: installationView }),
  trust: post('/installations', 'blacklists:exchange', {
    body: installationTrust,
    answer: trustedInstallationView,
  }),
  distrust: remove('/installations/:id', 'blacklists:exchange', { params: byId }),
  packages: poll('/blacklists/packages', 'blacklists:read', { answer: waitingPackageList }),
  import: post('/blacklists/packages/:id/import', 'blacklists:exchange', {
    params: byPackage,
    body: importOrder,
    answer: importResult,
  }),
  discard: remove('/blacklists/packages/:id', 'blacklists:exchange', { params: byPackage }),
  undoPlan: get('/blacklists/imports/:id/undo', 'blacklists:read', { params: byId, answer: undoResult }),
  undo: post('/blacklists/imports/:id/undo', 'blacklists:exchange', { params: byId, answer: undoResult }),
  receive: post('/blacklists/packages', 'blacklists:exchange', {
    query: importOrder,
    answer: receivedPackage,
  }),
  renameInstallation: put('/local/installation-name', 'session', {
    body: z.object({ name: installationName }),
    answer: installationView,
  }),
};
