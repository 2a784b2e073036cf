import { useState, type PointerEvent } from 'react';
import { IconUserOff } from '@tabler/icons-react';
import { faceOfThumbnail } from '../../core/contracts/dashboard/faceImages.ts';
import { remembered, useTexts } from '../i18n/useTexts.tsx';
import { hoverPreviewStore } from '../state/hoverPreview.ts';
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
  const { t } = useTexts();
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
