import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { faceQuery } from '../api/paletteSearch.ts';
import { WholePhoto } from '../components/WholePhoto.tsx';
import { useFormats } from '../i18n/format.ts';
import { hoverPreviewStore } from '../state/hoverPreview.ts';

const PHOTO = { width: 284, height: 330 };
/** With the words under the photo. */
const SIZE = { width: 302, height: 400 };
/** Between the thumbnail and the photo, and to the edges of the window, CSS pixels. */
const GAP = 12;

/**
 * The whole photo of the face that the pointer rests on. It stays while the pointer is on either, and Escape, scrolling
 * or a click puts it away (WCAG 1.4.13). By keyboard, Enter opens what holds the same photo.
 */
export function HoverPreview() {
  const previewed = hoverPreviewStore((state) => state.previewed);
  useEffect(() => {
    if (previewed === null) return;
    const { hide } = hoverPreviewStore.getState();
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      hide();
    };
    window.addEventListener('keydown', escape, true);
    window.addEventListener('scroll', hide, true);
    window.addEventListener('pointerdown', hide, true);
    return () => {
      window.removeEventListener('keydown', escape, true);
      window.removeEventListener('scroll', hide, true);
      window.removeEventListener('pointerdown', hide, true);
      hide();
    };
  }, [previewed]);
  return previewed === null ? null : <Photo key={previewed.face} {...previewed} />;
}

function Photo({ face, name, at }: { face: string; name: string; at: DOMRect }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { data } = useQuery(faceQuery(face));
  const { over, away } = hoverPreviewStore.getState();
  if (data === undefined) return null;
  const { faceImage } = data;
  const before = at.left - GAP - SIZE.width;
  const after = at.right + GAP;
  const left = after + SIZE.width <= innerWidth - GAP || before < GAP ? after : before;
  const top = Math.max(GAP, Math.min(at.top, innerHeight - SIZE.height - GAP));
  return (
    <aside
      className="hover-preview"
      style={{ width: SIZE.width, left, top }}
      aria-label={t('face.photo', { name })}
      onPointerEnter={() => over()}
      onPointerLeave={away}
    >
      <WholePhoto faceImage={faceImage} name={name} room={PHOTO} />
      <div>
        <p className="cut">
          <strong>{name}</strong>
        </p>
        <p className="soft">
          {faceImage.quality === null ? null : t('face.quality', { score: count(faceImage.quality) }) + ' · '}
          {count(faceImage.width)} × {count(faceImage.height)}
        </p>
      </div>
    </aside>
  );
}
