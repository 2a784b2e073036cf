import { sql, type Kysely } from 'kysely';

/**
 * Exchange of blacklists: sites that a company trusts, imports, and of each face that came so where it comes from and
 * which imports hold it. What names a person goes with the face.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table trusted_site (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       name text not null,
       name_key text not null,
       signing_key blob not null,
       receiving_key blob not null,
       trusted_at integer not null
     ) strict`,
    `create unique index trusted_site_key on trusted_site (company_id, signing_key)`,
    `create unique index trusted_site_name on trusted_site (company_id, name_key)`,
    `create table list_import (
       id integer primary key autoincrement,
       company_id integer not null references company (id),
       sender text not null,
       sender_name text not null,
       origin_list integer not null,
       origin_list_name text not null,
       bundle_id text not null,
       exported_at integer not null,
       imported_at integer not null,
       blacklist_id integer not null,
       made_list integer not null,
       added integer not null,
       renamed integer not null,
       undone_at integer
     ) strict`,
    `create index list_import_origin on list_import (company_id, sender, origin_list, exported_at)`,
    `create table imported_face (
       face_id integer primary key references face (id) on delete cascade,
       company_id integer not null,
       origin_site text not null,
       origin_face text not null
     ) strict`,
    `create unique index imported_face_origin on imported_face (company_id, origin_site, origin_face)`,
    `create table list_import_face (
       import_id integer not null references list_import (id),
       face_id integer not null references face (id) on delete cascade,
       company_id integer not null,
       name_before text,
       name_after text,
       primary key (import_id, face_id)
     ) strict, without rowid`,
    `create index list_import_face_face on list_import_face (face_id)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
