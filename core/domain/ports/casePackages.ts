/** Case folders on their way to another installation. */
import type { CaseEntryKind } from '../../contracts/dashboard/caseFolders.ts';
import type { Examination } from '../../contracts/dashboard/examinations.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { CaseFolderReport } from './reports.ts';

/** The signed facts of an entry. Nothing in it is erased with a person. */
export interface ChainedEntry {
  /** 1, 2, 3 … without a gap. */
  position: number;
  kind: CaseEntryKind;
  /** Milliseconds since 1970 UTC. */
  at: number;
  actor: string;
  target: number | null;
  /** SHA-256 of what was put in, lowercase hex. */
  digest: string | null;
}

/** An entry as it is stored. */
export interface SignedEntry extends ChainedEntry {
  hash: string;
  /** Ed25519 over the message of this hash, lowercase hex. */
  signature: string;
}

/** The parts of a report that another installation has, too. */
type CaseReportParts = Pick<CaseFolderReport, 'folder' | 'photos' | 'rates'> & {
  examinations: readonly (Pick<CaseFolderReport['examinations'][number], 'pictures'> & {
    examination: Examination;
  })[];
};

/** The chain with what its entries hold. */
export interface CaseEvidence {
  chain: readonly SignedEntry[];
  /** Ed25519 key of the audit log (SubjectPublicKeyInfo), which signs the chain. */
  auditKey: Uint8Array;
  /** By their SHA-256, lowercase hex. */
  contents: ReadonlyMap<string, Uint8Array>;
}

export interface CasePackage extends CaseReportParts, CaseEvidence {
  company: { id: CompanyId; name: string };
}

export interface OpenedCase extends CasePackage {
  sender: { name: string; signingKey: Uint8Array };
  exportedAt: string;
}
