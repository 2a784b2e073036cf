import type { ScoreInterpretation } from '../../contracts/dashboard/faceImages.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { ScreeningFacts } from '../../contracts/validations.ts';
import type { FaceImageView, MatchView } from '../../domain/ports/dashboard.ts';
import { storedInterpretation } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** A stored match with its score as people read it. */
export interface CaseMatch {
  match: MatchView;
  reading: ScoreInterpretation;
  /** The face that matched; undefined: it was erased. */
  face: FaceImageView | undefined;
  /** The selfie that was compared; undefined: it was erased. */
  probe: FaceImageView | undefined;
}

/** Interprets stored matches with the calibration of the pipeline that measured them, which can differ from today's. */
export async function readMatches(
  { views, gallery, vision }: DashboardRoutePorts,
  company: CompanyId,
  matches: readonly MatchView[],
  screening: ScreeningFacts | null,
): Promise<CaseMatch[]> {
  const faceImages = await views.faceImages(
    company,
    matches.flatMap(({ faceId, probeFaceId }) => [faceId, probeFaceId]),
  );
  const byFace = new Map(faceImages.map((faceImage) => [faceImage.faceId, faceImage]));
  const measuredBy = screening?.pipelineId ?? vision.pipelineOf(company);
  const calibration = vision.calibrationOf(company, measuredBy);
  return Promise.all(
    matches.map(async (match) => {
      const { blacklistId, faceId, probeFaceId } = match;
      const watchlist =
        blacklistId === null
          ? ({ kind: 'duplicate' } as const)
          : ({ kind: 'blacklist', blacklistId } as const);
      const size = await gallery.size(company, watchlist);
      return {
        match,
        reading: storedInterpretation(calibration, match, size, screening?.targetFmr),
        face: byFace.get(faceId),
        probe: byFace.get(probeFaceId),
      };
    }),
  );
}
