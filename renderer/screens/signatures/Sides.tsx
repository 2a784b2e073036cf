import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePaste } from '../../components/ImageDrop.tsx';
import { SideImage } from './SideImage.tsx';
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
      {([0, 1] as const).map((which) => (
        <SideImage
          key={which}
          side={pair[which]}
          label={t(which === 0 ? 'signatures.first' : 'signatures.second')}
          help={t('signatures.dropHelp')}
          paste={t('signatures.paste')}
          put={(file) => void put(file, which)}
          remove={() => remove(which)}
          fault={errors[which] ?? (refused[which] ? t('signatures.notImage') : null)}
        />
      ))}
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
