import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createFlow, flowsQuery } from '../../api/flows.ts';
import { Panel } from '../../components/Panel.tsx';
import { FlowNameForm } from './FlowNameForm.tsx';

export function NewFlow({ close, created }: { close: () => void; created: (id: number) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <Panel title={t('flows.new')} close={close}>
      <FlowNameForm
        start=""
        action={t('flows.create')}
        submit={async (name) => {
          const { id } = await createFlow(name);
          await client.invalidateQueries({ queryKey: flowsQuery.queryKey });
          created(id);
        }}
      />
    </Panel>
  );
}
