/** The table of the services that share one PostgreSQL database. SQLite has one service and no such table. */
export const nodes: readonly string[] = [
  `create table node (
     name text collate "C" primary key,
     role text collate "C" not null,
     version text collate "C" not null,
     address text collate "C",
     started_at bigint not null,
     seen_at bigint not null,
     draining bigint not null,
     leads bigint not null,
     answered bigint not null,
     stopped bigint not null default 0
   )`,
];
