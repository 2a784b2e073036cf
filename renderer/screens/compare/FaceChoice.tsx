import { useTranslation } from 'react-i18next';
import type { ComparedPhoto } from '../../../core/contracts/dashboard/faceComparisons.ts';
import { useObjectUrl } from '../../components/useObjectUrl.ts';
import type { FacePair, Which } from './useFacePair.ts';

/** A photo with its faces as boxes; the operator chooses the one to compare. */
export function FaceChoice(props: { file: File; photo: ComparedPhoto; which: Which; pair: FacePair }) {
  const { t } = useTranslation();
  const { file, photo, which, pair } = props;
  const url = useObjectUrl(file);
  const { size, faces, chosen } = photo;
  if (size === null || url === null) return null;
  const share = (value: number, of: number) => `${(value / of) * 100}%`;
  return (
    <figure className="face-choice">
      <figcaption>
        <strong>{t(which === 0 ? 'faceCompare.first' : 'faceCompare.second')}</strong>{' '}
        {t('faceCompare.choose')}
      </figcaption>
      <div className="face-boxes">
        <img src={url} alt="" />
        {faces.map(({ box, quality }, index) => (
          <button
            key={`${box.x},${box.y}`}
            type="button"
            className="face-box"
            aria-pressed={index === chosen}
            aria-label={t('faceCompare.face', { number: index + 1, quality })}
            style={{
              left: share(box.x, size.width),
              top: share(box.y, size.height),
              width: share(box.width, size.width),
              height: share(box.height, size.height),
            }}
            disabled={pair.pending}
            onClick={() => pair.choose(which, index)}
          >
            <span className="face-box-number">{index + 1}</span>
          </button>
        ))}
      </div>
    </figure>
  );
}
