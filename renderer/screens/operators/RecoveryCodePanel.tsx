import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { issueRecoveryCode, operatorsQuery } from '../../api/operators.ts';
import { useMay, useSession } from '../../api/session.ts';
import { Form } from '../../components/Form.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { useRecoverySheet } from '../../components/useRecoverySheet.ts';
import { useFormats } from '../../i18n/format.ts';

/** The company's way back in: whether there is one, and a new one. */
export function RecoveryCodePanel({ madeAt, close }: { madeAt: string | null; close: () => void }) {
  const { t } = useTranslation();
  const { time } = useFormats();
  const may = useMay();
  const sheet = useRecoverySheet(useSession().company.name);
  const client = useQueryClient();
  const [key, setKey] = useState<string | null>(null);
  const work = useReauthentication(issueRecoveryCode, async ({ recoveryCode }) => {
    setKey(recoveryCode);
    await client.invalidateQueries({ queryKey: operatorsQuery.queryKey });
  });
  return (
    <Panel title={t('operators.recovery')} close={close}>
      <p>{t('operators.recoveryHelp')}</p>
      <p>
        {madeAt === null ? t('operators.recoveryNone') : t('operators.recoveryMade', { time: time(madeAt) })}
      </p>
      {key !== null ? (
        <ShownOnce value={key} sheet={sheet} label={t('operators.recoveryStored')} proceed={close} />
      ) : may('operators:write') ? (
        <Form className="column" send={() => work.start(undefined)}>
          {madeAt === null ? null : <p className="soft">{t('operators.recoveryReplaces')}</p>}
          {work.field}
          <ErrorLine error={work.error} />
          <div>
            <Button type="submit" loading={work.pending} disabled={work.incomplete}>
              {t('operators.recoveryMake')}
            </Button>
          </div>
        </Form>
      ) : null}
    </Panel>
  );
}
