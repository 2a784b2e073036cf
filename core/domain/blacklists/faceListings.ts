import {
  faceListingEdit,
  hasExpired,
  newListing,
  type FaceListing,
  type FaceListingEdit,
} from '../../contracts/faceListing.ts';
import { InvalidInput, checked, problem } from '../../contracts/errors/problem.ts';
import type { BlacklistId, CompanyId, FaceId } from '../../contracts/ids.ts';
import { afterCommit, FOLLOWS } from '../work/afterCommit.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { GalleryPort } from '../ports/gallery.ts';
import type { RecognitionPort } from '../ports/recognition.ts';
import type { Faces } from '../../storage/faces/faces.ts';
import type { MatchableChange } from '../ports/screening.ts';
import { Service, type Parts } from '../serviceParts.ts';

interface FaceListingPorts extends Pick<Parts, 'faceListings' | 'clock' | 'log'> {
  faces: Pick<Faces, 'these'>;
  gallery: Pick<GalleryPort, 'append' | 'remove'>;
  vision: Pick<RecognitionPort, 'pipelineOf'>;
}

/** Faces of one transaction. */
const BATCH_SIZE = 500;

/**
 * Reads what an operator entered for new or listed faces.
 * @param fields severity, reason, expiry; all optional
 * @param now an expiry must lie after it
 * @throws {InvalidInput} one of the fields is invalid, or the expiry is past
 */
export function readListingEdit(fields: unknown, now: Date): { edit: FaceListingEdit; listing: FaceListing } {
  const edit = checked(faceListingEdit, fields);
  const listing = newListing(edit);
  if (hasExpired(listing, now)) throw new InvalidInput({ expiresAt: [problem('ALREADY_EXPIRED')] });
  return { edit, listing };
}

/** Changes severity, reason, expiry and list of faces in blacklists, and keeps the gallery in step with the clock. */
export class FaceListingService extends Service<FaceListingPorts> {
  /** One commit and what follows it at a time, or a late step could undo the one after it. */
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param name a new name of the faces; absent: each keeps its name
   * @returns how the faces are listed now; faces that are not in the list are left out
   * @throws {InvalidInput} one of the fields is invalid, or the expiry is past
   */
  async change(
    company: CompanyId,
    target: { list: BlacklistId; faces: readonly FaceId[] },
    fields: unknown,
    by: Actor,
    name?: string,
  ): Promise<{ faceId: FaceId; listing: FaceListing }[]> {
    const { faceListings, clock } = this.ports;
    const { edit } = readListingEdit(fields, clock.now());
    return this.#inTurn(async () => {
      const at = clock.now();
      const changed = await faceListings.change(
        company,
        target.list,
        target.faces,
        { ...edit, name },
        { by, at },
      );
      const matching = changed.filter(({ listing }) => !hasExpired(listing, at));
      await this.#followInMemory({
        ended: [],
        resumed: [{ company, faces: matching.map(({ faceId }) => faceId) }],
      });
      return changed;
    });
  }

  /**
   * Moves faces to another blacklist. From its end on they match there alone; at no time do they match in neither.
   * @returns the faces that were in `from` @throws {CodedError} NOT_FOUND, BLACKLIST_INACTIVE: the list `to`
   */
  async move(
    company: CompanyId,
    lists: { from: BlacklistId; to: BlacklistId },
    faces: readonly FaceId[],
    by: Actor,
  ): Promise<FaceId[]> {
    const { faceListings, clock } = this.ports;
    return this.#inTurn(async () => {
      const moved = await faceListings.move(company, lists, faces, { by, at: clock.now() });
      await this.#followMove(company, moved);
      return moved;
    });
  }

  /** Takes faces whose time is over out of the gallery; faces whose time a corrected clock gave back match again. */
  async follow(): Promise<void> {
    const { faceListings, clock } = this.ports;
    const step = async () => {
      const changes = await faceListings.follow(clock.now(), BATCH_SIZE);
      await this.#followInMemory(changes);
      return changes.ended.length + changes.resumed.length > 0;
    };
    while (await this.#inTurn(step));
  }

  async #followMove(company: CompanyId, moved: readonly FaceId[]): Promise<void> {
    const { gallery, faces, vision, log } = this.ports;
    await afterCommit(log, { company, faces: moved }, FOLLOWS.listed, async () => {
      for await (const entries of faces.these(company, vision.pipelineOf(company), moved)) {
        gallery.remove(
          company,
          entries.map(({ faceId }) => faceId),
        );
        gallery.append(company, entries);
      }
      await this.#removeErased(company, moved);
    });
  }

  /** A face that was erased in the meantime must not stay in memory. */
  async #removeErased(company: CompanyId, ids: readonly FaceId[]): Promise<void> {
    const { gallery, faces, vision } = this.ports;
    const gone = new Set(ids);
    for await (const entries of faces.these(company, vision.pipelineOf(company), ids))
      for (const { faceId } of entries) gone.delete(faceId);
    if (gone.size > 0) gallery.remove(company, [...gone]);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #followInMemory({
    ended,
    resumed,
  }: {
    ended: readonly MatchableChange[];
    resumed: readonly MatchableChange[];
  }): Promise<void> {
    const { gallery, faces, vision, log } = this.ports;
    for (const { company, faces: gone } of ended)
      await afterCommit(log, { company, faces: gone }, FOLLOWS.listed, () => gallery.remove(company, gone));
    for (const { company, faces: back } of resumed)
      await afterCommit(log, { company, faces: back }, FOLLOWS.listed, async () => {
        const ids = back.toSorted((a, b) => a - b);
        const pipeline = vision.pipelineOf(company);
        for await (const entries of faces.these(company, pipeline, ids)) gallery.append(company, entries);
        await this.#removeErased(company, ids);
      });
  }
}
