import { CloseButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { createBlacklist } from '../../api/blacklists.ts';
import { useKeys } from '../../state/keys.ts';
import { BlacklistForm } from './BlacklistForm.tsx';

export function NewBlacklist({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  useKeys([{ keys: ['Escape'], label: t('keys.close'), run: close }]);
  return (
    <aside className="panel" aria-label={t('blacklists.new')}>
      <div className="panel-head">
        <h2>{t('blacklists.new')}</h2>
        <CloseButton className="push" aria-label={t('common.close')} onClick={close} />
      </div>
      <div className="panel-body">
        <BlacklistForm
          start={{ name: '', description: null }}
          action={t('blacklists.create')}
          submit={async (edit) => {
            const made = await createBlacklist(edit);
            await client.invalidateQueries({ queryKey: ['blacklists'] });
            await navigate(`/company/internal-biometrics/${made.id}`);
          }}
        />
      </div>
    </aside>
  );
}
