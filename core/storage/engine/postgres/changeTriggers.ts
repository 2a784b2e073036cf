/** Triggers by which PostgreSQL reports what a transaction changed, with its COMMIT. */
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { CHANGE_TOPICS, type ChangeTopic, reportsToAllCompanies, TOPICS_OF_TABLES } from '../changes.ts';
import type { CompanyId } from '../../../contracts/ids.ts';
import type { Schema } from '../schema.ts';

/** The channel of the notifications. */
export const CHANNEL = 'vouch_change';

/** Creates the triggers of this version, unless the database has them. */
export async function installChangeTriggers(db: Kysely<Schema>): Promise<void> {
  const { script, version } = changeTriggers();
  if ((await installedVersion(db)) === version) return;
  await db.transaction().execute(async (trx) => {
    // Of services that start together, one creates them.
    await sql.raw(`lock table installation_settings in share row exclusive mode`).execute(trx);
    if ((await installedVersion(trx)) === version) return;
    for (const statement of script) await sql.raw(statement).execute(trx);
    await sql.raw(`comment on table installation_settings is '${version}'`).execute(trx);
  });
}

/** Whether the database has the triggers of this version. */
export async function hasChangeTriggers(db: Kysely<Schema>): Promise<boolean> {
  return (await installedVersion(db)) === changeTriggers().version;
}

function changeTriggers(): { script: string[]; version: string } {
  const script = Object.entries(TOPICS_OF_TABLES)
    .filter(([, topics]) => Object.keys(topics).length > 0)
    .map(([table, topics]) => triggerOf(table as keyof Schema, topics));
  return { script, version: createHash('sha256').update(script.join()).digest('hex') };
}

async function installedVersion(db: Kysely<Schema>): Promise<string | null | undefined> {
  const { rows } = await sql<{ version: string | null }>`
    select obj_description('installation_settings'::regclass) as version`.execute(db);
  return rows[0]?.version;
}

/** One trigger reports all topics of a table. PostgreSQL sends equal notifications of a transaction once. */
function triggerOf(table: keyof Schema, topics: Partial<Record<ChangeTopic, string>>): string {
  const company = reportsToAllCompanies(table) ? `''` : 'changed.company_id';
  const notes = Object.entries(topics).map(
    ([topic, shown]) =>
      `if ${shown.replaceAll('row.', 'changed.')} then perform pg_notify('${CHANNEL}', '${topic}:' || ${company}); end if;`,
  );
  return `create or replace function ${table}_changed() returns trigger language plpgsql as $$
    declare changed ${table};
    begin
      if tg_op = 'DELETE' then changed := old; else changed := new; end if;
      ${notes.join('\n      ')}
      return null;
    end $$;
    create or replace trigger ${table}_changed after insert or update or delete on ${table}
    for each row execute function ${table}_changed();`;
}

/** Reads a notification; undefined: it is of another version or another program. */
export function readNotification(
  payload: string | undefined,
): { topic: ChangeTopic; company: CompanyId | null } | undefined {
  const [name, company] = (payload ?? '').split(':');
  const topic = CHANGE_TOPICS.find((each) => each === name);
  if (topic === undefined || company === undefined) return undefined;
  return { topic, company: company === '' ? null : (Number(company) as CompanyId) };
}
