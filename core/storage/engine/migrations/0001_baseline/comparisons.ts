/** Comparisons of two images, signatures or faces, and of a signature with several known ones. The images are not kept, only the hashes of their files. */
export const comparisons: readonly string[] = [
  `create table comparison (
     id integer primary key autoincrement,
     company_id integer not null references company (id),
     subject text not null check (subject in ('signature', 'face')),
     template_id text not null,
     verification_id text not null,
     credential text not null,
     compared_at integer not null,
     similarity real,
     verdict text not null,
     reasons text not null,
     match_from real not null,
     possible_match_from real not null,
     model_version text not null,
     image1_sha256 text,
     image2_sha256 text,
     known text,
     check ((known is null) = (image1_sha256 is not null and image2_sha256 is not null))
   ) strict`,
  `create index comparison_recent on comparison (company_id, subject, id)`,
  `create index comparison_credential on comparison (company_id, subject, credential, id)`,
  `create index comparison_template on comparison (company_id, template_id, id)`,
  `create index comparison_verification on comparison (company_id, verification_id, id)`,
  `create index comparison_day on comparison (company_id, compared_at)`,

  // Error rates that were measured on the company's own signatures. The signatures are not kept.
  `create table signature_calibration (
     company_id integer not null references company (id) on delete cascade,
     model_version text not null,
     measured text not null,
     applied_at integer not null,
     primary key (company_id, model_version)
   ) strict, without rowid`,
];
