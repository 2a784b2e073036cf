import { useState } from 'react';
import { Button, PasswordInput } from '@mantine/core';
import { IconAlertTriangle, IconLockOpen, IconLogout, IconPassword, IconUserOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OperatorChange, OperatorRow } from '../../../core/contracts/dashboard/operators.ts';
import { MIN_PASSPHRASE, OPERATOR_ROLES } from '../../../core/contracts/dashboard/session.ts';
import { ApiError } from '../../api/client.ts';
import {
  changeOperator,
  operatorsQuery,
  resetPassphrase,
  signOutOperator,
  unlockOperator,
} from '../../api/operators.ts';
import { useMay } from '../../api/session.ts';
import { Select } from '../../components/Select.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { useFormats } from '../../i18n/format.ts';
import { undoStore } from '../../state/undo.ts';
import { SignInState } from './SignInState.tsx';

/** One operator: what they may do, how they get in, where they are signed in. */
export function OperatorPanel({ operator, close }: { operator: OperatorRow; close: () => void }) {
  const { t } = useTranslation();
  const { time, count } = useFormats();
  const may = useMay();
  const { name, lastAdmin, lockedUntil, sessions } = operator;
  return (
    <Panel
      title={name}
      note={t(`role.${operator.role}`)}
      mark={<SignInState operator={operator} />}
      close={close}
    >
      {lastAdmin ? (
        <p className="callout">
          <IconAlertTriangle size={16} aria-hidden />
          {t('operators.lastAdmin')}
        </p>
      ) : null}
      {lockedUntil === null ? null : (
        <p className="callout">
          <IconAlertTriangle size={16} aria-hidden />
          {t('operators.waitsHelp', { attempts: count(operator.failedAttempts), time: time(lockedUntil) })}
        </p>
      )}
      <dl className="facts">
        <dt>{t('apiAccess.number')}</dt>
        <dd className="mono ltr">operator:{operator.id}</dd>
        <dt>{t('apiAccess.created')}</dt>
        <dd>
          <Time at={operator.createdAt} />
        </dd>
        <dt>{t('operators.lastSeen')}</dt>
        <dd>
          <Time at={operator.lastSignedInAt} />
        </dd>
      </dl>
      {may('operators:write') ? <Actions operator={operator} /> : null}
      <section className="column">
        <h3>{t('operators.sessions')}</h3>
        {sessions.length === 0 ? (
          <p className="soft">{t('operators.noSessions')}</p>
        ) : (
          <ul className="sessions">
            {sessions.map(({ openedAt, usedAt, current }) => (
              <li key={openedAt}>
                {t('operators.sessionOpened', { opened: time(openedAt), used: time(usedAt) })}{' '}
                {current ? <span className="soft">({t('operators.current')})</span> : null}
              </li>
            ))}
          </ul>
        )}
      </section>
    </Panel>
  );
}

/** What is done runs through one door, so that a passphrase that is asked for is asked for once. */
interface Act {
  run: () => Promise<unknown>;
  /** What was done, in words. */
  text: string;
  undo?: () => Promise<unknown>;
}

function Actions({ operator }: { operator: OperatorRow }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, name, role, active, lastAdmin } = operator;
  const [done, setDone] = useState('');
  const [resetting, setResetting] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: operatorsQuery.queryKey });
  const work = useReauthentication(
    ({ run }: Act) => run(),
    async (_result, { text, undo }) => {
      setDone(text);
      setResetting(false);
      await refresh();
      if (undo !== undefined) undoStore.getState().offer(text, () => undo().then(refresh));
    },
  );
  const [last, setLast] = useState<Act | null>(null);
  const start = (act: Act) => {
    setDone('');
    setLast(act);
    work.start(act);
  };
  const change = (to: OperatorChange, back: OperatorChange, text: string) =>
    start({ run: () => changeOperator(id, to), text, undo: () => changeOperator(id, back) });
  return (
    <div className="column">
      <Select
        label={t('operators.role')}
        disabled={lastAdmin || work.pending}
        data={OPERATOR_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
        value={role}
        onChange={(next) => {
          if (next === null || next === role) return;
          change({ role: next }, { role }, t('operators.roleChanged', { name, role: t(`role.${next}`) }));
        }}
      />
      <div className="row wrap">
        <Button
          size="xs"
          variant="default"
          disabled={lastAdmin}
          leftSection={<IconUserOff size={15} aria-hidden />}
          onClick={() =>
            change(
              { active: !active },
              { active },
              t(active ? 'operators.deactivated' : 'operators.activated', { name }),
            )
          }
        >
          {t(active ? 'operators.deactivate' : 'operators.activate')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPassword size={15} aria-hidden />}
          onClick={() => setResetting(!resetting)}
        >
          {t('operators.reset')}
        </Button>
        {operator.failedAttempts > 0 ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconLockOpen size={15} aria-hidden />}
            onClick={() => start({ run: () => unlockOperator(id), text: t('operators.unlocked', { name }) })}
          >
            {t('operators.unlock')}
          </Button>
        ) : null}
        {operator.sessions.length > 0 ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconLogout size={15} aria-hidden />}
            onClick={() =>
              start({ run: () => signOutOperator(id), text: t('operators.signedOut', { name }) })
            }
          >
            {t('operators.signOut')}
          </Button>
        ) : null}
      </div>
      {resetting ? (
        <Reset
          operator={operator}
          error={work.error}
          pending={work.pending}
          reset={(passphrase) =>
            start({ run: () => resetPassphrase(id, passphrase), text: t('operators.resetDone', { name }) })
          }
        />
      ) : (
        <ErrorLine error={inWords(work.error)} />
      )}
      {work.field === null ? null : (
        <form
          className="column"
          onSubmit={(event) => {
            event.preventDefault();
            if (last !== null && !work.incomplete) work.start(last);
          }}
        >
          {work.field}
          <div>
            <Button type="submit" size="xs" loading={work.pending} disabled={work.incomplete}>
              {t('lock.unlock')}
            </Button>
          </div>
        </form>
      )}
      <p className="soft" role="status">
        {done}
      </p>
    </div>
  );
}

/** What the core says of a field, where there is no field to say it beside. */
function inWords(error: Error | null): Error | null {
  if (!(error instanceof ApiError)) return error;
  const sentences = Object.values(error.fields).flat();
  return sentences.length === 0 ? error : new ApiError(error.status, sentences.join(' '));
}

function Reset(props: {
  operator: OperatorRow;
  error: Error | null;
  pending: boolean;
  reset: (passphrase: string) => void;
}) {
  const { operator, error, pending, reset } = props;
  const { t } = useTranslation();
  const { count } = useFormats();
  const [passphrase, setPassphrase] = useState('');
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <form
      className="card column"
      onSubmit={(event) => {
        event.preventDefault();
        reset(passphrase);
      }}
    >
      <p>{t('operators.resetHelp', { name: operator.name })}</p>
      <PasswordInput
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
    </form>
  );
}
