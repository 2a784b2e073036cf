import { Button } from '@mantine/core';
import { IconUserScan } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ImageDrop } from './ImageDrop.tsx';
import { useObjectUrl } from './useObjectUrl.ts';
import './photoField.css';

/** The place of one photo of a person: an area that takes one, or the photo with a way to replace it. */
export function PhotoField(props: {
  /** Names the photo. */
  label: string;
  photo: File | null;
  take: (photo: File) => void;
  /** null: the photo can no longer be replaced. */
  remove: (() => void) | null;
}) {
  const { t } = useTranslation();
  const { label, photo, take, remove } = props;
  const url = useObjectUrl(photo);
  if (photo === null)
    return (
      <ImageDrop
        take={take}
        Icon={IconUserScan}
        label={label}
        title={t('verify.drop')}
        help={t('verify.dropHelp')}
        choose={t('verify.choose')}
        paste={t('verify.paste')}
      />
    );
  return (
    <figure className="photo-field">
      {url === null ? null : <img src={url} alt={label} />}
      <figcaption className="row">
        <span className="soft cut">{photo.name}</span>
        {remove === null ? null : (
          <Button className="push" size="xs" variant="default" onClick={remove}>
            {t('verify.replace')}
          </Button>
        )}
      </figcaption>
    </figure>
  );
}
