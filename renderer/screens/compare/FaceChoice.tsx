import { useTranslation } from 'react-i18next';
import { FaceBox, placeOn, UnclearBox } from '../../components/FaceBox.tsx';
import { useObjectUrl } from '../../components/useObjectUrl.ts';
import type { FacePair, Which } from './useFacePair.ts';
import type { ComparedPhoto } from '../../../core/contracts/faceComparisons.ts';

/** A photo with its faces as boxes; the operator chooses the one to compare. */
export function FaceChoice(props: { file: File; photo: ComparedPhoto; which: Which; pair: FacePair }) {
  const { t } = useTranslation();
  const { file, photo, which, pair } = props;
  const url = useObjectUrl(file);
  const { size, faces, unclear, chosen } = photo;
  if (size === null || url === null) return null;
  return (
    <figure className="face-choice">
      <figcaption>
        <strong>{t(which === 0 ? 'faceCompare.first' : 'faceCompare.second')}</strong>{' '}
        {t('faceCompare.choose')}
      </figcaption>
      <div className="face-boxes">
        <img src={url} alt="" />
        {unclear.map((box) => (
          <UnclearBox key={`${box.x},${box.y}`} place={placeOn(size, box)} />
        ))}
        {faces.map(({ box, quality }, index) => (
          <FaceBox
            key={`${box.x},${box.y}`}
            place={placeOn(size, box)}
            number={index + 1}
            label={t('faceCompare.face', { number: index + 1, quality })}
            chosen={index === chosen}
            disabled={pair.pending}
            choose={() => pair.choose(which, index)}
          />
        ))}
      </div>
    </figure>
  );
}
