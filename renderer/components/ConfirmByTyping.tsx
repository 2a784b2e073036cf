import { useState, type ReactNode } from 'react';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Refusal } from '../api/client.ts';
import { confirmSession } from '../api/session.ts';
import { Dialog } from './Dialog.tsx';
import { ErrorLine } from './states.tsx';

/** Asks for the name of what will be gone for good. `children` say what goes with it: counts and names. */
export function ConfirmByTyping(props: {
  title: string;
  name: string;
  action: string;
  run: () => Promise<unknown>;
  close: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const work = useMutation({
    mutationFn: async () => {
      if (passphrase !== '') await confirmSession(passphrase);
      await props.run();
    },
    onSuccess: props.close,
  });
  const { error } = work;
  // Erasing on a session that was left open needs the passphrase again; the core says so when it does.
  const [asks, setAsks] = useState(false);
  if (!asks && error instanceof Refusal && error.code === 'REAUTHENTICATE') setAsks(true);
  const ready = typed.trim() === props.name && (!asks || passphrase !== '');
  return (
    <Dialog close={props.close} title={props.title}>
      <form
        className="column"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) work.mutate();
        }}
      >
        <div>{props.children}</div>
        <TextInput
          data-autofocus
          label={t('common.typeToConfirm', { name: props.name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
        {asks ? (
          <PasswordInput
            autoFocus
            label={t('signIn.passphrase')}
            description={t('common.passphraseAgain')}
            autoComplete="current-password"
            value={passphrase}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
          />
        ) : null}
        <ErrorLine error={asks && passphrase === '' ? null : error} />
        <div className="row">
          <Button className="push" variant="default" onClick={props.close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" color="red" disabled={!ready} loading={work.isPending}>
            {props.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
