import type { HeldRetention } from '../../contracts/retention.ts';
import type { AuditAction, AuditOutcome, AuditAnchor, AuditFilter } from '../../contracts/audit.ts';
import type { Scope, SCORE_BANDS, UploadKind } from '../../contracts/codes.ts';
import type { DuplicateRunMode, DuplicateRunState } from '../../contracts/dashboard/duplicates.ts';
import type { CaseEntryKind } from '../../contracts/dashboard/caseFolders.ts';
import type { Conclusion, ExaminationStep } from '../../contracts/dashboard/examinations.ts';
import type { SearchView } from '../../contracts/dashboard/searchView.ts';
import type { Verdict } from '../../contracts/signatures.ts';
import type { OperatorRole } from '../../contracts/dashboard/session.ts';
import type { CompanyId, UploadId } from '../../contracts/ids.ts';
import type { CompanySettings, SettingWord, InstallationSettings } from '../../contracts/settings.ts';
import type { DecisionKind } from './persons.ts';
import type { SettingField } from '../settings/change.ts';
import type { ExportKind } from '../../contracts/dashboard/lists.ts';

/** The only words that facts are made of: none that was typed. */
type AuditDetailValue =
  | OperatorRole
  | Scope
  | UploadKind
  | SettingField<CompanySettings>
  | SettingField<InstallationSettings>
  | SettingWord
  | 'text'
  | ExportKind
  | 'storageFolder'
  | 'name'
  | 'changed'
  | 'reset'
  | 'added'
  | 'bearer'
  | 'hmac'
  | 'search'
  | 'postgresql'
  | 'sqlite'
  | (typeof SCORE_BANDS)[number]
  | DuplicateRunMode
  | DuplicateRunState
  | DecisionKind
  | ExaminationStep['step']
  | CaseEntryKind
  | Conclusion
  | SearchView['list']
  | HeldRetention['reason']
  | Verdict;
/** A failed photo: its upload and its place there. */
export type PhotoReference = `${UploadId}:${number}`;
/** SHA-256 of an entry of a case folder, lowercase hex. */
export type CaseEntryHash = `sha256:${string}`;
type AuditValue = number | boolean | null | AuditDetailValue | PhotoReference | CaseEntryHash;
type AuditFact = AuditValue | readonly AuditValue[];

/** A new entry, before it has its place in the log. */
export interface NewAuditEntry {
  /** null: of the installation, not of one company. */
  company: CompanyId | null;
  action: AuditAction;
  object: `${string}:${number | string}` | null;
  outcome?: AuditOutcome;
  details?: Readonly<Record<string, AuditFact>>;
}

/** An entry as it is stored. */
export interface AuditEntry {
  /** 1, 2, 3 … without a gap. */
  sequence: number;
  /** Milliseconds since 1970 UTC. */
  at: number;
  company: CompanyId | null;
  actor: string;
  action: string;
  object: string | null;
  outcome: string;
  /** JSON, to the byte as it was hashed. */
  details: string;
}

/** The newest entry of a log: its hash shows whether any earlier entry was changed. */
export interface AuditHead {
  sequence: number;
  hash: Uint8Array;
  /** Ed25519 over {@link headMessage}. */
  signature: Uint8Array;
}

// The audit log as the rules see it. Changes record themselves, in their own transaction (storage).

/** A filter whose object is resolved. */
export type AuditEntryFilter = Omit<AuditFilter, 'object'> & {
  /** Objects such as `face:7`, or a kind alone. */
  objects?: readonly string[];
  /** One of several actions. */
  actions?: readonly AuditAction[];
  /** With the installation's own entries. */
  installation?: true;
};

/** The anchors of one file outside the database. */
export interface KeptAnchors {
  /** The file, as messages name it. */
  file: string;
  /** In the order in which they were written: numbers never fall. */
  anchors: readonly AuditAnchor[];
  /** Lines of the file, from 1, that are no anchor (any more), with the entry that the anchor before it covers; 0: none. */
  damaged: readonly { line: number; after: number }[];
}
