import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CredentialRow } from '../../../core/contracts/dashboard/credentials.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { flowsQuery } from '../../api/flows.ts';
import { CopyText } from '../../components/CopyText.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { EXAMPLE_LANGUAGES, exampleOf, scopesWithExample, type ExampleLanguage } from './examples.ts';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { credentialsQuery } from '../../api/credentials.ts';
import { StatusMark } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { nameOf } from './credential.tsx';

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
        <StatusMark tone="calm" Icon={IconCircleDashed}>
          {t('apiAccess.notTested')}
        </StatusMark>
      ) : (
        <StatusMark tone="good" Icon={IconCircleCheck}>
          {t('apiAccess.tested')} <Time at={last} />
        </StatusMark>
      )}
    </p>
  );
}
