/**
 * Blacklists that were shared by other installations: the installations that a company trusts, the imports, the origin of
 * every imported face, and the imports that reference it. A face's names are deleted with the face.
 */
import { table, key, integer, text, blob } from '../table.ts';
import type { BlacklistId, CompanyId, FaceId } from '../../../../contracts/ids.ts';
export const blacklistTransfer = {
  trusted_installation: table({
    id: key(),
    company_id: integer<CompanyId>('references company (id)'),
    name: text(),
    /** The name in the form that is compared. */
    name_key: text(),
    /** 32 raw bytes each. */
    signing_key: blob(),
    receiving_key: blob(),
    trusted_at: integer(),
  }),
  blacklist_import: table({
    id: key(),
    company_id: integer<CompanyId>('references company (id)'),
    /** SHA-256 of the sender's signing key, hex. */
    sender: text(),
    sender_name: text(),
    origin_blacklist: integer(),
    /** The sender's name of the blacklist. */
    origin_blacklist_name: text(),
    package_id: text(),
    exported_at: integer(),
    imported_at: integer(),
    blacklist_id: integer<BlacklistId>(),
    /** 1: the import created its blacklist. */
    created_blacklist: integer(),
    added: integer(),
    renamed: integer(),
    reverted_at: integer.orNull(),
  }),
  /** Where an imported face comes from. */
  imported_face_origin: table({
    face_id: integer<FaceId>('primary key references face (id) on delete cascade'),
    company_id: integer<CompanyId>(),
    origin_installation: text(),
    origin_face: text(),
  }),
  /** An import references a face. The face is deleted with the last import that references it and was not reverted. */
  import_membership: table(
    {
      import_id: integer('references blacklist_import (id)'),
      face_id: integer<FaceId>('references face (id) on delete cascade'),
      company_id: integer<CompanyId>(),
      /** Null: the import did not rename it. */
      name_before: text.orNull(),
      name_after: text.orNull(),
    },
    ['primary key (import_id, face_id)'],
    'without rowid',
  ),
};

/** Indexes and triggers. */
export const blacklistTransferIndexes: readonly string[] = [
  `create unique index trusted_installation_key on trusted_installation (company_id, signing_key)`,
  `create unique index trusted_installation_name on trusted_installation (company_id, name_key)`,
  `create index blacklist_import_origin on blacklist_import (company_id, sender, origin_blacklist, exported_at)`,
  `create unique index imported_face_origin_face
   on imported_face_origin (company_id, origin_installation, origin_face)`,
  `create index import_membership_face on import_membership (face_id)`,
];
