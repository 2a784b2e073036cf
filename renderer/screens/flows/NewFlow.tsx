import { CloseButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createFlow, flowsQuery } from '../../api/flows.ts';
import { useKeys } from '../../state/keys.ts';
import { FlowNameForm } from './FlowNameForm.tsx';

export function NewFlow({ close, created }: { close: () => void; created: (id: number) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  useKeys([{ keys: ['Escape'], label: t('keys.close'), run: close }]);
  return (
    <aside className="panel" aria-label={t('flows.new')}>
      <div className="panel-head">
        <h2>{t('flows.new')}</h2>
        <CloseButton className="push" aria-label={t('common.close')} onClick={close} />
      </div>
      <div className="panel-body">
        <FlowNameForm
          start=""
          action={t('flows.create')}
          submit={async (name) => {
            const { id } = await createFlow(name);
            await client.invalidateQueries({ queryKey: flowsQuery.queryKey });
            created(id);
          }}
        />
      </div>
    </aside>
  );
}
