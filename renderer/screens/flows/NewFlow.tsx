import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createFlow, flowsQuery } from '../../api/flows.ts';
import { Panel } from '../../components/Panel.tsx';
import { FlowNameForm } from './FlowNameForm.tsx';
import { suggestedRate } from './flowText.ts';

export function NewFlow({ close, created }: { close: () => void; created: (id: number) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data } = useQuery(flowsQuery);
  return (
    <Panel title={t('flows.new')} close={close}>
      <FlowNameForm
        start=""
        action={t('flows.create')}
        submit={async (name) => {
          const { id } = await createFlow(name, { targetFmr: 1 / suggestedRate(data?.enrolledFaces ?? 0) });
          await client.invalidateQueries({ queryKey: flowsQuery.queryKey });
          created(id);
        }}
      />
    </Panel>
  );
}
