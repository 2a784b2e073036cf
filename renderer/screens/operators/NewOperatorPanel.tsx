import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { Form } from '../../components/Form.tsx';
import { PassphraseInput } from '../../components/PassphraseInput.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import {
  MIN_PASSPHRASE,
  OPERATOR_ROLES,
  type OperatorRole,
} from '../../../core/contracts/dashboard/session.ts';
import { ApiError } from '../../api/client.ts';
import { createOperator, operatorsQuery } from '../../api/operators.ts';
import { Select } from '../../components/Select.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { useFormats } from '../../i18n/format.ts';

export function NewOperatorPanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [role, setRole] = useState<OperatorRole>('reviewer');
  const [passphrase, setPassphrase] = useState('');
  const work = useReauthentication(createOperator, async ({ id }) => {
    await client.invalidateQueries({ queryKey: operatorsQuery.queryKey });
    await navigate(`/settings/operators/${id}`);
  });
  const fields = work.error instanceof ApiError ? work.error.fields : {};
  const ready = name.trim() !== '' && passphrase.length >= MIN_PASSPHRASE && !work.incomplete;
  return (
    <Panel title={t('operators.new')} close={close}>
      <Form
        className="column"
        autoComplete="off"
        send={() => {
          if (ready) work.start({ name: name.trim(), role, passphrase });
        }}
      >
        <TextInput
          autoFocus
          required
          withAsterisk={false}
          label={t('signIn.operator')}
          description={t('operators.nameHint')}
          maxLength={100}
          error={fields.name?.join(' ')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={t('operators.role')}
          data={OPERATOR_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
          value={role}
          onChange={(value) => setRole(value ?? role)}
        />
        <PassphraseInput
          required
          withAsterisk={false}
          label={t('signIn.passphrase')}
          description={t('operators.passphraseHint', { least: count(MIN_PASSPHRASE) })}
          autoComplete="new-password"
          error={fields.passphrase?.join(' ')}
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        {work.field}
        <ErrorLine error={Object.keys(fields).length > 0 ? null : work.error} />
        <div className="row">
          <Button className="push" type="submit" loading={work.pending} disabled={!ready}>
            {t('operators.create')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
