import { IconKey } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useRecoverySheet } from '../../components/useRecoverySheet.ts';

/** The code that replaces a lost passphrase, shown once at the end of the set-up. */
export function RecoveryCode(props: {
  value: string;
  company: string;
  stored: () => void;
  pending: boolean;
  error: Error | null;
}) {
  const { t } = useTranslation();
  const sheet = useRecoverySheet(props.company);
  return (
    <main className="center-stage">
      <div className="card center-card wide column">
        <h1 className="row">
          <IconKey size={22} aria-hidden /> {t('setup.recoveryTitle')}
        </h1>
        <p>{t('setup.recovery')}</p>
        <ShownOnce
          value={props.value}
          sheet={sheet}
          proceed={props.stored}
          pending={props.pending}
          label={t('setup.next')}
        />
        <ErrorLine error={props.error} />
      </div>
    </main>
  );
}
