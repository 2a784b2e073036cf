import { useState } from 'react';
import { Textarea } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  CASE_ITEM_KINDS,
  type CaseEntry,
  type CaseFolder,
} from '../../../core/contracts/dashboard/caseFolders.ts';
import { faceApi } from '../../../core/contracts/dashboard/faceImages.ts';
import { addressOf } from '../../../core/contracts/dashboard/operation.ts';
import { caseFile, removeFromCaseFolder } from '../../api/caseFolders.ts';
import { useMay } from '../../api/session.ts';
import { downloadFile } from '../../components/ExportButton.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { FormDialog } from '../../components/Form.tsx';
import { Action, ErrorLine, WideTable } from '../../components/Page.tsx';
import { Fact, Time } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { FolderForms, useChange, useEntryName } from './FolderForms.tsx';
import '../review/review.css';
import './caseFolders.css';

/** The contents of the case folder, its chain of custody, and the forms that add to it. */
export function CaseFolderView({ folder }: { folder: CaseFolder }) {
  const { t } = useWords();
  const { entries, firstBad } = folder;
  const [opened] = entries;
  const items = entries.filter(({ kind, state }) => isItem(kind) && state !== 'removed');
  return (
    <div className="paired">
      <div
        className="case-main page-scroll column case-folder"
        tabIndex={0}
        role="group"
        aria-label={t('caseFolders.contents')}
      >
        {firstBad === null ? null : (
          <p className="callout callout-bad" role="alert">
            <IconAlertTriangle size={18} aria-hidden />
            {t('caseFolders.broken', { position: firstBad })}
          </p>
        )}
        <section>
          <h2>
            <bdi>{folder.title}</bdi>
          </h2>
          <dl className="facts">
            <Fact label={t('caseFolders.reference')}>
              <bdi>{folder.reference === '' ? '–' : folder.reference}</bdi>
            </Fact>
            <Fact label={t('caseFolders.column_opened')} at={folder.openedAt} />
          </dl>
          {opened === undefined || opened.text === '' ? null : <p dir="auto">{opened.text}</p>}
        </section>
        <section>
          <h2>{t('caseFolders.contents')}</h2>
          {items.length === 0 ? (
            <p className="soft">{t('caseFolders.empty')}</p>
          ) : (
            <Contents folder={folder} items={items} />
          )}
        </section>
        <section>
          <h2>{t('caseFolders.chain')}</h2>
          {firstBad === null ? <p className="soft">{t('caseFolders.intact')}</p> : null}
          <Chain entries={entries} />
        </section>
      </div>
      <FolderForms folder={folder} items={items} />
    </div>
  );
}

const isItem = (kind: CaseEntry['kind']) => (CASE_ITEM_KINDS as readonly string[]).includes(kind);

function Contents({ folder, items }: { folder: CaseFolder; items: readonly CaseEntry[] }) {
  const { t } = useWords();
  const nameOf = useEntryName();
  const [removing, setRemoving] = useState<CaseEntry | null>(null);
  return (
    <>
      <WideTable
        label={t('caseFolders.contents')}
        head={[t('caseFolders.kind'), t('caseFolders.content'), t('caseFolders.by'), null]}
      >
        {items.map((entry) => (
          <tr key={entry.position}>
            <th scope="row">{nameOf(entry)}</th>
            <td>
              <Content folder={folder.id} entry={entry} />
              <About entry={entry} items={items} />
            </td>
            <td>
              <bdi>{entry.byName}</bdi>
              <br />
              <Time at={entry.at} />
            </td>
            <td>
              {folder.state === 'open' && entry.state !== 'erased' ? (
                <Action
                  size="xs"
                  label={t('caseFolders.remove')}
                  title={t('caseFolders.removeName', { position: entry.position })}
                  onClick={() => setRemoving(entry)}
                />
              ) : null}
            </td>
          </tr>
        ))}
      </WideTable>
      {removing === null ? null : (
        <Removal folder={folder} entry={removing} close={() => setRemoving(null)} />
      )}
    </>
  );
}

function About({ entry, items }: { entry: CaseEntry; items: readonly CaseEntry[] }) {
  const { t } = useWords();
  const nameOf = useEntryName();
  const about = items.find(({ position }) => position === entry.about);
  return about === undefined ? null : (
    <p className="soft">
      {t('caseFolders.about')}: {nameOf(about)}
    </p>
  );
}

function Content({ folder, entry }: { folder: number; entry: CaseEntry }) {
  const { t, bytes } = useWords();
  const may = useMay();
  const { examination, face, file, position, state, text } = entry;
  const save = useMutation({
    mutationFn: () => caseFile(folder, position),
    onSuccess: (content) => downloadFile(file?.name ?? '', content),
  });
  if (state === 'erased') return <span className="soft">{t('caseFolders.content_erased')}</span>;
  return (
    <>
      {state === 'changed' ? (
        <p className="callout callout-bad" role="alert">
          <IconAlertTriangle size={18} aria-hidden />
          {t('caseFolders.changed')}
        </p>
      ) : null}
      {face === null ? null : (
        <span className="row">
          <FaceThumbnail
            url={may('images:read') ? addressOf(faceApi.thumbnail, { params: { id: face.id } }) : null}
            name={face.name}
            size={56}
          />
          <span>
            <bdi>{face.name}</bdi>
            <br />
            <span className="soft">{t('caseFolders.face', { id: face.id })}</span>
          </span>
        </span>
      )}
      {examination === null ? null : (
        <Link to={`/examinations/${examination}`}>{t('examinations.number', { id: examination })}</Link>
      )}
      {text === '' ? null : <p dir="auto">{text}</p>}
      {file === null ? null : (
        <span className="row wrap">
          <bdi>{file.name}</bdi>
          <span className="soft">{bytes(file.bytes)}</span>
          <Action size="xs" Icon={IconDownload} label={t('caseFolders.save')} work={save} />
          <ErrorLine error={save.error} />
        </span>
      )}
    </>
  );
}

function Removal({ folder, entry, close }: { folder: CaseFolder; entry: CaseEntry; close: () => void }) {
  const { t } = useWords();
  const nameOf = useEntryName();
  const [reason, setReason] = useState('');
  const work = useChange(
    (given: string) => removeFromCaseFolder(folder.id, { position: entry.position, reason: given }),
    close,
  );
  return (
    <FormDialog
      title={t('caseFolders.removeDo')}
      label={t('caseFolders.removeDo')}
      close={close}
      send={() => work.mutate(reason)}
      work={work}
      disabled={reason.trim() === ''}
    >
      <p>
        <strong>{nameOf(entry)}</strong>
      </p>
      <p>{t('caseFolders.removeHelp')}</p>
      <Textarea
        required
        data-autofocus
        label={t('caseFolders.reason')}
        maxLength={1000}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </FormDialog>
  );
}

function Chain({ entries }: { entries: readonly CaseEntry[] }) {
  const { t } = useWords();
  const nameOf = useEntryName();
  return (
    <WideTable
      label={t('caseFolders.chain')}
      head={[
        t('caseFolders.column_number'),
        t('caseFolders.kind'),
        t('caseFolders.by'),
        t('caseFolders.at'),
        t('facts.sha256'),
        t('caseFolders.content'),
      ]}
    >
      {entries.map((entry) => {
        const { at, byName, digest, kind, position, state, target, text } = entry;
        const of = entries.find((each) => each.position === target);
        return (
          <tr key={position}>
            <td>{position}</td>
            <th scope="row">
              {t(`caseFolders.kind_${kind}`)}
              {of === undefined ? null : `: ${nameOf(of)}`}
              {isItem(kind) || kind === 'opened' || text === '' ? null : (
                <p className="soft" dir="auto">
                  {text}
                </p>
              )}
            </th>
            <td>
              <bdi>{byName}</bdi>
            </td>
            <td>
              <Time at={at} />
            </td>
            <td>
              <code className="case-digest" dir="ltr">
                {digest ?? '–'}
              </code>
            </td>
            <td>{state === null ? '–' : t(`caseFolders.content_${state}`)}</td>
          </tr>
        );
      })}
    </WideTable>
  );
}
