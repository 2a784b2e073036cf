import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TrustedInstallationView } from '../../../core/contracts/blacklistTransfer.ts';
import { revokeInstallation, trustedInstallationsQuery } from '../../api/blacklistTransfer.ts';
import { useMay } from '../../api/session.ts';
import { ConfirmByTyping } from '../../components/ConfirmByTyping.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { Fingerprint } from './Fingerprint.tsx';

/** An installation that the company trusts. */
export function InstallationPanel({
  installation,
  close,
}: {
  installation: TrustedInstallationView;
  close: () => void;
}) {
  const { t } = useTranslation();
  const may = useMay();
  const client = useQueryClient();
  const [leaving, setLeaving] = useState(false);
  return (
    <Panel title={installation.name} close={close}>
      <Fingerprint of={installation.fingerprint} />
      <dl className="facts">
        <dt>{t('exchange.trustedSince')}</dt>
        <dd>
          <Time at={installation.trustedAt} />
        </dd>
      </dl>
      {may('blacklists:exchange') ? (
        <div className="row wrap">
          <Button
            size="xs"
            component={Link}
            to={`/exchange/export?installation=${installation.id}`}
            leftSection={<IconSend size={15} className="mirrored" aria-hidden />}
          >
            {t('exchange.export')}
          </Button>
          <Button size="xs" variant="subtle" color="red" onClick={() => setLeaving(true)}>
            {t('exchange.distrust')}
          </Button>
        </div>
      ) : null}
      {leaving ? (
        <ConfirmByTyping
          title={t('exchange.distrustTitle')}
          name={installation.name}
          action={t('exchange.distrustTitle')}
          close={() => setLeaving(false)}
          run={async () => {
            await revokeInstallation(installation.id);
            close();
            await client.invalidateQueries({ queryKey: trustedInstallationsQuery.queryKey });
          }}
        >
          <p>{t('exchange.distrustWhat')}</p>
        </ConfirmByTyping>
      ) : null}
    </Panel>
  );
}
