import { useState } from 'react';
import { IconBan, IconCircleCheck, IconCircleX, IconClockOff, IconCircleDashed } from '@tabler/icons-react';
import { useQueryClient, useQuery } from '@tanstack/react-query';
import { Checkbox, Radio, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import {
  type CredentialRow,
  CREDENTIAL_KINDS,
  type CredentialKind,
  type MadeCredential,
  type NewCredential,
} from '../../../core/contracts/dashboard/credentials.ts';
import { HMAC_PROFILES, SCOPES, type HmacProfileName, type Scope } from '../../../core/contracts/codes.ts';
import { Action, Panel } from '../../components/Page.tsx';
import { credentialsQuery, revokeCredential, useMay, createCredential } from '../../api/session.ts';
import { ConfirmByTyping, Form, useReauthentication, Submit } from '../../components/Form.tsx';
import { Fact, Time, StatusMark } from '../../components/StatusBadge.tsx';
import { useEnumLabels } from '../../i18n/enumLabels.ts';
import { blacklistsQuery, flowsQuery } from '../../api/blacklists.ts';
import { CopyText, ShownOnce } from '../../components/ShownOnce.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { EXAMPLE_LANGUAGES, exampleOf, scopesWithExample, type ExampleLanguage } from './examples.ts';
import { ApiError } from '../../api/client.ts';
import { Select } from '../../components/Select.tsx';
import { useWords } from '../../i18n/words.tsx';

export function CredentialPanel({ credential, close }: { credential: CredentialRow; close: () => void }) {
  const { t } = useWords();
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
        <Fact label={t('facts.auditId')} className="mono ltr">
          {kind === 'key' ? 'hmac' : 'token'}:{id}
        </Fact>
        {userId === null ? null : (
          <>
            <Fact label={t('apiAccess.userId')} className="mono ltr">
              {userId}
            </Fact>
            <Fact label={t('apiAccess.profile')} className="mono ltr">
              {profile}
            </Fact>
          </>
        )}
        <Fact label={t('apiAccess.scopes')}>
          {scopes.map((scope) => (
            <div key={scope}>{words[scope]}</div>
          ))}
        </Fact>
        <Fact label={t('facts.created')} at={credential.createdAt} />
        <Fact label={t('apiAccess.lastUsed')}>
          {credential.lastUsedAt === null ? t('apiAccess.notUsed') : <Time at={credential.lastUsedAt} />}
        </Fact>
        <Fact label={t('apiAccess.expiry')}>
          {credential.expiresAt === null ? t('apiAccess.never') : <Time at={credential.expiresAt} />}
        </Fact>
        {credential.revokedAt === null ? null : (
          <Fact label={t('apiAccess.revokedAt')} at={credential.revokedAt} />
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
  const { t } = useWords();
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
  const { t } = useWords();
  return <StatusMark {...APPEARANCES[state]} label={t(`apiAccess.state_${state}`)} />;
}

/** In the address: numbers are unique only within a kind. */
export function nameOf({ kind, id }: Pick<CredentialRow, 'kind' | 'id'>): string {
  return `${kind}-${id}`;
}

/** Programs to paste, one for each scope, with the address that this page came from. */
export function Examples({ credential, secret }: { credential: CredentialRow; secret?: string }) {
  const { t } = useWords();
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
  const { t } = useWords();
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

const EXPIRIES = ['30', '90', '365', 'never'] as const;
type Expiry = (typeof EXPIRIES)[number];
const DAY_MS = 24 * 60 * 60_000;

/** A new token or key; its secret is shown here and nowhere else. */
export function NewCredentialPanel({ close }: { close: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [made, setMade] = useState<MadeCredential | null>(null);
  if (made !== null)
    return (
      <Panel title={t('apiAccess.made', { name: made.credential.name })} close={close}>
        <p>{t('apiAccess.madeHelp')}</p>
        {made.credential.userId === null ? null : (
          <dl className="facts">
            <Fact label="X-USER-ID" className="mono ltr">
              {made.credential.userId}
            </Fact>
          </dl>
        )}
        <ShownOnce
          value={made.secret}
          label={t('common.done')}
          proceed={() => void navigate(`/settings/api-access/${nameOf(made.credential)}`)}
        />
        <Examples credential={made.credential} secret={made.secret} />
      </Panel>
    );
  return (
    <Panel title={t('apiAccess.new')} close={close}>
      <CredentialForm
        done={async (result) => {
          setMade(result);
          await client.invalidateQueries({ queryKey: credentialsQuery.queryKey });
        }}
      />
    </Panel>
  );
}

function CredentialForm({ done }: { done: (made: MadeCredential) => unknown }) {
  const { t } = useWords();
  const [kind, setKind] = useState<CredentialKind>('token');
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>([]);
  const [expiry, setExpiry] = useState<Expiry>('365');
  const [profile, setProfile] = useState<HmacProfileName>('v1');
  const work = useReauthentication(createCredential, done);
  const fields = work.error instanceof ApiError ? work.error.fields : {};
  const ready = name.trim() !== '' && scopes.length > 0 && !work.incomplete;
  const wanted = () => newCredential({ kind, name, scopes, expiry, profile }, Date.now());
  return (
    <Form
      className="column"
      send={() => {
        if (ready) work.mutate(wanted());
      }}
    >
      <KindChoice kind={kind} choose={setKind} />
      <TextInput
        autoFocus
        required
        label={t('facts.name')}
        description={t('apiAccess.nameHint')}
        maxLength={100}
        error={fields.name?.join(' ')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Scopes kind={kind} chosen={scopes} choose={setScopes} />
      <Select
        label={t('apiAccess.expiry')}
        data={EXPIRIES.map((value) => ({ value, label: t(`apiAccess.expiry_${value}`) }))}
        error={fields.expiresAt?.join(' ')}
        value={expiry}
        onChange={(value) => setExpiry(value ?? expiry)}
      />
      {kind === 'key' ? <ProfileSelect profile={profile} choose={setProfile} /> : null}
      <Submit
        work={work}
        error={Object.keys(fields).length > 0 ? null : work.error}
        label={t('apiAccess.create')}
        disabled={!ready}
      />
    </Form>
  );
}

/** The request for what was filled in. @param now milliseconds */
function newCredential(
  form: { kind: CredentialKind; name: string; scopes: Scope[]; expiry: Expiry; profile: HmacProfileName },
  now: number,
): NewCredential {
  const { kind, name, scopes, expiry, profile } = form;
  const common = {
    name: name.trim(),
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    ...(expiry !== 'never' && { expiresAt: new Date(now + Number(expiry) * DAY_MS).toISOString() }),
  };
  return kind === 'token' ? { kind, ...common } : { kind, ...common, profile };
}

function KindChoice({ kind, choose }: { kind: CredentialKind; choose: (kind: CredentialKind) => void }) {
  const { t } = useWords();
  return (
    <Radio.Group label={t('apiAccess.kind')} value={kind} onChange={(value) => choose(value)}>
      <div className="column">
        {CREDENTIAL_KINDS.map((each) => (
          <Radio
            key={each}
            value={each}
            label={t(`apiAccess.kind_${each}`)}
            description={t(`apiAccess.kindHelp_${each}`)}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

function ProfileSelect(props: { profile: HmacProfileName; choose: (profile: HmacProfileName) => void }) {
  const { profile, choose } = props;
  const { t } = useWords();
  return (
    <Select
      label={t('apiAccess.profile')}
      description={t('apiAccess.profileHint')}
      data={HMAC_PROFILES.map((name) => ({ value: name, label: name }))}
      value={profile}
      onChange={(value) => choose(value ?? profile)}
    />
  );
}

function Scopes(props: { kind: CredentialKind; chosen: Scope[]; choose: (scopes: Scope[]) => void }) {
  const { kind, chosen, choose } = props;
  const { t } = useWords();
  const words = useEnumLabels().scopes;
  return (
    <Checkbox.Group label={t('apiAccess.scopes')} value={chosen} onChange={(value) => choose(value)}>
      <div className="column">
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={<span className="mono ltr">{scope}</span>}
            description={
              scope === 'signatures' && kind === 'key' ? t('apiAccess.signatureBearerOnly') : words[scope]
            }
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
