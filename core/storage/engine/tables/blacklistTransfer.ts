/** Blacklists that other installations shared. */
import type { Generated } from 'kysely';
import type { BlacklistId, CompanyId, FaceId } from '../../../contracts/ids.ts';

interface TrustedInstallationTable {
  id: Generated<number>;
  company_id: CompanyId;
  name: string;
  /** The name in the form that is compared. */
  name_key: string;
  /** 32 raw bytes each. */
  signing_key: Uint8Array;
  receiving_key: Uint8Array;
  trusted_at: number;
}

interface BlacklistImportTable {
  id: Generated<number>;
  company_id: CompanyId;
  /** SHA-256 of the sender's signing key, hex. */
  sender: string;
  sender_name: string;
  origin_blacklist: number;
  /** The sender's name of the blacklist. */
  origin_blacklist_name: string;
  package_id: string;
  exported_at: number;
  imported_at: number;
  blacklist_id: BlacklistId;
  /** 1: the import created its blacklist. */
  created_blacklist: number;
  added: number;
  renamed: number;
  reverted_at: number | null;
}

/** Where an imported face comes from. */
interface ImportedFaceOriginTable {
  face_id: FaceId;
  company_id: CompanyId;
  origin_installation: string;
  origin_face: string;
}

/** An import references a face. The face is deleted with the last import that references it and was not reverted. */
interface ImportMembershipTable {
  import_id: number;
  face_id: FaceId;
  company_id: CompanyId;
  /** Null: the import did not rename it. */
  name_before: string | null;
  name_after: string | null;
}

export interface TransferTables {
  trusted_installation: TrustedInstallationTable;
  blacklist_import: BlacklistImportTable;
  imported_face_origin: ImportedFaceOriginTable;
  import_membership: ImportMembershipTable;
}
