import { IconKey } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { ErrorLine } from '../../components/states.tsx';

/** The way back when the passphrase is lost; shown this once. */
export function RecoveryCode(props: { value: string; stored: () => void; error: Error | null }) {
  const { t } = useTranslation();
  return (
    <main className="center-stage">
      <div className="card center-card wide column">
        <h1 className="row">
          <IconKey size={22} aria-hidden /> {t('setup.recoveryTitle')}
        </h1>
        <p>{t('setup.recovery')}</p>
        <ShownOnce value={props.value} proceed={props.stored} label={t('setup.enter')} />
        <ErrorLine error={props.error} />
      </div>
    </main>
  );
}
