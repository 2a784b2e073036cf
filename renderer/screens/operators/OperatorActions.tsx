import { useState, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconLockOpen, IconLogout, IconPassword, IconUserOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { OperatorRow, OperatorChange } from '../../../core/contracts/dashboard/operators.ts';
import {
  MIN_PASSPHRASE,
  OPERATOR_ROLES,
  type OperatorRole,
} from '../../../core/contracts/dashboard/session.ts';
import { Action, ErrorLine, Panel } from '../../components/Page.tsx';
import { Form, PassphraseInput, useReauthentication, Submit } from '../../components/Form.tsx';
import { ApiError, formatFieldErrors } from '../../api/client.ts';
import { Select } from '../../components/Select.tsx';
import { useWords } from '../../i18n/words.tsx';
import {
  changeOperator,
  operatorsQuery,
  resetPassphrase,
  signOutOperator,
  unlockOperator,
  createOperator,
} from '../../api/session.ts';
import { undoStore } from '../../state/undo.ts';

/** The changes that an administrator can make to an operator. One passphrase field serves all of them. */
export function OperatorActions({ operator }: { operator: OperatorRow }) {
  const [resetting, setResetting] = useState(false);
  const actions = useOperatorActions(operator, () => setResetting(false));
  const { error, isPending, done } = actions;
  return (
    <div className="column">
      <RoleSelect key={operator.role} operator={operator} actions={actions} />
      <ActionButtons operator={operator} actions={actions} toggleReset={() => setResetting(!resetting)} />
      {resetting ? (
        <PassphraseReset
          name={operator.name}
          error={error}
          pending={isPending}
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
  actions: OperatorWork;
}

/** The role counts once it is saved: an arrow key passes through the roles between two of them. */
function RoleSelect({ operator: { role, lastAdmin }, actions }: Props) {
  const { t } = useWords();
  const [chosen, setChosen] = useState(role);
  return (
    <Form className="column" send={() => actions.changeRole(chosen)}>
      <Select
        label={t('operators.role')}
        disabled={lastAdmin || actions.isPending}
        data={OPERATOR_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
        value={chosen}
        onChange={(next) => setChosen(next ?? role)}
      />
      {chosen === role ? null : (
        <div>
          <Action type="submit" size="xs" label={t('operators.roleSave')} loading={actions.isPending} />
        </div>
      )}
    </Form>
  );
}

function ActionButtons({ operator, actions, toggleReset }: Props & { toggleReset: () => void }) {
  const { t } = useWords();
  return (
    <div className="row wrap">
      <ActionButton
        icon={<IconUserOff size={15} aria-hidden />}
        disabled={operator.lastAdmin}
        run={actions.toggleActive}
      >
        {t(operator.active ? 'common.deactivate' : 'operators.activate')}
      </ActionButton>
      <ActionButton icon={<IconPassword size={15} aria-hidden />} run={toggleReset}>
        {t('operators.reset')}
      </ActionButton>
      {operator.failedAttempts > 0 ? (
        <ActionButton icon={<IconLockOpen size={15} aria-hidden />} run={actions.unlock}>
          {t('lock.unlock')}
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
function Reauthentication({ actions }: { actions: OperatorWork }) {
  const { t } = useWords();
  const { field, incomplete, isPending, repeat } = actions;
  if (field === null) return null;
  return (
    <Form className="column" send={repeat}>
      {field}
      <div>
        <Action
          primary
          type="submit"
          size="xs"
          label={t('common.continue')}
          disabled={incomplete}
          loading={isPending}
        />
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
  const { t, count } = useWords();
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
        <Action
          primary
          type="submit"
          size="xs"
          label={t('operators.reset')}
          disabled={passphrase.length < MIN_PASSPHRASE}
          loading={pending}
        />
      </div>
    </Form>
  );
}

/** One change of an operator. All run through one reauthentication, so that the passphrase is asked for once. */
interface OperatorStep {
  run: () => Promise<unknown>;
  /** The result, as a sentence. */
  text: string;
  undo?: () => Promise<unknown>;
}

interface OperatorWork {
  changeRole: (role: OperatorRow['role']) => void;
  toggleActive: () => void;
  unlock: () => void;
  signOut: () => void;
  resetPassphrase: (passphrase: string) => void;
  /** Runs the last action once more, after the passphrase was given. */
  repeat: () => void;
  isPending: boolean;
  error: Error | null;
  /** The passphrase field, where the service asked for it; else null. */
  field: ReactNode;
  incomplete: boolean;
  /** The latest result, as a sentence; empty while an action runs. */
  done: string;
}

/** @param onDone called after each action that succeeded */
function useOperatorActions(operator: OperatorRow, onDone: () => void): OperatorWork {
  const { t } = useWords();
  const client = useQueryClient();
  const { id, name, role, active } = operator;
  const [done, setDone] = useState('');
  const [last, setLast] = useState<OperatorStep | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: operatorsQuery.queryKey });
  const { mutate, isPending, error, field, incomplete } = useReauthentication(
    ({ run }: OperatorStep) => run(),
    async (_result, { text, undo }) => {
      setDone(text);
      onDone();
      await refresh();
      if (undo !== undefined) undoStore.getState().offer(text, () => undo().then(refresh));
    },
  );
  const begin = (action: OperatorStep) => {
    setDone('');
    setLast(action);
    mutate(action);
  };
  const change = (to: OperatorChange, back: OperatorChange, text: string) =>
    begin({ run: () => changeOperator(id, to), text, undo: () => changeOperator(id, back) });
  return {
    changeRole: (next) =>
      change({ role: next }, { role }, t('operators.roleChanged', { name, role: t(`role.${next}`) })),
    toggleActive: () =>
      change(
        { active: !active },
        { active },
        t(active ? 'operators.deactivated' : 'operators.activated', { name }),
      ),
    unlock: () => begin({ run: () => unlockOperator(id), text: t('operators.unlocked', { name }) }),
    signOut: () => begin({ run: () => signOutOperator(id), text: t('operators.signedOut', { name }) }),
    resetPassphrase: (passphrase) =>
      begin({ run: () => resetPassphrase(id, passphrase), text: t('operators.resetDone', { name }) }),
    repeat: () => {
      if (last !== null) mutate(last);
    },
    isPending,
    error,
    field,
    incomplete,
    done,
  };
}

export function NewOperatorPanel({ close }: { close: () => void }) {
  const { t, count } = useWords();
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
        send={() => work.mutate({ name: name.trim(), role, passphrase })}
      >
        <TextInput
          autoFocus
          required
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
          label={t('signIn.passphrase')}
          description={t('operators.passphraseHint', { least: count(MIN_PASSPHRASE) })}
          autoComplete="new-password"
          error={fields.passphrase?.join(' ')}
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <Submit
          work={work}
          error={Object.keys(fields).length > 0 ? null : work.error}
          label={t('operators.create')}
          disabled={!ready}
        />
      </Form>
    </Panel>
  );
}
