/** The answer to a search, as the dashboard is sent it. */
import { LISTED, type SearchAnswer, type SearchCandidate } from '../../contracts/dashboard/search.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { FaceImageView } from '../../domain/ports/dashboard.ts';
import { fmrAtDistance, scoreScale, type Calibration } from '../../domain/scores/scores.ts';
import type { SearchCoverage } from '../../domain/search/coverage.ts';
import { KEPT_FOR } from '../../domain/search/keptSearches.ts';
import type { SearchedFace, SearchResult } from '../../domain/search/search.ts';
import { hexOf } from '../../domain/values/bytes.ts';
import { interpretScore, placeholderFace, faceImageBody } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** @param image the searched file, which is in the answer by its hash alone */
export async function answerOf(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  image: Uint8Array,
  { coverage, result }: { coverage: SearchCoverage; result: SearchResult },
): Promise<SearchAnswer> {
  const { companyId } = operator;
  const at = ports.clock.now();
  const frame = {
    id: ports.crypto.randomUuid(),
    at: at.toISOString(),
    expiresAt: new Date(at.getTime() + KEPT_FOR).toISOString(),
    sha256: hexOf(ports.crypto.sha256(image)),
    searchedFaces: coverage.faces,
    watchlists: [...coverage.searched],
  };
  if (result.kind === 'refused') {
    const pipelineId = ports.vision.pipelineOf(companyId);
    const nothing = { width: null, height: null, faces: [], unclear: [], scale: [] };
    return { ...frame, ...nothing, refused: result.code, pipelineId };
  }
  const { pipelineId, calibration } = result.recogniser;
  const found = result.faces.flatMap(({ candidates }) => candidates.map(({ faceId }) => faceId));
  const faceImages = await ports.views.faceImages(companyId, [...new Set(found)]);
  const byFace = new Map(faceImages.map((faceImage) => [faceImage.faceId, faceImage]));
  const { width, height } = result.image;
  const faces = result.faces.map(({ face, candidates }) => ({
    box: face.box,
    eyes: [face.eyes[0], face.eyes[1]] as [(typeof face.eyes)[0], (typeof face.eyes)[1]],
    quality: face.quality.score,
    thumbnail: `data:image/jpeg;base64,${Buffer.from(face.thumbnail).toString('base64')}`,
    candidates: candidates.map((candidate) =>
      candidateBody({ operator, calibration, coverage, faceImage: byFace.get(candidate.faceId) }, candidate),
    ),
  }));
  const unclear = [...result.unclear];
  const scale = scoreScale(calibration);
  return { ...frame, refused: null, width, height, faces, unclear, pipelineId, scale };
}

/** The candidates of each group of watchlists that the answer lists. */
export const CANDIDATES = LISTED;

function candidateBody(
  context: {
    operator: SignedIn;
    calibration: Calibration;
    coverage: SearchCoverage;
    faceImage: FaceImageView | undefined;
  },
  candidate: SearchedFace['candidates'][number],
): SearchCandidate {
  const { operator, calibration, coverage, faceImage } = context;
  const { faceId, name, watchlist, trustValidationId, listing, distance } = candidate;
  const blacklistId = watchlist.kind === 'blacklist' ? watchlist.blacklistId : null;
  return {
    faceId,
    name,
    watchlist: watchlist.kind,
    blacklistId,
    blacklistName: blacklistId === null ? null : (coverage.names.get(blacklistId) ?? null),
    trustValidationId,
    listing,
    falseMatchRate: falseMatchRateOf(calibration, distance),
    reading: interpretScore(calibration, distance, coverage.faces),
    faceImage: faceImage === undefined ? placeholderFace(name) : faceImageBody(operator, faceImage),
  };
}

/** Beyond the calibrated distances the rate is not known, and is taken as the highest: no threshold is reached there. */
function falseMatchRateOf(calibration: Calibration, distance: number): number {
  const farthest = calibration.points[0]?.distance ?? 0;
  return distance > farthest ? 1 : fmrAtDistance(calibration, distance);
}
