import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CredentialRow } from '../../../core/contracts/dashboard/credentials.ts';
import { credentialsQuery, revokeCredential } from '../../api/credentials.ts';
import { useMay } from '../../api/session.ts';
import { ConfirmByTyping } from '../../components/ConfirmByTyping.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { useEnumLabels } from '../../i18n/enumLabels.ts';
import { CredentialState } from './credential.tsx';
import { Examples } from './Examples.tsx';

export function CredentialPanel({ credential, close }: { credential: CredentialRow; close: () => void }) {
  const { t } = useTranslation();
  const may = useMay();
  const { kind, id, name, scopes, state, userId, profile } = credential;
  const [revoking, setRevoking] = useState(false);
  const words = useEnumLabels().scopes;
  return (
    <Panel
      title={name}
      note={t(`apiAccess.kind_${kind}`)}
      mark={<CredentialState state={state} />}
      close={close}
    >
      <dl className="facts">
        <dt>{t('apiAccess.number')}</dt>
        <dd className="mono ltr">
          {kind === 'key' ? 'hmac' : 'token'}:{id}
        </dd>
        {userId === null ? null : (
          <>
            <dt>{t('apiAccess.userId')}</dt>
            <dd className="mono ltr">{userId}</dd>
            <dt>{t('apiAccess.profile')}</dt>
            <dd className="mono ltr">{profile}</dd>
          </>
        )}
        <dt>{t('apiAccess.scopes')}</dt>
        <dd>
          {scopes.map((scope) => (
            <div key={scope}>{words[scope]}</div>
          ))}
        </dd>
        <dt>{t('apiAccess.created')}</dt>
        <dd>
          <Time at={credential.createdAt} />
        </dd>
        <dt>{t('apiAccess.lastUsed')}</dt>
        <dd>
          {credential.lastUsedAt === null ? t('apiAccess.notUsed') : <Time at={credential.lastUsedAt} />}
        </dd>
        <dt>{t('apiAccess.expiry')}</dt>
        <dd>{credential.expiresAt === null ? t('apiAccess.never') : <Time at={credential.expiresAt} />}</dd>
        {credential.revokedAt === null ? null : (
          <>
            <dt>{t('apiAccess.revokedAt')}</dt>
            <dd>
              <Time at={credential.revokedAt} />
            </dd>
          </>
        )}
      </dl>
      {state === 'active' && may('tokens:write') ? (
        <div>
          <Button
            size="xs"
            variant="default"
            color="red"
            leftSection={<IconBan size={15} aria-hidden />}
            onClick={() => setRevoking(true)}
          >
            {t('apiAccess.revoke')}
          </Button>
        </div>
      ) : null}
      {state === 'active' ? <Examples credential={credential} /> : null}
      {revoking ? <Revocation credential={credential} close={() => setRevoking(false)} /> : null}
    </Panel>
  );
}

function Revocation({ credential, close }: { credential: CredentialRow; close: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <ConfirmByTyping
      title={t('apiAccess.revokeTitle')}
      name={credential.name}
      action={t('apiAccess.revoke')}
      close={close}
      run={async () => {
        await revokeCredential(credential);
        await client.invalidateQueries({ queryKey: credentialsQuery.queryKey });
      }}
    >
      <p>{t('apiAccess.revokeWhat')}</p>
    </ConfirmByTyping>
  );
}
