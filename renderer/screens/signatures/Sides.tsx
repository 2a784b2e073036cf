import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconAlertCircle, IconSignature } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ImageDrop, usePaste } from '../../components/ImageDrop.tsx';
import { openSide, type Side } from './side.ts';

type Pair = readonly [Side | null, Side | null];
type Which = 0 | 1;

/** Two places for an image. A pasted one goes to the first that is free. */
export function Sides(props: {
  pair: Pair;
  /** What the core said of either image. */
  errors: readonly [string | undefined, string | undefined];
  change: (pair: Pair) => void;
}) {
  const { t } = useTranslation();
  const { pair, errors, change } = props;
  const [refused, setRefused] = useState<readonly [boolean, boolean]>([false, false]);
  const put = async (which: Which, file: File) => {
    const side = await openSide(file).catch(() => null);
    setRefused(which === 0 ? [side === null, refused[1]] : [refused[0], side === null]);
    if (side === null) return;
    const before = pair[which];
    if (before !== null) URL.revokeObjectURL(before.url);
    change(which === 0 ? [side, pair[1]] : [pair[0], side]);
  };
  usePaste((file) => void put(pair[0] === null ? 0 : 1, file));
  const remove = (which: Which) => {
    const before = pair[which];
    if (before !== null) URL.revokeObjectURL(before.url);
    change(which === 0 ? [null, pair[1]] : [pair[0], null]);
  };
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
                take={(file) => void put(which, file)}
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
                  <span className="soft cut">{side.file.name}</span>
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
