import { useState, type ReactNode } from 'react';
import { Textarea } from '@mantine/core';
import {
  IconDownload,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BLACKLIST_STATUS } from '../../../core/contracts/codes.ts';
import {
  type BlacklistChange,
  type BlacklistEdit,
  type BlacklistRow,
  BLACKLIST_LIMITS,
} from '../../../core/contracts/dashboard/blacklists.ts';
import { Action, Panel, ErrorLine } from '../../components/Page.tsx';
import { blacklistsQuery, changeBlacklist, deleteBlacklist } from '../../api/blacklists.ts';
import { exportBlacklistFaces } from '../../api/validations.ts';
import { useMay } from '../../api/session.ts';
import { ConfirmByTyping, NameForm } from '../../components/Form.tsx';
import { downloadFile, ExportButton } from '../../components/ExportButton.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';
import { FaceGrid } from './FaceGrid.tsx';

/** One blacklist: its facts, its actions, its faces. */
export function BlacklistPanel({ list, close }: { list: BlacklistRow; close: () => void }) {
  const { t, count, list: listed } = useWords();
  const [editing, setEditing] = useState<BlacklistRow>();
  const change = useChange(list.id);
  return (
    <Panel
      title={list.name}
      note={[
        t('blacklists.enrolled', {
          count: list.enrolledFacesCount,
          faces: count(list.enrolledFacesCount),
        }),
        ...(list.expiredFacesCount === 0
          ? []
          : [t('blacklists.expired', { faces: count(list.expiredFacesCount) })]),
      ].join(' · ')}
      mark={<StatusBadge of="blacklist" code={list.status} />}
      close={close}
      parts
    >
      <div className="list-about column">
        {editing !== undefined ? (
          <BlacklistForm
            start={editing}
            action={t('common.save')}
            submit={async (edit) => {
              await change(changed(editing, edit));
              setEditing(undefined);
            }}
          >
            <Action label={t('common.cancel')} onClick={() => setEditing(undefined)} />
          </BlacklistForm>
        ) : (
          <>
            {list.description === null ? null : <p dir="auto">{list.description}</p>}
            <p className="soft">
              {list.usedByTrustFlows.length === 0
                ? t('blacklists.unusedLong')
                : t('blacklists.usedByLong', { flows: listed(list.usedByTrustFlows) })}
            </p>
            <Actions list={list} change={change} edit={() => setEditing(list)} deleted={close} />
          </>
        )}
      </div>
      <FaceGrid list={list} />
    </Panel>
  );
}

/** The fields that the operator changed: another one may have changed the others. */
function changed(start: BlacklistEdit, { name, description }: BlacklistEdit): BlacklistChange {
  return {
    ...(name !== start.name && { name }),
    ...(description !== start.description && { description }),
  };
}

type Change = (change: BlacklistChange) => Promise<void>;

function useChange(id: number): Change {
  const client = useQueryClient();
  return async (change) => {
    await changeBlacklist(id, change);
    await client.invalidateQueries({ queryKey: blacklistsQuery.queryKey });
  };
}

function Actions(props: { list: BlacklistRow; change: Change; edit: () => void; deleted: () => void }) {
  const { list, change, edit, deleted } = props;
  const { t } = useWords();
  const may = useMay();
  const [deleting, setDeleting] = useState(false);
  const active = list.status === BLACKLIST_STATUS.Active;
  const turn = useMutation({
    mutationFn: () => change({ status: active ? BLACKLIST_STATUS.Inactive : BLACKLIST_STATUS.Active }),
    onSuccess: () => {
      const text = t(active ? 'blacklists.deactivated' : 'blacklists.activated', { name: list.name });
      undoStore.getState().offer(text, () => change({ status: list.status }));
    },
  });
  return (
    <div className="row wrap">
      {active ? (
        <Action
          primary
          size="xs"
          Icon={IconPlus}
          label={t('blacklists.addFaces')}
          to={`/enrol?blacklist=${list.id}&name=${encodeURIComponent(list.name)}`}
        />
      ) : null}
      {may('blacklists:write') ? (
        <>
          <Action size="xs" Icon={IconPencil} label={t('common.edit')} onClick={edit} />
          <Action
            size="xs"
            Icon={active ? IconPlayerPause : IconPlayerPlay}
            label={t(active ? 'common.deactivate' : 'blacklists.activate')}
            work={turn}
          />
        </>
      ) : null}
      {list.enrolledFacesCount > 0 ? (
        <Action
          size="xs"
          Icon={IconSend}
          mirrored
          label={t('exchange.send')}
          to={`/exchange/export?list=${list.id}`}
        />
      ) : null}
      <ExportButton
        size="xs"
        label={t('validations.exportCsv')}
        icon={<IconDownload size={15} aria-hidden />}
        run={() => exportBlacklistFaces(list.id)}
        done={(file) => downloadFile(`vouch-blacklist-${list.id}.csv`, file)}
      />
      <Action
        may="blacklists:erase"
        variant="subtle"
        size="xs"
        color="red"
        Icon={IconTrash}
        label={t('common.delete')}
        onClick={() => setDeleting(true)}
      />
      <ErrorLine error={turn.error} />
      {deleting ? <Deletion list={list} close={() => setDeleting(false)} deleted={deleted} /> : null}
    </div>
  );
}

function Deletion(props: { list: BlacklistRow; close: () => void; deleted: () => void }) {
  const { list, close, deleted } = props;
  const { t, count, list: listed } = useWords();
  const faces = list.enrolledFacesCount + list.expiredFacesCount;
  const client = useQueryClient();
  return (
    <ConfirmByTyping
      title={t('blacklists.deleteTitle')}
      name={list.name}
      action={t('common.delete')}
      close={close}
      run={async () => {
        await deleteBlacklist(list.id);
        deleted();
        await client.invalidateQueries({ queryKey: ['blacklists'] });
      }}
    >
      <p>{t('blacklists.deleteWhat', { count: faces, faces: count(faces) })}</p>
      {list.usedByTrustFlows.length === 0 ? null : (
        <p>{t('blacklists.deleteFlows', { flows: listed(list.usedByTrustFlows) })}</p>
      )}
      <p>{t('blacklists.deleteKept')}</p>
    </ConfirmByTyping>
  );
}

/** Name and description of a blacklist. */
export function BlacklistForm(props: {
  start: BlacklistEdit;
  submit: (edit: BlacklistEdit) => Promise<unknown>;
  action: string;
  children?: ReactNode;
}) {
  const { start, submit, action, children } = props;
  const { t, count } = useWords();
  const [description, setDescription] = useState(start.description ?? '');
  const kept = description.trim();
  return (
    <NameForm
      start={start.name}
      hint={t('blacklists.nameHint', { most: count(BLACKLIST_LIMITS.name) })}
      most={BLACKLIST_LIMITS.name}
      action={action}
      submit={(name) => submit({ name, description: kept === '' ? null : kept })}
      fields={(said) => (
        <Textarea
          label={`${t('blacklists.description')} (${t('common.optional')})`}
          description={t('blacklists.descriptionLength', {
            used: count(description.length),
            most: count(BLACKLIST_LIMITS.description),
          })}
          maxLength={BLACKLIST_LIMITS.description}
          rows={3}
          error={said.description?.join(' ')}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      )}
    >
      {children}
    </NameForm>
  );
}
