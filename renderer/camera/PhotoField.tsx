import { lazy, Suspense, useState } from 'react';
import { IconCamera, IconPhotoPlus, IconUserScan } from '@tabler/icons-react';
import { Action } from '../components/Page.tsx';
import { useMay } from '../api/session.ts';
import {
  ChosenFile,
  ImageDrop,
  PHOTO_TYPES,
  useFileChooser,
  useObjectUrl,
} from '../components/ImageDrop.tsx';
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
  /** How many photos it takes at once; unless given, one. */
  most?: number;
  /** Is given at least one. */
  take: (photos: readonly [File, ...File[]]) => void;
  /** null: the photo can no longer be replaced. */
  remove: (() => void) | null;
  removeLabel?: string;
}) {
  const { t } = useWords();
  const { label, title = t('common.dropPhoto'), photo, most = 1, take, remove } = props;
  const url = useObjectUrl(photo);
  return (
    <>
      <ChosenFile label={label} file={photo} />
      {photo === null ? (
        <ImageDrop
          take={take}
          most={most}
          accept={PHOTO_TYPES}
          Icon={IconUserScan}
          label={label}
          title={title}
          help={t('verify.dropHelp')}
          choose={t('common.choosePhoto')}
          paste={t('common.pastePhoto')}
        >
          <CameraWay take={take} />
        </ImageDrop>
      ) : (
        <figure className="photo-field">
          {/* A TIFF or a face record, which no browser shows, stands by its name. */}
          {url === null ? null : (
            <img
              key={url}
              src={url}
              alt={label}
              onError={({ currentTarget }) => (currentTarget.hidden = true)}
            />
          )}
          <figcaption className="row">
            <span dir="auto" className="soft cut">
              {photo.name}
            </span>
            {remove === null ? null : (
              <Action
                size="xs"
                className="push"
                label={props.removeLabel ?? t('verify.replace')}
                onClick={remove}
              />
            )}
          </figcaption>
        </figure>
      )}
    </>
  );
}

/** The button that opens the camera, for an operator who may use it. */
function CameraWay({ take, disabled = false }: { take: (photos: [File]) => void; disabled?: boolean }) {
  const { t } = useWords();
  const mayUse = useMay()('faces:compare');
  const [live, setLive] = useState(false);
  if (!mayUse) return null;
  return (
    <>
      <Action Icon={IconCamera} label={t('camera.use')} disabled={disabled} onClick={() => setLive(true)} />
      {live ? (
        <Suspense>
          <CameraDialog take={(photo) => take([photo])} close={() => setLive(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** The ways to add more photos of a person who has one. */
export function FurtherPhotos(props: {
  /** It takes no more. */
  full: boolean;
  disabled: boolean;
  help: string;
  take: (photos: readonly File[]) => void;
}) {
  const { t } = useWords();
  const { help, take } = props;
  const disabled = props.disabled || props.full;
  const label = t('verify.further');
  const { chooser, open } = useFileChooser({ label, take, accept: PHOTO_TYPES, multiple: true });
  return (
    <div className="column">
      <div className="row wrap">
        <Action Icon={IconPhotoPlus} label={label} disabled={disabled} onClick={open} />
        <CameraWay take={take} disabled={disabled} />
        {chooser}
      </div>
      <p className="soft">{help}</p>
    </div>
  );
}
