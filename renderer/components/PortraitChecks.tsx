import { useState } from 'react';
import { IconRulerMeasure } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { faceOfThumbnail, type FaceImage } from '../../core/contracts/dashboard/faceImages.ts';
import type { PortraitCheck } from '../../core/contracts/portrait.ts';
import { portraitQuery } from '../api/validations.ts';
import { Action, Loaded } from './Page.tsx';
import { useWords } from '../i18n/words.tsx';

/** Native values from here on are pixels or degrees, of which one decimal says enough. */
const LARGE = 10;

/** The portrait checks of an enrolled photo, measured when the operator asks for them. */
export function PortraitChecks({ faceImage: { imageUrl, thumbnailUrl } }: { faceImage: FaceImage }) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const id = faceOfThumbnail(thumbnailUrl ?? '') ?? '';
  const loaded = useQuery({ ...portraitQuery(id), enabled: open });
  if (imageUrl === null || id === '') return null;
  if (!open)
    return (
      <div>
        <Action
          size="xs"
          Icon={IconRulerMeasure}
          label={t('portraitChecks.show')}
          onClick={() => setOpen(true)}
        />
      </div>
    );
  return (
    <section className="column" aria-label={t('portraitChecks.title')}>
      <h3>{t('portraitChecks.title')}</h3>
      <Loaded query={loaded} rows={6}>
        {({ refused, checks }) =>
          refused === null ? <Components checks={checks} /> : <p>{t(`failures.${refused}.sentence`)}</p>
        }
      </Loaded>
    </section>
  );
}

function Components({ checks }: { checks: readonly PortraitCheck[] }) {
  const { t, count } = useWords();
  return (
    <>
      <p className="soft">{t('portraitChecks.help')}</p>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('portraitChecks.component')}</th>
            <th scope="col">{t('portraitChecks.native')}</th>
            <th scope="col">{t('portraitChecks.value')}</th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ component, native, value }) => (
            <tr key={component}>
              <th scope="row">{t(`portraitChecks.components.${component}`)}</th>
              <td className="ltr">{native.toFixed(Math.abs(native) < LARGE ? 3 : 1)}</td>
              <td className="ltr">{count(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
