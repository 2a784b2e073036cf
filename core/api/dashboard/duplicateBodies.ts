/** Groups, faces and decisions as the dashboard is sent them. */
import { type GroupRow, type ListedFace, GROUP_LISTED } from '../../contracts/dashboard/duplicates.ts';
import type { ScoreInterpretation } from '../../contracts/dashboard/faceImages.ts';
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { DuplicateGroup } from '../../domain/ports/persons.ts';
import { ApiError } from '../http/errors.ts';
import { interpretScore, placeholderFace, faceImageBody } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Faces with their pictures, by rising ids; missing ones are left out. */
export async function listedFaces(
  { persons, views }: Pick<DashboardRoutePorts, 'persons' | 'views'>,
  operator: SignedIn,
  faces: readonly FaceId[],
): Promise<ListedFace[]> {
  const { companyId } = operator;
  const [described, images] = await Promise.all([
    persons.describe(companyId, faces),
    views.faceImages(companyId, faces),
  ]);
  const byFace = new Map(images.map((image) => [image.faceId, image]));
  return described.map(({ enrolledAt, ...face }) => {
    const image = byFace.get(face.id);
    return {
      ...face,
      enrolledAt: enrolledAt.toISOString(),
      faceImage: image === undefined ? placeholderFace(face.name) : faceImageBody(operator, image),
    };
  });
}

/** How a distance reads against the faces that the last run compared. */
export async function readings(
  { duplicateRuns, recognition }: DashboardRoutePorts,
  company: CompanyId,
): Promise<(distance: number) => ScoreInterpretation> {
  const run = await duplicateRuns.latest(company);
  const calibration = recognition.calibrationOf(company, run?.pipeline ?? recognition.pipelineOf(company));
  if (calibration === undefined) throw new ApiError('NOT_FOUND');
  return (distance) => interpretScore(calibration, distance, run?.total ?? 0);
}

/** Rows of groups, each with its first faces. */
export async function groupRows(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  groups: readonly DuplicateGroup[],
): Promise<GroupRow[]> {
  if (groups.length === 0) return [];
  const { companyId } = operator;
  const members = await Promise.all(
    groups.map(({ id }) => ports.duplicateGroups.facesOf(companyId, id, GROUP_LISTED.row)),
  );
  const listed = new Map((await listedFaces(ports, operator, members.flat())).map((face) => [face.id, face]));
  const [read, certainty] = await Promise.all([
    readings(ports, companyId),
    ports.groups.certainty(companyId),
  ]);
  return groups.map(({ id, version, state, identical, size, widest, link, createdAt, changedAt }, index) => ({
    id,
    version,
    state,
    identical,
    size,
    certainty: identical ? 1 : (certainty?.at(link) ?? 0),
    reading: read(widest),
    faces: members[index]!.flatMap((face) => listed.get(face) ?? []),
    createdAt: createdAt.toISOString(),
    changedAt: changedAt.toISOString(),
  }));
}
