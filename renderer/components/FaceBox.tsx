import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Box } from '../../core/contracts/faces.ts';
import './faceBox.css';

/** The style that places a part of a picture on it. @param picture in the pixels of the part */
export function placeOn(picture: { width: number; height: number }, { x, y, width, height }: Box) {
  const share = (part: number, whole: number) => `${(100 * part) / whole}%`;
  return {
    left: share(x, picture.width),
    top: share(y, picture.height),
    width: share(width, picture.width),
    height: share(height, picture.height),
  };
}

/** A head that is covered or unclear, in a photo: it can be seen and not chosen. */
export function UnclearBox({ place }: { place: CSSProperties }) {
  const { t } = useTranslation();
  return (
    <span
      role="img"
      className="face-box face-box-unclear"
      aria-label={t('faceCompare.notUsableHelp')}
      style={place}
    >
      <span className="face-box-number">{t('faceCompare.notUsable')}</span>
    </span>
  );
}

/** A face in a photo, as a button with its number. */
export function FaceBox(props: {
  place: ReturnType<typeof placeOn>;
  number: number;
  label: string;
  chosen: boolean;
  disabled?: boolean;
  choose: () => void;
}) {
  const { place, number, label, chosen, disabled = false, choose } = props;
  return (
    <button
      type="button"
      className="face-box"
      aria-pressed={chosen}
      aria-label={label}
      style={place}
      disabled={disabled}
      onClick={choose}
    >
      <span className="face-box-number">{number}</span>
    </button>
  );
}
