import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import type { Database } from '../engine/database.ts';
import { sampledImages } from '../images/imageContents.ts';
import type { StorageFolders } from '../images/storageFolders.ts';
import { rowsWith } from '../engine/rows.ts';

/** Images of a sample: places at random, and from each the next rows, which an index finds. */
const PLACES = 20;
const AT_EACH = 8;

export class ImageSamples {
  readonly #db: Database;
  readonly #folders: StorageFolders;

  constructor(db: Database, folders: StorageFolders) {
    this.#db = db;
    this.#folders = folders;
  }

  /** Draws images of a company at random, at most some hundred, and looks for their files. Reads no file. */
  async withoutFile(company: CompanyId): Promise<{ sampled: number; missing: number }> {
    const place = await this.#folders.ready(company);
    let sampled = 0;
    let missing = 0;
    for await (const id of sampledImages(this.#db, company, { places: PLACES, atEach: AT_EACH })) {
      sampled += 1;
      if (!(await place.has(id)) && (await this.#isKnown(company, id))) missing += 1;
    }
    return { sampled, missing };
  }

  /** An image that was erased since it was drawn has no file either. */
  async #isKnown(company: CompanyId, id: ImageId): Promise<boolean> {
    const images = rowsWith(this.#db, 'image', { company_id: company }).select('id');
    return (await images.where('id', '=', id).executeTakeFirst()) !== undefined;
  }
}
