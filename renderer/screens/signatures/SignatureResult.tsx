import { useState } from 'react';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ComparisonAnswer, InkPictureView } from '../../../core/contracts/dashboard/signatures.ts';
import { CompareView } from '../../compare/CompareView.tsx';
import type { ComparedFact, ComparedImage } from '../../compare/compared.ts';
import { comparisonReport } from '../../api/signatures.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { ReportButton } from '../../components/ReportButton.tsx';
import { SimilarityScale } from '../../components/SimilarityScale.tsx';
import { useFormats } from '../../i18n/format.ts';
import { AlignedInk } from './AlignedInk.tsx';
import { ErrorRates } from './ErrorRates.tsx';
import { dataUriOf, type Side } from './side.ts';

const VIEWS = ['images', 'ink', 'aligned'] as const;
type View = (typeof VIEWS)[number];

/** The similarity, its meaning and its error rates; the images, the extracted ink, and both overlaid. */
export function SignatureResult({
  answer,
  sides,
}: {
  answer: ComparisonAnswer;
  sides: readonly [Side, Side];
}) {
  const { t, i18n } = useTranslation();
  const [view, setView] = useState<View>('images');
  const { similarity, verdict, thresholds, reasons } = answer;
  return (
    <div className="signature-result">
      <aside className="signature-side column">
        <SimilarityScale similarity={similarity} verdict={verdict} thresholds={thresholds} />
        <p>{t(`signatures.means_${verdict}`)}</p>
        {(['image1', 'image2'] as const).map((key) => {
          const reason = reasons[key];
          return reason === undefined ? null : (
            <p key={key} className="signature-unusable">
              <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
              <span>
                <strong>
                  {t(key === 'image1' ? 'signatures.first' : 'signatures.second')}, {t('signatures.unusable')}
                  :
                </strong>{' '}
                {t(`signatures.reason.${reason}`)}
              </span>
            </p>
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
        <SegmentedControl
          className="signature-views"
          size="xs"
          aria-label={t('signatures.view')}
          data={VIEWS.map((value) => ({ value, label: t(`signatures.view_${value}`) }))}
          value={view}
          onChange={setView}
        />
        <Shown view={view} answer={answer} sides={sides} />
      </div>
    </div>
  );
}

function Shown({
  view,
  answer,
  sides,
}: {
  view: View;
  answer: ComparisonAnswer;
  sides: readonly [Side, Side];
}) {
  const { t } = useTranslation();
  const facts = useSideFacts(answer, sides);
  const captions = [t('signatures.first'), t('signatures.second')] as const;
  const { image1, image2 } = answer.pictures;
  const object = `signatureComparison:${answer.id}`;
  if (view === 'images')
    return (
      <CompareView
        images={[imageOf(sides[0], captions[0]), imageOf(sides[1], captions[1])]}
        captions={captions}
        facts={facts}
        object={object}
      />
    );
  if (view === 'aligned')
    return image1 === undefined || image2 === undefined || answer.alignment === null ? (
      <p className="soft">{t('signatures.noAlignment')}</p>
    ) : (
      <AlignedInk first={image1} second={image2} onto={answer.alignment} object={object} />
    );
  return (
    <>
      <p className="soft">{t('signatures.inkNote')}</p>
      <CompareView
        key="ink"
        images={[inkOf(image1, captions[0]), inkOf(image2, captions[1])]}
        captions={captions}
        facts={facts}
        object={object}
        none={t('signatures.noPicture')}
      />
    </>
  );
}

function imageOf({ url, width, height }: Side, alt: string): ComparedImage {
  return { key: url, url, alt, width, height, eyes: null };
}

function inkOf(picture: InkPictureView | undefined, alt: string): ComparedImage {
  const { url = null, width = 1, height = 1 } = picture ?? {};
  return { key: `ink-${alt}`, url, alt, width, height, eyes: null };
}

function useSideFacts(answer: ComparisonAnswer, [first, second]: readonly [Side, Side]): ComparedFact[] {
  const { t } = useTranslation();
  const { bytes, count } = useFormats();
  const size = ({ width, height, file }: Side) => `${count(width)} × ${count(height)}, ${bytes(file.size)}`;
  const code = (text: string | null) => <span className="mono ltr">{text ?? t('common.unknown')}</span>;
  return [
    { label: t('facts.file'), values: [first.file.name, second.file.name] },
    { label: t('facts.size'), values: [size(first), size(second)] },
    { label: t('facts.sha256'), values: [code(answer.sha256.image1), code(answer.sha256.image2)] },
    { label: t('facts.pipeline'), values: [code(answer.modelVersion), code(answer.modelVersion)] },
  ];
}
