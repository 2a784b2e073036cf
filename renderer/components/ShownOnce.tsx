import { useState } from 'react';
import { Button, Checkbox, CopyButton } from '@mantine/core';
import { IconDownload, IconPrinter, IconCheck, IconCopy, IconKey } from '@tabler/icons-react';
import { createPortal } from 'react-dom';
import { Action, ErrorLine } from './Page.tsx';
import { downloadFile } from './ExportButton.tsx';
import { useWords } from '../i18n/words.tsx';
import './parts.css';

/** How a secret is printed and saved. */
export interface SecretSheet {
  title: string;
  /** Sentences below the secret: what it opens, and how to keep it. */
  lines: readonly string[];
  /** Name of the saved file. */
  file: string;
}

/**
 * A secret that is never shown again: the operator copies, prints or saves it, confirms that it is stored, and continues.
 * The saved file has the secret alone in its first line, as the command line reads it; the other lines are comments.
 */
export function ShownOnce(props: {
  value: string;
  proceed: () => void;
  label: string;
  sheet?: SecretSheet;
  pending?: boolean;
}) {
  const { value, proceed, label, sheet, pending = false } = props;
  const { t } = useWords();
  const [stored, setStored] = useState(false);
  return (
    <div className="column">
      <div className="row">
        <code className="mono ltr secret">{value}</code>
        <CopyText value={value} />
      </div>
      {sheet === undefined ? null : <SheetActions value={value} sheet={sheet} />}
      <Checkbox
        label={t('common.stored')}
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Action primary label={label} disabled={!stored} loading={pending} onClick={proceed} />
    </div>
  );
}

function SheetActions({ value, sheet }: { value: string; sheet: SecretSheet }) {
  const { t } = useWords();
  const { title, lines, file } = sheet;
  const save = () => {
    const text = [value, ...[title, ...lines].map((line) => `# ${line}`), ''].join('\n');
    downloadFile(file, new Blob([text], { type: 'text/plain' }));
  };
  return (
    <div className="row">
      <Action Icon={IconPrinter} label={t('common.print')} onClick={() => window.print()} />
      <Action Icon={IconDownload} label={t('common.saveFile')} onClick={save} />
      {createPortal(
        <section className="secret-sheet" aria-hidden>
          <h1>{title}</h1>
          <p className="mono ltr">{value}</p>
          {lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </section>,
        document.body,
      )}
    </div>
  );
}

/** The sheet of a sign-in recovery code. @param company its name; omitted where the page does not know it */
export function useRecoverySheet(company?: string): SecretSheet {
  const { t, time } = useWords();
  return {
    title: company === undefined ? t('setup.recoveryTitle') : `${t('setup.recoveryTitle')} · ${company}`,
    lines: [t('setup.recovery'), t('recovery.sheet', { time: time(new Date().toISOString()) })],
    file: 'vouch-recovery-code.txt',
  };
}

/**
 * The page of a code that replaces a lost passphrase, shown once.
 * @param props `company`: its name; absent where the page does not know it; `work`: what follows when the code is stored
 */
export function RecoveryCode(props: {
  value: string;
  company?: string;
  title: string;
  text: string;
  label: string;
  work: { mutate: () => void; isPending: boolean; error: Error | null };
}) {
  const { value, company, title, text, label, work } = props;
  const sheet = useRecoverySheet(company);
  return (
    <main className="center-stage">
      <div className="card center-card wide column">
        <h1 className="row">
          <IconKey size={22} aria-hidden /> {title}
        </h1>
        <p>{text}</p>
        <ShownOnce
          value={value}
          sheet={sheet}
          label={label}
          pending={work.isPending}
          proceed={() => work.mutate()}
        />
        <ErrorLine error={work.error} />
      </div>
    </main>
  );
}

/** Copies a text, and says that it did. */
export function CopyText({ value, small = false }: { value: string; small?: boolean }) {
  const { t } = useWords();
  const size = small ? 14 : 16;
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size={small ? 'compact-sm' : 'sm'}
          variant="default"
          leftSection={copied ? <IconCheck size={size} aria-hidden /> : <IconCopy size={size} aria-hidden />}
          onClick={copy}
        >
          {t(copied ? 'common.copied' : 'common.copy')}
        </Button>
      )}
    </CopyButton>
  );
}
