import { useTranslation } from 'react-i18next';
import type { FaceImage, ScoreInterpretation } from '../../../core/contracts/dashboard/faceImages.ts';
import type {
  SearchAnswer,
  SearchCandidate,
  SearchedFace,
} from '../../../core/contracts/dashboard/search.ts';
import { CompareView } from '../../compare/CompareView.tsx';
import { comparedFaceImage, useFaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { useListingFacts } from '../../compare/listingFacts.tsx';
import { ScoreMeaning, ScoreScale } from '../../components/ScoreScale.tsx';
import type { Probe } from './probe.ts';

/** The searched face and a candidate side by side, with the score and its meaning. */
export function Comparison(props: {
  probe: Probe;
  answer: SearchAnswer;
  face: SearchedFace;
  candidate: SearchCandidate;
  reading: ScoreInterpretation;
}) {
  const { probe, answer, face, candidate, reading } = props;
  const { t } = useTranslation();
  const facts = useFaceImageFacts();
  const listed = useListingFacts();
  const searched: FaceImage = {
    imageUrl: probe.url,
    thumbnailUrl: face.thumbnail,
    width: answer.width ?? 1,
    height: answer.height ?? 1,
    box: face.box,
    eyes: face.eyes,
    fileName: probe.file.name,
    sha256: answer.sha256,
    quality: Math.round(face.quality),
    pipelineId: answer.pipelineId,
    enrolledAt: null,
    person: null,
  };
  const list = candidate.blacklistName ?? t('enrol.duplicate');
  return (
    <div className="column">
      <div className="found-score">
        <ScoreScale reading={reading} />
        <ScoreMeaning reading={reading} />
      </div>
      <CompareView
        images={[
          comparedFaceImage(searched, 'probe', t('search.probe')),
          comparedFaceImage(
            candidate.faceImage,
            String(candidate.faceId),
            t('face.thumbnail', { name: candidate.name }),
          ),
        ]}
        captions={[t('search.probe'), candidate.name]}
        object={`face:${candidate.faceId}`}
        facts={[
          { label: t('facts.name'), values: ['–', candidate.name] },
          { label: t('search.watchlist'), values: ['–', list] },
          ...listed(candidate.listing),
          ...facts([searched, candidate.faceImage]),
        ]}
      />
    </div>
  );
}
