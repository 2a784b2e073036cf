/** Lists that come from other sites. */
import type { Generated } from 'kysely';
import type { BlacklistId, CompanyId, FaceId } from '../../../contracts/ids.ts';

interface TrustedSiteTable {
  id: Generated<number>;
  company_id: CompanyId;
  name: string;
  /** The name as it is compared. */
  name_key: string;
  /** 32 raw bytes each. */
  signing_key: Uint8Array;
  receiving_key: Uint8Array;
  trusted_at: number;
}

interface ListImportTable {
  id: Generated<number>;
  company_id: CompanyId;
  /** SHA-256 of the sender's signing key, hex. */
  sender: string;
  sender_name: string;
  origin_list: number;
  /** What the sender called the list. */
  origin_list_name: string;
  bundle_id: string;
  exported_at: number;
  imported_at: number;
  blacklist_id: BlacklistId;
  /** 1: the import made its list. */
  made_list: number;
  added: number;
  renamed: number;
  undone_at: Generated<number | null>;
}

/** A face that came from another site. */
interface ImportedFaceTable {
  face_id: FaceId;
  company_id: CompanyId;
  origin_site: string;
  origin_face: string;
}

/** A face that an import holds: it goes when no import that was not taken back holds it any more. */
interface ListImportFaceTable {
  import_id: number;
  face_id: FaceId;
  company_id: CompanyId;
  /** Null: the import did not rename it. */
  name_before: string | null;
  name_after: string | null;
}

export interface TransferTables {
  trusted_site: TrustedSiteTable;
  list_import: ListImportTable;
  imported_face: ImportedFaceTable;
  list_import_face: ListImportFaceTable;
}
