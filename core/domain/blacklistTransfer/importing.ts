import { CodedError } from '../../contracts/errors/problem.ts';
import { FAILURES } from '../../contracts/errors/failures.ts';
import { FACE_THUMBNAIL } from '../../contracts/faces.ts';
import type { ImportPlan, ImportResult } from '../../contracts/blacklistTransfer.ts';
import type { CompanyId, FaceId, ImageId } from '../../contracts/ids.ts';
import { afterCommit, FOLLOWS } from '../work/afterCommit.ts';
import { TemplateRefused } from '../recognition/faceValidation.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { WrittenImage } from '../ports/images.ts';
import { OutcomeUnknown, PipelineChanged } from '../ports/machine.ts';
import { classify, type ImportFrame, type PlanPorts, MAX_NAMES } from './planning.ts';
import type {
  IncomingFace,
  KnownFace,
  NewImport,
  OpenedPackage,
  PackagedFace,
} from '../ports/blacklistTransfer.ts';
import type { BlacklistTransferStore } from '../../storage/blacklistTransfer/store.ts';
import { oneChunk } from '../values/bytes.ts';
import { discardImages } from '../work/writtenImages.ts';
import type { Parts } from '../serviceParts.ts';

export type ImportPorts = PlanPorts & Pick<Parts, 'faces' | 'images' | 'gallery' | 'log'>;

/** The decision about each face of the package, in its order; undefined: the face is left out. */
type Decision =
  | { change: 'added'; image: WrittenImage; vector: Float32Array | undefined }
  | { change: 'renamed' | 'held'; known: KnownFace }
  | undefined;

/**
 * Takes a package in that was planned before. First every image is written, and every face of another pipeline
 * extracted; then one transaction refers to them all; then the gallery follows. Whatever ends it before the
 * transaction leaves image files that nothing refers to, and those are removed, at once or at the next start.
 * @param taken called for each face of the package that is ready to be entered
 * @throws {CodedError} the store is not any more as it was planned for
 */
export async function importList(
  ports: ImportPorts,
  company: CompanyId,
  {
    opened,
    frame,
    plan,
    taken,
  }: { opened: OpenedPackage; frame: ImportFrame; plan: ImportPlan; taken: () => void },
  act: AuditContext,
): Promise<ImportResult> {
  const prepared = new Preparation(ports, company, frame);
  const applied = await prepareAndApply(ports, company, { opened, frame, prepared, taken }, act).catch(
    async (error: unknown) => {
      if (!(error instanceof OutcomeUnknown)) await prepared.discard();
      throw error;
    },
  );
  await afterCommit(ports.log, { company, import: applied.id }, FOLLOWS.imported, () =>
    show(ports, company, frame, applied),
  );
  const counts = { ...plan.counts, added: prepared.added };
  const target = { id: applied.blacklistId, name: frame.target.name };
  const { listedOtherwise } = plan;
  return { id: applied.id, target, counts, leftOut: prepared.leftOut, listedOtherwise };
}

async function prepareAndApply(
  { vision, transferStore }: ImportPorts,
  company: CompanyId,
  {
    opened,
    frame,
    prepared,
    taken,
  }: { opened: OpenedPackage; frame: ImportFrame; prepared: Preparation; taken: () => void },
  act: AuditContext,
): ReturnType<BlacklistTransferStore['apply']> {
  for await (const face of opened.faces()) {
    await prepared.take(face);
    taken();
  }
  await vision.whenNotSwitching(company);
  try {
    return await transferStore.apply(company, changeOf(opened, frame, prepared), act);
  } catch (error) {
    if (error instanceof TemplateRefused) throw new CodedError('PACKAGE_TEMPLATES_DIFFER', { cause: error });
    if (error instanceof PipelineChanged) throw new CodedError('PACKAGE_OVERTAKEN', { cause: error });
    throw error;
  }
}

/** The first pass over a package: what needs more than the store. */
class Preparation {
  readonly decisions: Decision[] = [];
  readonly leftOut: ImportResult['leftOut'] = [];
  added = 0;
  readonly #ports: ImportPorts;
  readonly #company: CompanyId;
  readonly #frame: ImportFrame;

  constructor(ports: ImportPorts, company: CompanyId, frame: ImportFrame) {
    this.#ports = ports;
    this.#company = company;
    this.#frame = frame;
  }

  async take(face: PackagedFace): Promise<void> {
    const classified = await classify(
      this.#ports.transferStore,
      this.#company,
      this.#frame,
      face,
      this.decisions.length,
    );
    if (classified.change === 'added') this.decisions.push(await this.#newFace(face, classified.reextract));
    else
      this.decisions.push(
        classified.change === 'renamed' || classified.change === 'held' ? classified : undefined,
      );
  }

  /** Removes the files that were written; what cannot be removed now is swept away at the next start. */
  async discard(): Promise<void> {
    const written = this.decisions.flatMap((one): ImageId[] =>
      one?.change === 'added' ? [one.image.id] : [],
    );
    await discardImages(this.#ports, this.#company, written);
  }

  async #newFace(face: PackagedFace, reextract: boolean): Promise<Decision> {
    let vector: Float32Array | undefined;
    if (reextract) {
      const extracted = await this.#extract(face);
      if (extracted === undefined) return undefined;
      vector = extracted;
    }
    const { content, format } = face.photo ?? { content: face.thumbnail, format: 'jpeg' as const };
    const image = await this.#ports.images.write(this.#company, format, oneChunk(content));
    this.added += 1;
    return { change: 'added', image, vector };
  }

  /** By the company's own pipeline. @returns undefined: it cannot, and the face is left out */
  async #extract({ name, photo, place }: PackagedFace): Promise<Float32Array | undefined> {
    if (photo === null) throw new CodedError('PACKAGE_OVERTAKEN');
    const second = await this.#ports.vision.of(this.#company).reextract(photo.content, place.box);
    if (second.kind === 'extracted') return second.template.vector;
    if (this.leftOut.length < MAX_NAMES) this.leftOut.push({ name, reason: FAILURES[second.code].sentence });
    return undefined;
  }
}

function changeOf(opened: OpenedPackage, frame: ImportFrame, prepared: Preparation): NewImport {
  const { sender, origin, target, pipeline } = frame;
  return {
    origin,
    originName: opened.head.list.name,
    senderName: sender.name,
    packageId: opened.head.packageId,
    exportedAt: new Date(opened.head.exportedAt),
    target: target.id === null ? { fields: target.fields } : { id: target.id },
    added: prepared.added,
    faces: incoming(opened, prepared.decisions, pipeline),
    pipeline,
  };
}

/** The second pass: each face with what was decided about it. */
async function* incoming(
  opened: OpenedPackage,
  decisions: readonly Decision[],
  pipelineId: ImportFrame['pipeline'],
): AsyncIterable<IncomingFace> {
  let index = 0;
  for await (const face of opened.faces()) {
    const decision = decisions[index++];
    if (decision === undefined) continue;
    if (decision.change === 'added') yield added(face, decision, pipelineId);
    else if (decision.change === 'held') yield { change: 'held', faceId: decision.known.faceId };
    else {
      const { faceId, name: before } = decision.known;
      yield { change: 'renamed', faceId, name: face.name, before };
    }
  }
}

function added(
  { origin, name, place, quality, templates, thumbnail, photo, listing }: PackagedFace,
  decision: Extract<Decision, { change: 'added' }>,
  pipelineId: ImportFrame['pipeline'],
): IncomingFace {
  const vector = decision.vector ?? templates.find((template) => template.pipelineId === pipelineId)?.vector;
  if (vector === undefined) throw new Error('A face without a template is added.');
  return {
    change: 'added',
    origin,
    name,
    place,
    quality,
    thumbnail,
    image: decision.image,
    listing,
    // Without a photo the picture of the face is the small one.
    size: photo?.size ?? { width: FACE_THUMBNAIL.side, height: FACE_THUMBNAIL.side },
    template: { pipelineId, vector },
  };
}

/** After COMMIT: from here on the new faces are matched, unless their time in the list is over. */
async function show(
  { faces, gallery }: ImportPorts,
  company: CompanyId,
  { pipeline }: ImportFrame,
  applied: { faces: readonly FaceId[] },
): Promise<void> {
  for await (const entries of faces.these(company, pipeline, applied.faces)) gallery.append(company, entries);
}
