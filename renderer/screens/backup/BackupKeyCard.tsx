import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconKey } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { BackupState } from '../../../core/contracts/dashboard/backups.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { backupQuery, checkBackupKey, draftBackupKey, setBackupKey } from '../../api/system.ts';
import { useSession } from '../../api/session.ts';
import { Form, useReauthentication } from '../../components/Form.tsx';
import { Fact } from '../../components/StatusBadge.tsx';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { useWords } from '../../i18n/words.tsx';

interface Props {
  present: BackupState['key'];
  canWrite: boolean;
}

/** The key that opens the backups: when it was created, a new one, and a test of the printed one. */
export function BackupKeyCard({ present, canWrite }: Props) {
  const { t } = useWords();
  return (
    <section className="card column">
      <h2>{t('backups.key')}</h2>
      {present === null ? (
        <p className="row">
          <IconAlertTriangle size={18} color="var(--warn)" aria-hidden />
          <span>{t('backups.noKey')}</span>
        </p>
      ) : (
        <dl className="facts">
          <Fact label={t('facts.created')} at={present.madeAt} />
          <Fact label={t('facts.fingerprint')} className="mono ltr">
            {present.fingerprint}
          </Fact>
        </dl>
      )}
      <p className="soft">{t('backups.keyHelp')}</p>
      {canWrite ? <KeyMaker present={present} /> : null}
      {canWrite && present !== null ? <KeyTest /> : null}
    </section>
  );
}

function KeyMaker({ present }: Pick<Props, 'present'>) {
  const { t } = useWords();
  const { company } = useSession();
  const client = useQueryClient();
  const [draft, setDraft] = useState<Awaited<ReturnType<typeof draftBackupKey>> | null>(null);
  const make = useReauthentication(draftBackupKey, setDraft);
  const store = useReauthentication(setBackupKey, (state) => {
    client.setQueryData(backupQuery.queryKey, state);
    setDraft(null);
  });
  if (draft !== null)
    return (
      <>
        <NewBackupKey
          text={draft.text}
          fingerprint={draft.fingerprint}
          company={company.name}
          label={t('backups.keyUse')}
          pending={store.isPending}
          stored={() => store.mutate({ publicKey: draft.publicKey, replaces: present?.fingerprint ?? null })}
        />
        {store.field}
        <ErrorLine error={store.error} />
      </>
    );
  return (
    <Form className="column" send={() => make.mutate()}>
      {make.field}
      <ErrorLine error={make.error} />
      <div className="row wrap">
        <Action
          variant={present === null ? 'filled' : 'default'}
          type="submit"
          Icon={IconKey}
          label={t(present === null ? 'backups.keyCreate' : 'backups.keyReplace')}
          disabled={make.incomplete}
          loading={make.isPending}
        />
        {present === null ? null : <span className="soft">{t('backups.keyReplaces')}</span>}
      </div>
    </Form>
  );
}

/** Compares a typed key with the present one, so that a wrong sheet of paper is found before it is needed. */
function KeyTest() {
  const { t } = useWords();
  const [typed, setTyped] = useState('');
  const [result, setResult] = useState<Awaited<ReturnType<typeof checkBackupKey>> | null>(null);
  const work = useReauthentication(checkBackupKey, (found) => {
    setResult(found);
    if (found.result === 'right') setTyped('');
  });
  const Icon = result?.result === 'right' ? IconCircleCheck : IconAlertTriangle;
  return (
    <Form className="column" send={() => work.mutate(typed)}>
      <TextInput
        label={t('backups.test')}
        description={t('backups.testHelp')}
        classNames={{ input: 'ltr' }}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setResult(null);
        }}
      />
      {work.field}
      <ErrorLine error={work.error} />
      {result === null ? null : (
        <p className="row" role="status">
          <Icon size={18} color={result.result === 'right' ? 'var(--good)' : 'var(--warn)'} aria-hidden />
          <span>{t(`backups.test_${result.result}`, { fingerprint: result.fingerprint ?? '' })}</span>
        </p>
      )}
      <div>
        <Action
          type="submit"
          label={t('backups.testRun')}
          disabled={typed.trim() === '' || work.incomplete}
          loading={work.isPending}
        />
      </div>
    </Form>
  );
}

/** A drafted backup key, shown this once. It becomes the present key when the operator has stored it. */
export function NewBackupKey(props: {
  text: string;
  fingerprint: string;
  company: string;
  label: string;
  pending: boolean;
  stored: () => void;
}) {
  const { text, fingerprint, company, label, pending, stored } = props;
  const { t, time } = useWords();
  return (
    <>
      <p>{t('backups.keyShown')}</p>
      <ShownOnce
        value={text}
        sheet={{
          title: `${t('backups.key')} · ${company}`,
          lines: [
            t('backups.keyShown'),
            t('backups.keySheet', { fingerprint, time: time(new Date().toISOString()) }),
          ],
          file: 'vouch-backup-key.txt',
        }}
        label={label}
        pending={pending}
        proceed={stored}
      />
    </>
  );
}
