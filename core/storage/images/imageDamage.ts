import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { Database } from '../engine/database.ts';
import { faceOf } from './imageContents.ts';
import type { AuditLog } from '../audit/auditLog.ts';

/** An image is recorded once in this time, however often it is looked at; milliseconds. */
const AGAIN_AFTER = 24 * 60 * 60_000;
/** Images that are recorded in that time: a folder that was swapped as a whole does not fill the log. */
const MAX_RECORDED = 1000;

/** Records damaged images in the audit log. */
export class ImageDamage {
  readonly #db: Database;
  readonly #audit: Pick<AuditLog, 'record'>;
  readonly #clock: Clock;
  /** When an image was recorded, oldest first. */
  readonly #recorded = new Map<ImageId, number>();

  constructor(db: Database, audit: Pick<AuditLog, 'record'>, clock: Clock) {
    this.#db = db;
    this.#audit = audit;
    this.#clock = clock;
  }

  async report(company: CompanyId, image: ImageId): Promise<void> {
    const at = this.#clock.now();
    for (const [id, before] of this.#recorded)
      if (Math.abs(at.getTime() - before) >= AGAIN_AFTER) this.#recorded.delete(id);
    if (this.#recorded.has(image) || this.#recorded.size >= MAX_RECORDED) return;
    this.#recorded.set(image, at.getTime());
    const { face } = await faceOf(this.#db, company, image);
    const object = face === null ? null : (`face:${face}` as const);
    await this.#audit.record({ by: 'service', at }, { company, action: 'image.damaged', object });
  }
}
