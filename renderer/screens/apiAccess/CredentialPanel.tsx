import { useState } from 'react';
import { IconBan, IconCircleCheck, IconCircleX, IconClockOff, IconCircleDashed } from '@tabler/icons-react';
import { useQueryClient, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CredentialRow } from '../../../core/contracts/dashboard/credentials.ts';
import { Action } from '../../components/Action.tsx';
import { credentialsQuery, revokeCredential, useMay } from '../../api/session.ts';
import { ConfirmByTyping } from '../../components/Form.tsx';
import { Panel } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { useEnumLabels } from '../../i18n/enumLabels.ts';
import { StatusMark } from '../../components/StatusBadge.tsx';
import { blacklistsQuery, flowsQuery } from '../../api/blacklists.ts';
import { CopyText } from '../../components/ShownOnce.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { EXAMPLE_LANGUAGES, exampleOf, scopesWithExample, type ExampleLanguage } from './examples.ts';

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
        <dt>{t('facts.created')}</dt>
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
          <Action
            size="xs"
            color="red"
            Icon={IconBan}
            label={t('apiAccess.revoke')}
            onClick={() => setRevoking(true)}
          />
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

const APPEARANCES = {
  active: { tone: 'good', Icon: IconCircleCheck },
  expired: { tone: 'calm', Icon: IconClockOff },
  revoked: { tone: 'bad', Icon: IconCircleX },
} as const;

export function CredentialState({ state }: Pick<CredentialRow, 'state'>) {
  const { t } = useTranslation();
  return <StatusMark {...APPEARANCES[state]} label={t(`apiAccess.state_${state}`)} />;
}

/** In the address: numbers are unique only within a kind. */
export function nameOf({ kind, id }: Pick<CredentialRow, 'kind' | 'id'>): string {
  return `${kind}-${id}`;
}

/** Programs to paste, one for each scope, with the address that this page came from. */
export function Examples({ credential, secret }: { credential: CredentialRow; secret?: string }) {
  const { t } = useTranslation();
  const [language, setLanguage] = useState<ExampleLanguage>('curl');
  const scopes = scopesWithExample(credential.kind, credential.scopes);
  const [scope, setScope] = useState(scopes[0]);
  const flow = useQuery(flowsQuery).data?.items.find(({ system }) => !system)?.id;
  const blacklist = useQuery(blacklistsQuery).data?.items[0]?.id;
  if (scope === undefined) return null;
  const text = exampleOf(language, scope, {
    address: window.location.origin,
    subject: credential,
    secret,
    flow,
    blacklist,
  });
  return (
    <section className="column">
      <div>
        <h3>{t('apiAccess.examples')}</h3>
        <p className="soft">
          {t('apiAccess.examplesHelp')} {credential.kind === 'key' ? t('apiAccess.examplesKey') : null}
        </p>
      </div>
      <SegmentedControl
        size="xs"
        aria-label={t('apiAccess.exampleScope')}
        data={scopes.map((value) => ({ value, label: <span className="ltr">{value}</span> }))}
        value={scope}
        onChange={(chosen) => setScope(chosen)}
      />
      <div className="row">
        <SegmentedControl
          size="xs"
          aria-label={t('apiAccess.examples')}
          data={[...EXAMPLE_LANGUAGES]}
          value={language}
          onChange={(chosen) => setLanguage(chosen)}
        />
        <span className="push">
          <CopyText value={text} small />
        </span>
      </div>
      <pre className="mono ltr example" tabIndex={0} aria-label={`${language}, ${scope}`}>
        {text}
      </pre>
      <FirstUse credential={credential} />
    </section>
  );
}

/** The service is asked so often while a program has not used the credential yet, milliseconds. */
const ASK_EVERY = 3_000;

/** Whether a program has used the credential: the result of an example that was run in a terminal. */
function FirstUse({ credential }: { credential: CredentialRow }) {
  const { t } = useTranslation();
  const lastUseIn = (items: readonly CredentialRow[] | undefined) =>
    items?.find((each) => nameOf(each) === nameOf(credential))?.lastUsedAt ?? credential.lastUsedAt;
  const { data } = useQuery({
    ...credentialsQuery,
    refetchInterval: ({ state }) => (lastUseIn(state.data?.items) === null ? ASK_EVERY : false),
  });
  const last = lastUseIn(data?.items);
  return (
    <p role="status">
      {last === null ? (
        <StatusMark tone="calm" Icon={IconCircleDashed} label={t('apiAccess.notTested')} />
      ) : (
        <StatusMark
          tone="good"
          Icon={IconCircleCheck}
          label={
            <>
              {t('apiAccess.tested')} <Time at={last} />
            </>
          }
        />
      )}
    </p>
  );
}
