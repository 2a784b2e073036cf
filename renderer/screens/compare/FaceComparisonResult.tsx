import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { FaceImage } from '../../../core/contracts/dashboard/faceImages.ts';
import { faceComparisonReport } from '../../api/faceComparisons.ts';
import { CompareView } from '../../compare/CompareView.tsx';
import { comparedFaceImage, useFaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { ReportButton } from '../../components/ReportButton.tsx';
import { PairCertainty } from '../../components/ScoreScale.tsx';
import { useObjectUrl } from '../../components/useObjectUrl.ts';
import { FaceChoice } from './FaceChoice.tsx';
import { imagesOf, type FacePair } from './useFacePair.ts';
import type { FaceComparisonAnswer } from '../../../core/contracts/faceComparisons.ts';

type Comparison = NonNullable<FaceComparisonAnswer['comparison']>;

/** How certain the comparison is, and both faces in the compare view. */
export function FaceComparisonResult(props: {
  answer: FaceComparisonAnswer;
  comparison: Comparison;
  pair: FacePair;
}) {
  const { t } = useTranslation();
  const { answer, comparison, pair } = props;
  const { reasons } = comparison;
  return (
    <div className="face-result">
      <aside className="face-result-side">
        <PairCertainty of={comparison} />
        <Report answer={answer} comparison={comparison} pair={pair} />
        {([0, 1] as const).map((which) => {
          const reason = reasons[which === 0 ? 'image1' : 'image2'];
          return reason === undefined ? null : (
            <p key={which} className="error-line" role="alert">
              <IconAlertTriangle size={16} aria-hidden />
              <span>
                <strong>{t(which === 0 ? 'faceCompare.first' : 'faceCompare.second')}:</strong>{' '}
                {t(`failures.${reason}.sentence`)} {t(`failures.${reason}.remedy`)}
              </span>
            </p>
          );
        })}
        {([0, 1] as const).map((which) => {
          const file = pair.photos[which];
          const photo = answer.photos[which];
          return file === null || photo.faces.length < 2 ? null : (
            <FaceChoice key={which} file={file} photo={photo} which={which} pair={pair} />
          );
        })}
      </aside>
      <div className="face-result-main page-scroll">
        <Faces answer={answer} comparison={comparison} pair={pair} />
      </div>
    </div>
  );
}

function Report(props: { answer: FaceComparisonAnswer; comparison: Comparison; pair: FacePair }) {
  const { i18n } = useTranslation();
  const { answer, comparison, pair } = props;
  const [first, second] = pair.photos;
  if (first === null || second === null) return null;
  const [face1, face2] = answer.photos.map(({ chosen }) => chosen);
  return (
    <div>
      <ReportButton
        fileName={`face-comparison-${comparison.id}.pdf`}
        make={async () =>
          faceComparisonReport(comparison.id, {
            ...(await imagesOf([first, second])),
            face1: face1 ?? undefined,
            face2: face2 ?? undefined,
            language: i18n.language,
          })
        }
      />
    </div>
  );
}

function Faces({
  answer,
  comparison,
  pair,
}: {
  answer: FaceComparisonAnswer;
  comparison: Comparison;
  pair: FacePair;
}) {
  const { t } = useTranslation();
  const facts = useFaceImageFacts();
  const urls = [useObjectUrl(pair.photos[0]), useObjectUrl(pair.photos[1])] as const;
  const faceOf = (which: 0 | 1): FaceImage => {
    const { size, faces, chosen } = answer.photos[which];
    const face = chosen === null ? undefined : faces[chosen];
    return {
      imageUrl: urls[which],
      thumbnailUrl: null,
      width: size?.width ?? 1,
      height: size?.height ?? 1,
      box: face?.box ?? null,
      eyes: face?.eyes ?? null,
      fileName: pair.photos[which]?.name ?? '',
      sha256: comparison.sha256[which === 0 ? 'image1' : 'image2'],
      quality: face?.quality ?? null,
      pipelineId: comparison.modelVersion,
      enrolledAt: null,
      person: null,
    };
  };
  const captions = [t('faceCompare.first'), t('faceCompare.second')] as const;
  const both = [faceOf(0), faceOf(1)] as const;
  return (
    <CompareView
      key={`${comparison.id}`}
      images={[
        comparedFaceImage(both[0], 'first', captions[0]),
        comparedFaceImage(both[1], 'second', captions[1]),
      ]}
      captions={captions}
      object={`faceComparison:${comparison.id}`}
      facts={facts(both)}
    />
  );
}
