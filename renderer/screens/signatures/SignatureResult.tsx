import { useTranslation } from 'react-i18next';
import type { ComparisonAnswer } from '../../../core/contracts/dashboard/signatures.ts';
import { comparisonReport } from '../../api/signatures.ts';
import { ReportButton } from '../../components/ReportButton.tsx';
import { SimilarityScale } from '../../components/SimilarityScale.tsx';
import { ErrorRates } from './ErrorRates.tsx';
import { PairViews } from './PairViews.tsx';
import { UnusableImage } from './UnusableImage.tsx';
import { dataUriOf } from '../../components/dataUri.ts';
import type { Side } from './side.ts';

/** The similarity, its meaning and its error rates; the images, the extracted ink, and both overlaid. */
export function SignatureResult({
  answer,
  sides,
}: {
  answer: ComparisonAnswer;
  sides: readonly [Side, Side];
}) {
  const { t, i18n } = useTranslation();
  const { similarity, verdict, thresholds, reasons } = answer;
  return (
    <div className="signature-result">
      <aside className="signature-side column">
        <SimilarityScale similarity={similarity} verdict={verdict} thresholds={thresholds} />
        <p>{t(`signatures.means_${verdict}`)}</p>
        {(['image1', 'image2'] as const).map((key) => {
          const reason = reasons[key];
          return reason === undefined ? null : (
            <UnusableImage
              key={key}
              image={t(key === 'image1' ? 'signatures.first' : 'signatures.second')}
              reason={reason}
            />
          );
        })}
        <div>
          <ReportButton
            fileName={`signature-comparison-${answer.id}.pdf`}
            make={async () =>
              comparisonReport(answer.id, {
                language: i18n.language,
                image1: await dataUriOf(sides[0]),
                image2: await dataUriOf(sides[1]),
              })
            }
          />
        </div>
        <ErrorRates />
      </aside>
      <div className="signature-main page-scroll column">
        <PairViews
          pair={{
            captions: [t('signatures.first'), t('signatures.second')],
            sides,
            ink: [answer.pictures.image1 ?? null, answer.pictures.image2 ?? null],
            alignment: answer.alignment,
            sha256: [answer.sha256.image1, answer.sha256.image2],
            modelVersion: answer.modelVersion,
            object: `signatureComparison:${answer.id}`,
          }}
        />
      </div>
    </div>
  );
}
