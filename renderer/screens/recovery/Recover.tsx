import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Action } from '../../components/Page.tsx';
import { ApiError, formatFieldErrors } from '../../api/client.ts';
import { openSession, recoverSession, sessionQuery } from '../../api/session.ts';
import { Form, useNewPassphrase, Submit } from '../../components/Form.tsx';
import { RecoveryCode } from '../../components/ShownOnce.tsx';
import { useWords } from '../../i18n/words.tsx';

/**
 * Signing in after a lost passphrase: the recovery code sets a new passphrase, the next code is shown once, and the
 * operator is signed in.
 */
export default function Recover({ operator: typed, back }: { operator: string; back: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const [operator, setOperator] = useState(typed);
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const passphrase = useNewPassphrase([operator], t('passphrase.new'));
  const recover = useMutation({ mutationFn: recoverSession });
  const enter = useMutation({
    mutationFn: () => openSession(operator, passphrase.value),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const required = (value: string) => (missing && value.trim() === '' ? t('common.required') : null);
  if (recover.data !== undefined)
    return (
      <RecoveryCode
        value={recover.data.recoveryCode}
        title={t('recovery.nextTitle')}
        text={t('recovery.next')}
        label={t('signIn.title')}
        work={enter}
      />
    );
  return (
    <main className="center-stage">
      <Form
        noValidate
        className="card center-card wide column"
        send={() => {
          setMissing(true);
          if (passphrase.check() && operator.trim() !== '' && code.trim() !== '')
            recover.mutate({ operator, recoveryCode: code, passphrase: passphrase.value });
        }}
      >
        <h1 className="row">
          <IconKey size={22} aria-hidden /> {t('recovery.title')}
        </h1>
        <p className="soft">{t('recovery.help')}</p>
        <TextInput
          autoFocus={typed === ''}
          label={t('signIn.operator')}
          description={t('recovery.operatorHint')}
          autoComplete="username"
          maxLength={100}
          error={required(operator)}
          value={operator}
          onChange={(event) => setOperator(event.currentTarget.value)}
        />
        <TextInput
          autoFocus={typed !== ''}
          classNames={{ input: 'ltr' }}
          label={t('setup.recoveryTitle')}
          placeholder="XXXX-XXXX-XXXX-XXXX-XXXX-XXXX-XXXX-XXXX"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          error={required(code)}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {passphrase.fields}
        <Submit
          work={recover}
          error={recoveryError(recover.error, t('recovery.wrong'))}
          label={t('recovery.submit')}
        >
          <Action label={t('recovery.back')} onClick={back} />
        </Submit>
        <p className="soft">{t('recovery.without')}</p>
      </Form>
    </main>
  );
}

/** @param wrong the sentence for a code that the service does not accept */
function recoveryError(error: Error | null, wrong: string): Error | null {
  if (error instanceof ApiError && error.status === 401) return new ApiError(401, wrong);
  return formatFieldErrors(error);
}
