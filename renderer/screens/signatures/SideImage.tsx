import { Button } from '@mantine/core';
import { IconAlertCircle, IconSignature } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ImageDrop } from '../../components/ImageDrop.tsx';
import type { Side } from './side.ts';

/** The place for one image: an area to drop it, or the image with its file name. */
export function SideImage(props: {
  side: Side | null;
  label: string;
  help: string;
  paste: string;
  put: (file: File) => void;
  remove: () => void;
  /** Why the image is not taken; null: it is, or there is none. */
  fault: string | null;
}) {
  const { side, label, help, paste, put, remove, fault } = props;
  const { t } = useTranslation();
  return (
    <div className="side">
      {side === null ? (
        <ImageDrop
          take={put}
          Icon={IconSignature}
          label={label}
          title={label}
          help={help}
          choose={t('signatures.choose')}
          paste={paste}
        />
      ) : (
        <figure className="side-image">
          <img src={side.url} alt={label} />
          <figcaption className="row">
            <strong>{label}</strong>
            <span dir="auto" className="soft cut">
              {side.file.name}
            </span>
            <Button className="push" size="xs" variant="default" onClick={remove}>
              {t('signatures.replace')}
            </Button>
          </figcaption>
        </figure>
      )}
      <Fault text={fault} />
    </div>
  );
}

export function Fault({ text }: { text: string | null }) {
  return text === null ? null : (
    <p className="error-line" role="alert">
      <IconAlertCircle size={16} aria-hidden /> {text}
    </p>
  );
}
