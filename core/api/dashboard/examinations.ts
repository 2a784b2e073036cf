import type { FastifyInstance } from 'fastify';
import {
  examinationApi,
  type Examination,
  type ExaminationRow,
  type ExaminedSignatures,
} from '../../contracts/dashboard/examinations.ts';
import type { CompanyId, ExaminationId, FaceId, ImageId } from '../../contracts/ids.ts';
import { readImageHeader } from '../../decoding/imageHeader.ts';
import { beginExamination, beginSignatureExamination } from '../../domain/examinations/beginning.ts';
import {
  areResultsOpen,
  isExaminer,
  isUnfinishedFor,
  isSystemOpen,
  nextStep,
  stateOf,
  turnOf,
  withoutExaminer,
  withSettlement,
  withStep,
} from '../../domain/examinations/examination.ts';
import type { AuditContext, Company } from '../../domain/ports/auditContext.ts';
import type { ExaminationReport } from '../../domain/ports/reports.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { comparisonOf } from '../../domain/search/faceComparison.ts';
import { isoTime } from '../../domain/values/time.ts';
import type { Operator } from '../../storage/identity/operators.ts';
import type { StoredExamination } from '../../storage/persons/examinations.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { existing } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { imageBytesOf, imageOf, invalidImage, PAIR_BODY_LIMIT } from '../http/sentImage.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { serve } from './access/guard.ts';
import { beginReport, requireRecordedFiles, sendPdf } from './reports.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';

/** Examinations that the list shows, the newest ones. */
const LISTED = 200;

/** Examinations of two faces or two signatures. What an examiner must not know yet is not in the answers. */
export function examinationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { examinations } = ports;
  serve(app, examinationApi.list, async ({ companyId, actor }) => {
    const found = await examinations.list(companyId, LISTED);
    const left = whoLeft(await ports.operators.list(companyId));
    return { items: found.map((each) => rowOf(each, actor, left)) };
  });
  serve(
    app,
    { ...examinationApi.begin, takes: (scope) => takeJson(scope, () => PAIR_BODY_LIMIT) },
    async ({ operator, act, body }) => {
      const company = await callingCompany(ports.companies, operator);
      if ('signatures' in body) return { id: await beginOfSignatures(ports, company, body, act) };
      const { faces } = body;
      const given = (side: (typeof faces)[0]) =>
        typeof side === 'number'
          ? side
          : { ...side, photo: imageOf(side.photo, company.settings.maxImageBytes, 'photo') };
      return { id: await beginExamination(ports, company, [given(faces[0]), given(faces[1])], act) };
    },
  );
  serve(app, examinationApi.read, ({ operator, params: { id } }) => readFor(ports, operator, id));
  serve(app, examinationApi.picture, async ({ companyId, act, params: { id }, query, reply }) => {
    const found = existing(await examinations.find(companyId, id));
    const { faceId, imageId } = (await photosOf(ports, companyId, found))[query.picture === '0' ? 0 : 1];
    const file = existing(await ports.images.read(companyId, imageId));
    const object = faceId === null ? (`examination:${id}` as const) : (`face:${faceId}` as const);
    await ports.audit.record(act, { company: companyId, action: 'image.read', object });
    return reply.type(`image/${file.format}`).send(Buffer.from(file.content));
  });
  serve(app, examinationApi.save, async ({ operator, companyId, act, params: { id }, body }) => {
    await examinations.change(companyId, id, act, {
      action: 'examination.saved',
      details: { step: body.step },
      work: (content) => withStep(content, body, act),
    });
    return readFor(ports, operator, id);
  });
  serve(app, examinationApi.replace, async ({ operator, companyId, act, params: { id }, body }) => {
    await examinations.change(companyId, id, act, {
      action: 'examination.replaced',
      details: { examiner: body.examiner },
      work: (content) => withoutExaminer(content, `operator:${body.examiner}`, act),
    });
    return readFor(ports, operator, id);
  });
  serve(app, examinationApi.settle, async ({ operator, companyId, act, params: { id }, body }) => {
    const left = whoLeft(await ports.operators.list(companyId));
    await examinations.change(companyId, id, act, {
      action: 'examination.settled',
      details: { conclusion: body.conclusion },
      work: (content) => withSettlement(content, body, act, left),
    });
    return readFor(ports, operator, id);
  });
  serve(app, examinationApi.report, async ({ operator, params: { id }, body: { language }, reply }) => {
    const { frame, shown } = await beginReport(ports, operator, language, async () => {
      const exported = { kind: 'examinationReport', object: `examination:${id}`, rows: 1 } as const;
      return { exported, shown: await doneExamination(ports, operator, id) };
    });
    const pictures = await picturesOf(ports, operator, shown.photos);
    const { examination } = shown;
    return sendPdf(reply, await ports.reports.examination({ ...frame, examination, pictures }));
  });
}

/** An examination as reports have it. @throws {CodedError} NOT_FOUND; EXAMINATION_STEP: it is not done */
export async function doneExamination(ports: DashboardRoutePorts, operator: SignedIn, id: ExaminationId) {
  const { found, photos } = await load(ports, operator, id);
  const examination = await viewOf(ports, operator, found, photos);
  if (examination.state !== 'done') throw new CodedError('EXAMINATION_STEP');
  return { examination, photos };
}

/** The photos of a report, each with its file. */
export function picturesOf(
  { images }: DashboardRoutePorts,
  { companyId }: SignedIn,
  photos: readonly Omit<Photo, 'eyes' | 'name'>[],
) {
  return Promise.all(
    photos.map(async ({ width, height, box, sha256, faceId, enrolledAt, imageId }) => {
      const content = (await images.read(companyId, imageId))?.content;
      return { width, height, box, sha256, faceId, enrolledAt, content };
    }),
  );
}

/** The files of a comparison come again, because it does not store them. */
async function beginOfSignatures(
  ports: DashboardRoutePorts,
  company: Company,
  { comparison, signatures }: ExaminedSignatures,
  act: AuditContext,
): Promise<ExaminationId> {
  const record = await ports.comparisons.find(company.id, comparison);
  if (record === undefined || 'known' in record) throw new CodedError('NOT_FOUND');
  const given = ({ image, ...of }: (typeof signatures)[0]) => ({ ...of, content: imageBytesOf(image) });
  const pair = [given(signatures[0]), given(signatures[1])] as const;
  requireRecordedFiles(ports.crypto, { image1: pair[0].content, image2: pair[1].content }, record);
  for (const [side, { content, width, height }] of pair.entries()) {
    const stored = readImageHeader(content);
    // A camera may have stored the picture on its side.
    const isSize =
      stored && width * height === stored.width * stored.height && [width, height].includes(stored.width);
    if (!isSize) {
      const field = `signatures.${side}`;
      throw invalidImage(problem('SIGNATURE_ANOTHER_FILE', { field }), field);
    }
  }
  return beginSignatureExamination(ports, company, { comparison, pair }, act);
}

/** The accounts of operators who can examine no longer: deactivated, or in another role. */
const whoLeft = (operators: readonly Operator[]): ReadonlySet<string> =>
  new Set(
    operators.flatMap(({ active, id, role }) =>
      active && mayRole(role, 'faces:examine') ? [] : `operator:${id}`,
    ),
  );

function rowOf(
  { id, beganAt, content }: StoredExamination,
  actor: string,
  left: ReadonlySet<string>,
): ExaminationRow {
  const { kind } = content;
  return { id, kind, beganAt: isoTime(beganAt), state: stateOf(content), turn: turnOf(content, actor, left) };
}

type Photo = Omit<ExaminationReport['pictures'][number], 'content'> &
  Pick<Examination['pictures'][number], 'eyes'> & { imageId: ImageId; name: string };

/** The pictures of an examination, in the drawn order. */
async function photosOf(
  { examinations, views }: DashboardRoutePorts,
  company: CompanyId,
  { content: { names, swapped }, pair }: StoredExamination,
): Promise<[Photo, Photo]> {
  const found: Photo[] =
    'faces' in pair
      ? await views.faceImages(company, pair.faces)
      : (await examinations.signatures(company, pair.images)).map((picture, side) => ({
          ...{ ...picture, enrolledAt: picture.storedAt, faceId: null, box: null, eyes: null },
          name: names[swapped ? 1 - side : side] ?? '',
        }));
  const photoOf = (id: FaceId | ImageId) =>
    existing(found.find(({ faceId, imageId }) => faceId === id || imageId === id));
  const [first, second] = 'faces' in pair ? pair.faces : pair.images;
  return [photoOf(first), photoOf(second)];
}

/** An examination and its pictures. */
async function load(ports: DashboardRoutePorts, { companyId }: SignedIn, id: ExaminationId) {
  const found = existing(await ports.examinations.find(companyId, id));
  return { found, photos: await photosOf(ports, companyId, found) };
}

async function readFor(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  id: ExaminationId,
): Promise<Examination> {
  const { found, photos } = await load(ports, operator, id);
  return viewOf(ports, operator, found, photos);
}

async function viewOf(
  ports: DashboardRoutePorts,
  { companyId, actor }: SignedIn,
  found: StoredExamination,
  photos: readonly [Photo, Photo],
): Promise<Examination> {
  const { content } = found;
  const operators = await ports.operators.list(companyId);
  const names = new Map<string, string>(operators.map(({ id, name }) => [`operator:${id}`, name]));
  const open = areResultsOpen(content);
  const named = <T extends { by: string }>({ by, ...shown }: T) => ({
    ...shown,
    byName: names.get(by) ?? by,
  });
  return {
    ...rowOf(found, actor, whoLeft(operators)),
    pictures: photos.map(({ width, height, box, eyes }) => ({ width, height, box, eyes })),
    next: nextStep(content, actor),
    works: content.works
      .filter(({ by }) => open || by === actor)
      .map((work) => ({ ...named(work), own: work.by === actor })),
    settlement: content.settlement && {
      ...named(content.settlement),
      isThird: !isExaminer(content, content.settlement.by),
    },
    isUnfinished: isUnfinishedFor(content, actor),
    replaced: (open ? content.replaced : []).map(({ by, replacedBy, at, analyses, findings }) => ({
      byName: names.get(by) ?? by,
      replacedByName: names.get(replacedBy) ?? replacedBy,
      at,
      steps: analyses.length + findings.length,
    })),
    system: isSystemOpen(content, actor)
      ? {
          names: [photos[0].name, photos[1].name],
          score: await scoreOf(ports, found, companyId),
        }
      : null,
  };
}

/** The score of the system: of faces with the pipeline of the company at this time, of signatures as they were compared. */
async function scoreOf(
  { comparisons, examinations, vision }: DashboardRoutePorts,
  { pair }: StoredExamination,
  company: CompanyId,
): Promise<NonNullable<Examination['system']>['score']> {
  if ('comparison' in pair) {
    const { modelVersion, similarity, thresholds, verdict } = existing(
      await comparisons.find(company, pair.comparison),
    );
    return { similarity, verdict, thresholds, certainty: null, pipelineId: modelVersion };
  }
  const pipelineId = vision.pipelineOf(company);
  const calibration = vision.calibrationOf(company, pipelineId);
  const distance = await examinations.distance(company, pair.faces, pipelineId);
  return calibration === undefined || distance === null
    ? null
    : { ...comparisonOf(calibration, distance), pipelineId };
}
