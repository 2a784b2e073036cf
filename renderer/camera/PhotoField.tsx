import { lazy, Suspense, useState } from 'react';
import { IconCamera, IconUserScan } from '@tabler/icons-react';
import { Action } from '../components/Page.tsx';
import { useMay } from '../api/session.ts';
import { ImageDrop, useObjectUrl } from '../components/ImageDrop.tsx';
import { useWords } from '../i18n/words.tsx';
import '../components/parts.css';

/** Loaded when an operator first opens the camera. */
const CameraDialog = lazy(async () => ({
  default: (await import('./CameraDialog.tsx')).CameraDialog,
}));

/** The place of one photo of a person: an area that takes one, or the photo with a way to replace it. */
export function PhotoField(props: {
  /** Names the photo. */
  label: string;
  /** The heading of the empty area, on a page with several. */
  title?: string;
  photo: File | null;
  take: (photo: File) => void;
  /** null: the photo can no longer be replaced. */
  remove: (() => void) | null;
}) {
  const { t } = useWords();
  const { label, title = t('common.dropPhoto'), photo, take, remove } = props;
  const url = useObjectUrl(photo);
  const mayUseCamera = useMay()('faces:compare');
  const [live, setLive] = useState(false);
  if (photo === null)
    return (
      <ImageDrop
        take={take}
        Icon={IconUserScan}
        label={label}
        title={title}
        help={t('verify.dropHelp')}
        choose={t('common.choosePhoto')}
        paste={t('common.pastePhoto')}
      >
        {mayUseCamera ? (
          <Action Icon={IconCamera} label={t('camera.use')} onClick={() => setLive(true)} />
        ) : null}
        {live ? (
          <Suspense>
            <CameraDialog take={take} close={() => setLive(false)} />
          </Suspense>
        ) : null}
      </ImageDrop>
    );
  return (
    <figure className="photo-field">
      {url === null ? null : <img src={url} alt={label} />}
      <figcaption className="row">
        <span dir="auto" className="soft cut">
          {photo.name}
        </span>
        {remove === null ? null : (
          <Action size="xs" className="push" label={t('verify.replace')} onClick={remove} />
        )}
      </figcaption>
    </figure>
  );
}
