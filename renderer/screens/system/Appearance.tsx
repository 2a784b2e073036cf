import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, type Language } from '../../../core/contracts/dashboard/session.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useAppearance } from '../../appShell/useAppearance.ts';

/** Language, theme and contrast of the operator who looks. */
export function Appearance() {
  const { t } = useTranslation();
  const { appearance, choose, error } = useAppearance();
  return (
    <section className="card column">
      <div>
        <h2>{t('system.appearance')}</h2>
        <p className="soft">{t('system.appearanceHelp')}</p>
      </div>
      <SegmentedControl
        aria-label={t('top.language')}
        value={appearance.language}
        data={(Object.keys(LANGUAGES) as Language[]).map((value) => ({
          value,
          label: <span lang={value}>{LANGUAGES[value]}</span>,
        }))}
        onChange={(language) => choose({ language: language })}
      />
      <SegmentedControl
        aria-label={t('system.theme')}
        value={appearance.scheme}
        data={[
          { value: 'light', label: t('top.light') },
          { value: 'dark', label: t('top.dark') },
          { value: 'auto', label: t('top.system') },
        ]}
        onChange={(scheme) => choose({ scheme: scheme })}
      />
      <Checkbox
        label={t('top.highContrast')}
        checked={appearance.highContrast}
        onChange={(event) => choose({ highContrast: event.currentTarget.checked })}
      />
      <ErrorLine error={error} />
    </section>
  );
}
