/** Companies: every other record belongs to one of them. */
export const companies: readonly string[] = [
  `create table company (
     id integer primary key autoincrement,
     name text not null unique,
     storage_folder text,
     settings text not null,
     created_at integer not null
   ) strict`,
];
