import type Sqlite from 'better-sqlite3-multiple-ciphers';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Schema } from './schema.ts';
import { EVENT_TOPICS } from '../../contracts/dashboard/work.ts';

// Which pages of the dashboard a committed change concerns.

/** `access`: sessions and operators, which no page follows. */
export const CHANGE_TOPICS = [...EVENT_TOPICS, 'access'] as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];

/**
 * The topics whose pages show rows of a table. The value is the SQL condition under which a row is shown there; `row` stands
 * for the row. A table that no page follows has no topic. The type demands an entry for each table.
 */
export const TOPICS_OF_TABLES: Record<keyof Schema, Partial<Record<ChangeTopic, string>>> = {
  enrolment_run: { uploads: 'true' },
  upload: { uploads: 'true' },
  upload_item: { queue: 'true', uploads: 'true' },
  image: {},
  face: { blacklists: "row.kind = 'blacklist'" },
  // During ordinary enrolment no page shows templates. During a migration they are its progress.
  template: { pipelines: 'exists (select 1 from template_migration where company_id = row.company_id)' },
  face_thumbnail: {},
  gallery_snapshot: {},
  duplicate_run: { duplicates: 'true' },
  // Their run follows each portion, and the groups follow their pairs.
  compared_face: {},
  near_pair: {},
  person_decision: { duplicates: 'true' },
  person_decision_face: {},
  person: { persons: 'true' },
  person_face: { persons: 'true' },
  person_former_face: {},
  signature_specimen: { persons: 'true' },
  examination: { duplicates: 'true' },
  case_folder: { duplicates: 'true' },
  case_entry: { duplicates: 'true' },
  duplicate_group: { duplicates: 'true' },
  duplicate_group_face: {},
  face_to_group: { duplicates: 'true' },
  duplicate_grouping: {},
  trust_validation: { validations: 'true' },
  validation_history: { validations: 'true' },
  screening: { validations: 'true' },
  screening_match: { validations: 'true' },
  blacklist: { blacklists: 'true' },
  blacklist_import: { blacklists: 'true' },
  import_membership: {},
  imported_face_origin: {},
  trust_flow: { flows: 'true' },
  trust_flow_version: { flows: 'true' },
  comparison: { signatures: 'true' },
  signature_calibration: { signatures: 'true' },
  active_pipeline: { pipelines: 'true' },
  template_migration: { pipelines: 'true' },
  extraction_failure: { pipelines: 'true' },
  pipeline_shape: {},
  company_calibration: { pipelines: 'true' },
  // The settings of the installation hold whether the queue is paused.
  installation_settings: { queue: 'true' },
  company: {},
  operator: { access: 'true' },
  operator_appearance: {},
  operator_session: { access: 'true' },
  operator_recovery_code: {},
  sign_in_attempt: {},
  api_token: {},
  hmac_key: {},
  replay_nonce: {},
  trusted_installation: {},
  audit_entry: {},
  audit_head: {},
  audit_key: {},
  erasure: {},
  row_total: {},
  retention_check: {},
  installation_key: {},
  network_listener: {},
  backup_run: { queue: 'true' },
  mosip_connection: {},
  mosip_answer: {},
  backup_schedule: { queue: 'true' },
};

/** Tables of the installation. A change of their rows is reported to every company. */
const OF_ALL_COMPANIES: ReadonlySet<keyof Schema> = new Set<keyof Schema>([
  'installation_settings',
  'backup_run',
  'backup_schedule',
]);

/** Whether a change of a table's rows is reported to every company. */
export function reportsToAllCompanies(table: keyof Schema): boolean {
  return OF_ALL_COMPANIES.has(table);
}

/** The SQL function that the triggers call. */
const NOTE = 'note_change';

type Listener = (topics: ReadonlySet<ChangeTopic>) => void;

/**
 * Collects what a transaction changes and reports it after its COMMIT. The triggers that collect belong to the connection
 * (`temp`), not to the file. They also see rows that a foreign key or a raw statement changes.
 */
export class ChangeFeed {
  readonly #listeners = new Map<symbol, { company: CompanyId; listener: Listener }>();
  /** Of the transaction that is open; null: every company. */
  #noted = new Map<CompanyId | null, Set<ChangeTopic>>();
  #isScheduled = false;

  /** Begins to collect on a connection whose tables exist. */
  watch(database: Sqlite): void {
    database.function(NOTE, (topic: ChangeTopic, company: CompanyId | null) => {
      this.note(topic, company);
    });
    for (const [table, topics] of Object.entries(TOPICS_OF_TABLES) as [keyof Schema, object][])
      for (const [topic, shown] of Object.entries(topics) as [ChangeTopic, string][])
        for (const [event, row] of [
          ['insert', 'new'],
          ['update', 'new'],
          ['delete', 'old'],
        ] as const) {
          const company = OF_ALL_COMPANIES.has(table) ? 'null' : `${row}.company_id`;
          database.exec(
            `create temp trigger ${table}_${topic}_${event} after ${event} on main.${table}
             when ${shown.replaceAll('row.', `${row}.`)}
             begin select ${NOTE}('${topic}', ${company}); end`,
          );
        }
  }

  /**
   * Calls the listener after each COMMIT that changed rows of the company, or rows of the whole installation, which a topic
   * stands for. A transaction that was rolled back is not reported. The listener runs after the writer has its result, so
   * an error in the listener cannot look like a failed write.
   * @returns ends the subscription
   */
  subscribe(company: CompanyId, listener: Listener): () => void {
    const key = Symbol();
    this.#listeners.set(key, { company, listener });
    return () => {
      this.#listeners.delete(key);
    };
  }

  /** After a COMMIT: reports what was collected. */
  publish(): void {
    if (this.#noted.size === 0) return;
    const noted = this.#noted;
    this.#noted = new Map();
    const everywhere = noted.get(null) ?? [];
    for (const { company, listener } of this.#listeners.values()) {
      const topics = new Set([...everywhere, ...(noted.get(company) ?? [])]);
      if (topics.size > 0)
        queueMicrotask(() => {
          listener(topics);
        });
    }
  }

  /** Reports what was collected after the other notifications that have arrived already. */
  publishSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.publish();
    });
  }

  /** Reports every topic to every company: changes may have been missed. */
  publishAll(): void {
    for (const topic of CHANGE_TOPICS) this.note(topic, null);
    this.publish();
  }

  /** After a rollback. */
  discard(): void {
    this.#noted.clear();
  }

  /** Collects a change. @param company null: every company */
  note(topic: ChangeTopic, company: CompanyId | null): void {
    const topics = this.#noted.get(company) ?? new Set();
    this.#noted.set(company, topics.add(topic));
  }
}
