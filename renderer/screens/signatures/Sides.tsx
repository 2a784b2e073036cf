import { Button, TextInput } from '@mantine/core';
import { IconAlertCircle, IconSignature } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ImageDrop, usePaste } from '../../components/ImageDrop.tsx';
import type { SidesState } from './useSides.ts';

/** Two places for an image. A pasted one goes to the first that is free. */
export function Sides(props: {
  sides: SidesState;
  /** The messages of the service for either image. */
  errors: readonly [string | undefined, string | undefined];
}) {
  const { t } = useTranslation();
  const { sides, errors } = props;
  const { pair, refused, put, remove } = sides;
  usePaste((file) => void put(file));
  return (
    <div className="sides">
      {([0, 1] as const).map((which) => {
        const side = pair[which];
        const label = t(which === 0 ? 'signatures.first' : 'signatures.second');
        const error = errors[which] ?? (refused[which] ? t('signatures.notImage') : undefined);
        return (
          <div key={which} className="side">
            {side === null ? (
              <ImageDrop
                take={(file) => void put(file, which)}
                Icon={IconSignature}
                label={label}
                title={label}
                help={t('signatures.dropHelp')}
                choose={t('signatures.choose')}
                paste={t('signatures.paste')}
              />
            ) : (
              <figure className="side-image">
                <img src={side.url} alt={label} />
                <figcaption className="row">
                  <strong>{label}</strong>
                  <span dir="auto" className="soft cut">
                    {side.file.name}
                  </span>
                  <Button className="push" size="xs" variant="default" onClick={() => remove(which)}>
                    {t('signatures.replace')}
                  </Button>
                </figcaption>
              </figure>
            )}
            {error === undefined ? null : (
              <p className="error-line" role="alert">
                <IconAlertCircle size={16} aria-hidden /> {error}
              </p>
            )}
          </div>
        );
      })}
    </div>
  );
}

export interface References {
  template: string;
  verification: string;
}

/** The caller's own references: the history is found by them. */
export function References({ names, change }: { names: References; change: (names: References) => void }) {
  const { t } = useTranslation();
  return (
    <div className="row wrap references">
      {(['template', 'verification'] as const).map((key) => (
        <TextInput
          key={key}
          label={t(`signatures.${key}`)}
          description={t(`signatures.${key}Help`)}
          maxLength={255}
          value={names[key]}
          onChange={(event) => change({ ...names, [key]: event.currentTarget.value })}
        />
      ))}
    </div>
  );
}
