import type { FastifyInstance } from 'fastify';
import {
  examinationApi,
  type Examination,
  type ExaminationRow,
} from '../../contracts/dashboard/examinations.ts';
import type { ExaminationId, FaceId } from '../../contracts/ids.ts';
import { beginExamination } from '../../domain/examinations/beginning.ts';
import {
  areResultsOpen,
  isUnfinishedFor,
  isSystemOpen,
  nextStep,
  stateOf,
  turnOf,
  withoutExaminer,
  withSettlement,
  withStep,
} from '../../domain/examinations/examination.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { comparisonOf } from '../../domain/search/faceComparison.ts';
import { isoTime } from '../../domain/values/time.ts';
import type { StoredExamination } from '../../storage/persons/examinations.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { existing } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { imageOf, PAIR_BODY_LIMIT } from '../http/sentImage.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { serve } from './access/guard.ts';
import { operatorNames } from './actorNames.ts';
import { beginReport, sendPdf } from './reports.ts';
import { CodedError } from '../../contracts/errors/problem.ts';

/** Examinations that the list shows, the newest ones. */
const LISTED = 200;

/** Examinations of two faces. What an examiner must not know yet is not in the answers. */
export function examinationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { examinations } = ports;
  serve(app, examinationApi.list, async ({ companyId, actor }) => {
    const found = await examinations.list(companyId, LISTED);
    return { items: found.map((each) => rowOf(each, actor)) };
  });
  serve(
    app,
    { ...examinationApi.begin, takes: (scope) => takeJson(scope, () => PAIR_BODY_LIMIT) },
    async ({ operator, act, body: { faces } }) => {
      const company = await callingCompany(ports.companies, operator);
      const given = (side: (typeof faces)[0]) =>
        typeof side === 'number'
          ? side
          : { ...side, photo: imageOf(side.photo, company.settings.maxImageBytes, 'photo') };
      return { id: await beginExamination(ports, company, [given(faces[0]), given(faces[1])], act) };
    },
  );
  serve(app, examinationApi.read, ({ operator, params: { id } }) => readFor(ports, operator, id));
  serve(app, examinationApi.picture, async ({ companyId, act, params: { id }, query, reply }) => {
    const { faces } = existing(await examinations.find(companyId, id));
    const face = faces[query.picture === '0' ? 0 : 1];
    const [stored] = await ports.views.faceImages(companyId, [face]);
    const file = existing(stored && (await ports.images.read(companyId, stored.imageId)));
    await ports.audit.record(act, { company: companyId, action: 'image.read', object: `face:${face}` });
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
    await examinations.change(companyId, id, act, {
      action: 'examination.settled',
      details: { conclusion: body.conclusion },
      work: (content) => withSettlement(content, body, act),
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
  photos: readonly Photo[],
) {
  return Promise.all(
    photos.map(async ({ width, height, box, sha256, faceId, enrolledAt, imageId }) => {
      const content = (await images.read(companyId, imageId))?.content;
      return { width, height, box, sha256, faceId, enrolledAt, content };
    }),
  );
}

function rowOf({ id, beganAt, content }: StoredExamination, actor: string): ExaminationRow {
  return { id, beganAt: isoTime(beganAt), state: stateOf(content), turn: turnOf(content, actor) };
}

type Photo = Awaited<ReturnType<DashboardRoutePorts['views']['faceImages']>>[number];

/** An examination and its photos, in the drawn order. */
async function load(
  { examinations, views }: DashboardRoutePorts,
  { companyId }: SignedIn,
  id: ExaminationId,
): Promise<{ found: StoredExamination; photos: [Photo, Photo] }> {
  const found = existing(await examinations.find(companyId, id));
  const images = await views.faceImages(companyId, found.faces);
  const photoOf = (face: FaceId) => existing(images.find(({ faceId }) => faceId === face));
  return { found, photos: [photoOf(found.faces[0]), photoOf(found.faces[1])] };
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
  const names = await operatorNames(ports.operators, companyId);
  const open = areResultsOpen(content);
  const named = <T extends { by: string }>({ by, ...shown }: T) => ({
    ...shown,
    byName: names.get(by) ?? by,
  });
  return {
    ...rowOf(found, actor),
    pictures: photos.map(({ width, height, box, eyes }) => ({ width, height, box, eyes })),
    next: nextStep(content, actor),
    works: content.works
      .filter(({ by }) => open || by === actor)
      .map((work) => ({ ...named(work), own: work.by === actor })),
    settlement: content.settlement && named(content.settlement),
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

/** The score of the system, with the pipeline of the company at this time. */
async function scoreOf(
  { examinations, vision }: DashboardRoutePorts,
  { faces }: StoredExamination,
  company: SignedIn['companyId'],
): Promise<NonNullable<Examination['system']>['score']> {
  const pipelineId = vision.pipelineOf(company);
  const calibration = vision.calibrationOf(company, pipelineId);
  const distance = await examinations.distance(company, faces, pipelineId);
  return calibration === undefined || distance === null
    ? null
    : { ...comparisonOf(calibration, distance), pipelineId };
}
