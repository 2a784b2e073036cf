import { useTranslation } from 'react-i18next';
import type { FaceImage } from '../../core/contracts/dashboard/faceImages.ts';
import { placeOn } from './FaceBox.tsx';
import './parts.css';

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
  const { t } = useTranslation();
  const { imageUrl, width, height, box } = faceImage;
  if (imageUrl === null) return <p className="soft">{t('face.noImage')}</p>;
  const scale = Math.min(room.width / width, room.height / height);
  return (
    <div className="whole-photo" style={{ width: width * scale, height: height * scale }}>
      <img src={imageUrl} alt={t('face.photo', { name })} draggable={false} />
      {box === null ? null : <span className="whole-photo-box" style={placeOn(faceImage, box)} />}
    </div>
  );
}
