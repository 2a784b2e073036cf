import { useState } from 'react';
import { Checkbox, Radio, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { HMAC_PROFILES, SCOPES, type HmacProfileName, type Scope } from '../../../core/contracts/codes.ts';
import {
  CREDENTIAL_KINDS,
  type CredentialKind,
  type MadeCredential,
  type NewCredential,
} from '../../../core/contracts/dashboard/credentials.ts';
import { ApiError } from '../../api/client.ts';
import { createCredential, credentialsQuery } from '../../api/session.ts';
import { Form, useReauthentication, Submit } from '../../components/Form.tsx';
import { Select } from '../../components/Select.tsx';
import { Panel } from '../../components/Page.tsx';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { useEnumLabels } from '../../i18n/enumLabels.ts';
import { nameOf, Examples } from './CredentialPanel.tsx';

const EXPIRIES = ['30', '90', '365', 'never'] as const;
type Expiry = (typeof EXPIRIES)[number];
const DAY_MS = 24 * 60 * 60_000;

/** A new token or key; its secret is shown here and nowhere else. */
export function NewCredentialPanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [made, setMade] = useState<MadeCredential | null>(null);
  if (made !== null)
    return (
      <Panel title={t('apiAccess.made', { name: made.credential.name })} close={close}>
        <p>{t('apiAccess.madeHelp')}</p>
        {made.credential.userId === null ? null : (
          <dl className="facts">
            <dt>X-USER-ID</dt>
            <dd className="mono ltr">{made.credential.userId}</dd>
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
  const { t } = useTranslation();
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
        withAsterisk={false}
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
  const { t } = useTranslation();
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
  const { t } = useTranslation();
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
  const { t } = useTranslation();
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
