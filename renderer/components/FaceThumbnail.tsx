import { useState, type PointerEvent, type CSSProperties } from 'react';
import { IconUserOff } from '@tabler/icons-react';
import { faceOfThumbnail, type FaceImage } from '../../core/contracts/dashboard/faceImages.ts';
import type { Box } from '../../core/contracts/faces.ts';
import { useWords, remembered } from '../i18n/words.tsx';
import { hoverPreviewStore } from '../state/undo.ts';
import { useScrollIdle } from './list/scrollIdle.ts';
import './parts.css';

/** Where a name goes in a text that is made once and filled in for each row. */
const NAME = '\u{f8ff}';
const textOfThumbnail = remembered<'face.thumbnail'>((t, key) => t(key, { name: NAME }));

/**
 * An aligned face of one size: the service crops it so that the eyes of all thumbnails are on one line. Hovering the
 * thumbnail of an enrolled face shows the whole photo.
 */
export function FaceThumbnail({ url, name, size = 28 }: { url: string | null; name: string; size?: number }) {
  const { t } = useWords();
  const [broken, setBroken] = useState(false);
  const standing = useScrollIdle();
  const style = { width: size, height: size };
  if (url === null || broken)
    return (
      <span
        className="face-thumbnail face-thumbnail-none"
        style={style}
        role="img"
        aria-label={t('face.noImage')}
        title={t('face.noImage')}
      >
        <IconUserOff size={Math.max(12, size * 0.45)} stroke={1.5} aria-hidden />
      </span>
    );
  const face = faceOfThumbnail(url);
  const rest = ({ pointerType, currentTarget }: PointerEvent) => {
    if (face !== undefined && pointerType === 'mouse')
      hoverPreviewStore.getState().over({ face, name, at: currentTarget.getBoundingClientRect() });
  };
  return (
    <img
      className="face-thumbnail"
      style={style}
      width={size}
      height={size}
      src={standing ? url : undefined}
      alt={textOfThumbnail(t, 'face.thumbnail').replace(NAME, () => name)}
      // After the present frame, so that the text of the rows is drawn first.
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(true)}
      onPointerEnter={rest}
      onPointerLeave={() => hoverPreviewStore.getState().away()}
    />
  );
}

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
  const { t } = useWords();
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

/**
 * A whole photo with the box of its face.
 * @param room what it may take, CSS pixels
 */
export function WholePhoto(props: {
  faceImage: FaceImage;
  name: string;
  room: { width: number; height: number };
}) {
  const { faceImage, name, room } = props;
  const { t } = useWords();
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const { imageUrl, width, height, box } = faceImage;
  if (imageUrl === null) return <p className="soft">{t('face.noImage')}</p>;
  if (imageUrl === unreadable) return <p className="soft">{t('face.unreadable')}</p>;
  const scale = Math.min(room.width / width, room.height / height);
  return (
    <div className="whole-photo" style={{ width: width * scale, height: height * scale }}>
      <img
        src={imageUrl}
        alt={t('face.photo', { name })}
        draggable={false}
        onError={() => setUnreadable(imageUrl)}
      />
      {box === null ? null : <span className="whole-photo-box" style={placeOn(faceImage, box)} />}
    </div>
  );
}
