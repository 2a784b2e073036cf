import type {
  CopyPolicy,
  ErasureCandidate,
  ErasureChoice,
  ErasurePlan,
  ErasureReceipt,
  SignedReceipt,
} from '../../contracts/erasure.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { trusted, type CompanyId, type FaceId, type PipelineId } from '../../contracts/ids.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import { afterCommit, FOLLOWS } from '../work/afterCommit.ts';
import { templateFault } from '../recognition/faceValidation.ts';
import type { BlacklistTransferService } from '../blacklistTransfer/blacklistTransferService.ts';
import type { Platform } from '../ports/machine.ts';
import type { Recogniser } from '../ports/recognition.ts';
import type { Verifications } from '../screening/verifications.ts';
import { bandOf, DEFAULT_FMR, distanceAtFmr, similarityScore, distanceOf } from '../scores/scores.ts';
import { searchImage } from '../search/search.ts';
import { ERASURE, recordSearch, searchCoverage } from '../search/coverage.ts';
import type { PendingErasure, SimilarFace } from '../ports/erasure.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';
import type { Erasures } from '../../storage/erasure/erasures.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Storage } from '../../storage/index.ts';
import { Service, type Parts } from '../serviceParts.ts';

export interface ErasurePorts
  extends
    Pick<Parts, 'gallery' | 'vision'>,
    Pick<Storage, 'erasures' | 'blacklists' | 'faces'>,
    Pick<Platform, 'clock' | 'log'> {
  companies: Pick<Companies, 'find'>;
  audit: Pick<AuditLog, 'record'>;
  verifications: Pick<Verifications, 'runExclusive'>;
  blacklistTransfer: Pick<BlacklistTransferService, 'forgetWaiting'>;
}

/** Candidates that are shown. */
export const MAX_CANDIDATES = 50;

/** The use cases of erasure: find the stored records of a person, plan, erase, and verify the receipt. */
export class ErasureService extends Service<ErasurePorts> {
  /** The records of a choice, and candidates that might belong to the same person. @throws {CodedError} NOT_FOUND */
  async plan(company: CompanyId, choice: ErasureChoice): Promise<ErasurePlan> {
    const { sameFiles, samePersons, ...plan } = await this.ports.erasures.plan(company, choice);
    const similar = await this.#similar(
      company,
      plan.faces.map(({ id }) => trusted.face(id)),
    );
    const chosen = new Set([
      ...plan.validations.map(({ id }) => `validation ${id}`),
      ...plan.faces.map(({ id }) => `face ${id}`),
    ]);
    return { ...plan, candidates: without(chosen, [...samePersons, ...sameFiles, ...similar]) };
  }

  /** Enrolled faces that resemble those of a photo. @throws {CodedError} the photo cannot be used */
  async findByPhoto(company: CompanyId, photo: Uint8Array, act: AuditContext): Promise<ErasureCandidate[]> {
    const { watchlists, faces } = await searchCoverage(this.ports, company, ERASURE);
    const query = { groups: [watchlists], limit: MAX_CANDIDATES, fmr: DEFAULT_FMR };
    const result = await searchImage(this.ports, company, photo, query);
    await recordSearch(this.ports, act.by, company, { watchlists, faces, began: act.at });
    if (result.kind === 'refused') throw new CodedError(problem(result.code));
    const { calibration } = result.recogniser;
    const found = result.faces.flatMap(({ candidates }) =>
      candidates.map(({ faceId, distance }) => ({ faceId, distance })),
    );
    const hidden = await this.#unmatchable(company, result.recogniser, {
      probes: result.faces.map(({ face }) => face.template.vector),
      except: new Set(),
    });
    const nearest = [...found, ...hidden].toSorted((a, b) => a.distance - b.distance);
    const similar = nearest.slice(0, MAX_CANDIDATES * result.faces.length).map(({ faceId, distance }) => ({
      face: faceId,
      score: similarityScore(calibration, distance),
      band: bandOf(calibration, distance),
    }));
    return without(new Set(), await this.ports.erasures.ofFaces(company, similar));
  }

  /**
   * Erases what the plan of this code lists. The receipt is null when something keeps it from being finished at this
   * moment, such as a backup that is being made: its faces match no more, and the rest is tried again.
   * @throws {CodedError} NOT_FOUND; PLAN_CHANGED: the plan is a different one now
   */
  async run(
    company: CompanyId,
    wanted: { choice: ErasureChoice; code: string; copies: CopyPolicy },
    act: AuditContext,
  ): Promise<{ id: string; receipt: SignedReceipt | null }> {
    const { erasures, clock, log } = this.ports;
    await erasures.plan(company, wanted.choice);
    const { pending } = await this.#beginLocked(company, async () => ({
      pending: await erasures.begin(company, wanted.choice, wanted.code, act),
    }));
    await afterCommit(log, { company }, FOLLOWS.unfinished, () =>
      erasures.finish([pending], wanted.copies, () => clock.now()),
    );
    return { id: pending.id, receipt: (await erasures.receipt(company, pending.id)) ?? null };
  }

  /** Erases once more what a receipt of this installation says. @returns null: nothing of it is here */
  async again(receipt: ErasureReceipt, act: AuditContext): Promise<string | null> {
    const { erasures, clock, log } = this.ports;
    const { company } = receipt;
    const { pending } = await this.#beginLocked(company, async () => ({
      pending: await erasures.again(receipt, act),
    }));
    if (pending === undefined) return null;
    await afterCommit(log, { company }, FOLLOWS.unfinished, () =>
      erasures.finish([pending], 'keep', () => clock.now()),
    );
    return pending.id;
  }

  /** Erases what is due by a rule of retention; the caller finishes it. */
  beginDue(...wanted: Parameters<Erasures['beginDue']>): ReturnType<Erasures['beginDue']> {
    return this.#beginLocked(wanted[0], () => this.ports.erasures.beginDue(...wanted));
  }

  /**
   * Begins an erasure while no verification of the company is finalised or gets a selfie. After COMMIT the gallery
   * follows, and lists that wait for their import are forgotten.
   */
  async #beginLocked<Begun extends { pending?: PendingErasure | undefined }>(
    company: CompanyId,
    begin: () => Promise<Begun>,
  ): Promise<Begun> {
    const { verifications, gallery, blacklistTransfer, log } = this.ports;
    const begun = await verifications.runExclusive(company, async () => {
      const outcome = await begin();
      if (outcome.pending !== undefined) {
        const { faces } = outcome.pending;
        await afterCommit(log, { company, faces }, FOLLOWS.erased, () => gallery.remove(company, faces));
      }
      return outcome;
    });
    if (begun.pending !== undefined)
      await afterCommit(log, { company }, FOLLOWS.blacklistTransfer, () =>
        blacklistTransfer.forgetWaiting(company),
      );
    return begun;
  }

  /** Faces near those that would go, by the company's own pipeline. */
  async #similar(company: CompanyId, faces: readonly FaceId[]): Promise<ErasureCandidate[]> {
    const { vision, gallery, erasures, faces: store } = this.ports;
    const pipelineId = vision.pipelineOf(company);
    const calibration = vision.calibrationOf(company, pipelineId);
    // Without the pipeline nothing can be compared; the plan says what it knows by name and file.
    if (calibration === undefined || faces.length === 0) return [];
    const { watchlists } = await searchCoverage(this.ports, company, ERASURE);
    const found = new Map<FaceId, SimilarFace>();
    const note = (faceId: FaceId, distance: number) => {
      const score = similarityScore(calibration, distance);
      if (score > (found.get(faceId)?.score ?? -1))
        found.set(faceId, { face: faceId, score, band: bandOf(calibration, distance) });
    };
    const dimensions = (await store.dimensions()).get(pipelineId);
    const stored = [...(await store.vectors(company, pipelineId, faces)).values()];
    // A damaged template can be erased; it resembles no other.
    const probes = stored.filter((vector) => templateFault(vector, dimensions) === undefined);
    for (const vector of probes) {
      const near = await gallery.search(company, {
        probe: { pipelineId, vector },
        watchlists,
        limit: MAX_CANDIDATES,
        maxDistance: distanceAtFmr(calibration, DEFAULT_FMR),
        except: new Set(faces),
      });
      for (const { faceId, distance } of near) note(faceId, distance);
    }
    const hidden = await this.#unmatchable(
      company,
      { pipelineId, calibration },
      { probes, except: new Set(faces) },
    );
    for (const { faceId, distance } of hidden) note(faceId, distance);
    const ranked = [...found.values()].toSorted((a, b) => b.score - a.score);
    return erasures.ofFaces(company, ranked.slice(0, MAX_CANDIDATES));
  }

  /** Stored faces near the probes that no search finds. */
  async #unmatchable(
    company: CompanyId,
    { pipelineId, calibration }: Pick<Recogniser, 'pipelineId' | 'calibration'>,
    query: { probes: readonly Float32Array[]; except: ReadonlySet<FaceId> },
  ): Promise<{ faceId: FaceId; distance: number }[]> {
    const { erasures, clock } = this.ports;
    const maxDistance = distanceAtFmr(calibration, DEFAULT_FMR);
    const near = await nearUnmatchable({ erasures, now: clock.now() }, company, pipelineId, {
      ...query,
      maxDistance,
    });
    return [...near].map(([faceId, distance]) => ({ faceId, distance }));
  }
}

/** Each candidate once, by its first reason. */
function without(chosen: ReadonlySet<string>, candidates: readonly ErasureCandidate[]): ErasureCandidate[] {
  const seen = new Set(chosen);
  return candidates.filter(({ kind, id }) => {
    const key = `${kind} ${id}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * The stored faces near a probe that no search finds: of blacklists after their expiry, and of validations that are not
 * Verified. An erasure proposes all stored records of a person. They are compared one by one, page by page.
 * @param query the longest distance, and faces that are left out
 * @returns each face once, at its least distance
 */
async function nearUnmatchable(
  { erasures, now }: { erasures: Pick<Erasures, 'unmatchable'>; now: Date },
  company: CompanyId,
  pipeline: PipelineId,
  { probes, maxDistance, except }: Query,
): Promise<Map<FaceId, number>> {
  const found = new Map<FaceId, number>();
  const [first] = probes;
  if (first === undefined) return found;
  for await (const page of erasures.unmatchable(company, pipeline, now))
    for (const { faceId, vector } of page) {
      // A damaged template can be erased; it resembles no other.
      if (except.has(faceId) || templateFault(vector, first.length) !== undefined) continue;
      const distance = Math.min(...probes.map((probe) => distanceOf(probe, vector)));
      if (distance <= maxDistance) found.set(faceId, distance);
    }
  return found;
}

interface Query {
  /** Templates of the pipeline. */
  probes: readonly Float32Array[];
  maxDistance: number;
  except: ReadonlySet<FaceId>;
}
