import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { createBlacklist } from '../../api/blacklists.ts';
import { Panel } from '../../components/Panel.tsx';
import { BlacklistForm } from './BlacklistForm.tsx';

export function NewBlacklist({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Panel title={t('blacklists.new')} close={close}>
      <BlacklistForm
        start={{ name: '', description: null }}
        action={t('blacklists.create')}
        submit={async (edit) => {
          const made = await createBlacklist(edit);
          await client.invalidateQueries({ queryKey: ['blacklists'] });
          await navigate(`/company/internal-biometrics/${made.id}`);
        }}
      />
    </Panel>
  );
}
