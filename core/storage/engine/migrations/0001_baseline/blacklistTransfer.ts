/**
 * Blacklists that were shared by other installations: the installations that a company trusts, the imports, the origin of
 * every imported face, and the imports that reference it. A face's names are deleted with the face.
 */
export const blacklistTransfer: readonly string[] = [
  `create table trusted_installation (
     id integer primary key autoincrement,
     company_id integer not null references company (id),
     name text not null,
     name_key text not null,
     signing_key blob not null,
     receiving_key blob not null,
     trusted_at integer not null
   ) strict`,
  `create unique index trusted_installation_key on trusted_installation (company_id, signing_key)`,
  `create unique index trusted_installation_name on trusted_installation (company_id, name_key)`,

  `create table blacklist_import (
     id integer primary key autoincrement,
     company_id integer not null references company (id),
     sender text not null,
     sender_name text not null,
     origin_blacklist integer not null,
     origin_blacklist_name text not null,
     package_id text not null,
     exported_at integer not null,
     imported_at integer not null,
     blacklist_id integer not null,
     created_blacklist integer not null,
     added integer not null,
     renamed integer not null,
     reverted_at integer
   ) strict`,
  `create index blacklist_import_origin on blacklist_import (company_id, sender, origin_blacklist, exported_at)`,

  `create table imported_face_origin (
     face_id integer primary key references face (id) on delete cascade,
     company_id integer not null,
     origin_installation text not null,
     origin_face text not null
   ) strict`,
  `create unique index imported_face_origin_face
   on imported_face_origin (company_id, origin_installation, origin_face)`,

  `create table import_membership (
     import_id integer not null references blacklist_import (id),
     face_id integer not null references face (id) on delete cascade,
     company_id integer not null,
     name_before text,
     name_after text,
     primary key (import_id, face_id)
   ) strict, without rowid`,
  `create index import_membership_face on import_membership (face_id)`,
];
