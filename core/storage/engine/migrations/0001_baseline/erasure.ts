/** Erasures with their receipts, and the clock check of automatic retention. */
export const erasure: readonly string[] = [
  // Contains ids, hashes and counts only. `images` lists the files that an unfinished erasure still has to remove.
  `create table erasure (
     id text primary key,
     company_id integer not null references company (id),
     at integer not null,
     receipt text not null,
     signature blob,
     images text
   ) strict`,
  `create index erasure_company on erasure (company_id, at)`,

  // The last time at which the system clock was plausible, by company.
  `create table retention_check (
     company_id integer primary key references company (id),
     at integer not null,
     boot text not null,
     uptime integer not null,
     confirmed integer not null
   ) strict`,
];
