import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Form } from '../../components/Form.tsx';
import { PassphraseInput } from '../../components/PassphraseInput.tsx';
import { IconLockOpen, IconLogout, IconPassword, IconUserOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { OperatorRow } from '../../../core/contracts/dashboard/operators.ts';
import { MIN_PASSPHRASE, OPERATOR_ROLES } from '../../../core/contracts/dashboard/session.ts';
import { ApiError, formatFieldErrors } from '../../api/client.ts';
import { Select } from '../../components/Select.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useOperatorActions, type OperatorActions as Actions } from './useOperatorActions.ts';

/** The changes that an administrator can make to an operator. One passphrase field serves all of them. */
export function OperatorActions({ operator }: { operator: OperatorRow }) {
  const [resetting, setResetting] = useState(false);
  const actions = useOperatorActions(operator, () => setResetting(false));
  const { error, pending, done } = actions;
  return (
    <div className="column">
      <RoleSelect operator={operator} actions={actions} />
      <ActionButtons operator={operator} actions={actions} toggleReset={() => setResetting(!resetting)} />
      {resetting ? (
        <PassphraseReset
          name={operator.name}
          error={error}
          pending={pending}
          reset={actions.resetPassphrase}
        />
      ) : (
        <ErrorLine error={formatFieldErrors(error)} />
      )}
      <Reauthentication actions={actions} />
      <p className="soft" role="status">
        {done}
      </p>
    </div>
  );
}

interface Props {
  operator: OperatorRow;
  actions: Actions;
}

function RoleSelect({ operator: { role, lastAdmin }, actions }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('operators.role')}
      disabled={lastAdmin || actions.pending}
      data={OPERATOR_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
      value={role}
      onChange={(next) => {
        if (next !== null && next !== role) actions.changeRole(next);
      }}
    />
  );
}

function ActionButtons({ operator, actions, toggleReset }: Props & { toggleReset: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="row wrap">
      <ActionButton
        icon={<IconUserOff size={15} aria-hidden />}
        disabled={operator.lastAdmin}
        run={actions.toggleActive}
      >
        {t(operator.active ? 'operators.deactivate' : 'operators.activate')}
      </ActionButton>
      <ActionButton icon={<IconPassword size={15} aria-hidden />} run={toggleReset}>
        {t('operators.reset')}
      </ActionButton>
      {operator.failedAttempts > 0 ? (
        <ActionButton icon={<IconLockOpen size={15} aria-hidden />} run={actions.unlock}>
          {t('operators.unlock')}
        </ActionButton>
      ) : null}
      {operator.sessions.length > 0 ? (
        <ActionButton icon={<IconLogout size={15} aria-hidden />} run={actions.signOut}>
          {t('operators.signOut')}
        </ActionButton>
      ) : null}
    </div>
  );
}

function ActionButton(props: { icon: ReactNode; disabled?: boolean; run: () => void; children: string }) {
  const { icon, disabled = false, run, children } = props;
  return (
    <Button size="xs" variant="default" disabled={disabled} leftSection={icon} onClick={run}>
      {children}
    </Button>
  );
}

/** The passphrase of the signed-in operator, where the service asks for it again. */
function Reauthentication({ actions }: { actions: Actions }) {
  const { t } = useTranslation();
  const { field, incomplete, pending, repeat } = actions;
  if (field === null) return null;
  return (
    <Form
      className="column"
      send={() => {
        if (!incomplete) repeat();
      }}
    >
      {field}
      <div>
        <Button type="submit" size="xs" loading={pending} disabled={incomplete}>
          {t('lock.unlock')}
        </Button>
      </div>
    </Form>
  );
}

function PassphraseReset(props: {
  name: string;
  error: Error | null;
  pending: boolean;
  reset: (passphrase: string) => void;
}) {
  const { name, error, pending, reset } = props;
  const { t } = useTranslation();
  const { count } = useFormats();
  const [passphrase, setPassphrase] = useState('');
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <Form className="card column" send={() => reset(passphrase)}>
      <p>{t('operators.resetHelp', { name })}</p>
      <PassphraseInput
        autoFocus
        label={t('operators.reset')}
        description={t('operators.passphraseHint', { least: count(MIN_PASSPHRASE) })}
        autoComplete="new-password"
        error={fields.passphrase?.join(' ')}
        value={passphrase}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
      />
      <ErrorLine error={fields.passphrase === undefined ? error : null} />
      <div>
        <Button type="submit" size="xs" loading={pending} disabled={passphrase.length < MIN_PASSPHRASE}>
          {t('operators.reset')}
        </Button>
      </div>
    </Form>
  );
}
