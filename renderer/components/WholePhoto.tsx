import { useTranslation } from 'react-i18next';
import type { Portrait } from '../../core/contracts/dashboard/portraits.ts';
import './photo.css';

/** A whole photo with the box of its face, as large as its place. */
export function WholePhoto({ portrait, name }: { portrait: Portrait; name: string }) {
  const { t } = useTranslation();
  const { imageUrl, width, height, box } = portrait;
  if (imageUrl === null) return <p className="soft">{t('face.noImage')}</p>;
  const share = (part: number, whole: number) => `${(100 * part) / whole}%`;
  return (
    <div className="whole-photo" style={{ aspectRatio: `${width} / ${height}` }}>
      <img src={imageUrl} alt={t('face.photo', { name })} draggable={false} />
      {box === null ? null : (
        <span
          className="whole-photo-box"
          style={{
            left: share(box.x, width),
            top: share(box.y, height),
            width: share(box.width, width),
            height: share(box.height, height),
          }}
        />
      )}
    </div>
  );
}
