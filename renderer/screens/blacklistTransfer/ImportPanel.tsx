import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ImportView, UndoResult } from '../../../core/contracts/blacklistTransfer.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { TRANSFER_KEY, revertImport, revertPlanQuery } from '../../api/blacklistTransfer.ts';
import { useMay } from '../../api/session.ts';
import { ConfirmByTyping } from '../../components/ConfirmByTyping.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ErrorState, LoadingRows } from '../../components/states.tsx';
import { StatusMark } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';

/** Active, reverted, or reverted except for faces that open cases name. */
export function ImportState({ made }: { made: ImportView }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const [tone, Icon, words] =
    made.undoneAt === null
      ? (['good', IconCircleCheck, t('exchange.inForce')] as const)
      : made.holds > 0
        ? (['warn', IconHourglass, t('exchange.waitsForCases', { faces: count(made.holds) })] as const)
        : (['calm', IconArrowBackUp, t('exchange.undone')] as const);
  return (
    <StatusMark tone={tone} Icon={Icon}>
      {words}
    </StatusMark>
  );
}

/** One import, and the way back. */
export function ImportPanel({ made, close }: { made: ImportView; close: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const [undoing, setUndoing] = useState(false);
  const { id, blacklist, undoneAt, holds } = made;
  const open = undoneAt === null || holds > 0;
  return (
    <Panel
      title={t('exchange.panel', { id: count(id) })}
      note={made.sender}
      mark={<ImportState made={made} />}
      close={close}
    >
      <dl className="facts">
        <dt>{t('exchange.into_column')}</dt>
        <dd>
          {blacklist.name === null ? (
            t('exchange.deletedList')
          ) : (
            <Link to={`/company/internal-biometrics/${blacklist.id}`}>{blacklist.name}</Link>
          )}
        </dd>
        <dt>{t('exchange.exported')}</dt>
        <dd>
          <Time at={made.exportedAt} />
        </dd>
        <dt>{t('exchange.at')}</dt>
        <dd>
          <Time at={made.importedAt} />
        </dd>
        <dt>{t('exchange.added')}</dt>
        <dd>{count(made.added)}</dd>
        <dt>{t('exchange.renamed')}</dt>
        <dd>{count(made.renamed)}</dd>
        <dt>{t('exchange.faces')}</dt>
        <dd>{count(holds)}</dd>
        {undoneAt === null ? null : (
          <>
            <dt>{t('exchange.undoneAt')}</dt>
            <dd>
              <Time at={undoneAt} />
            </dd>
          </>
        )}
      </dl>
      {undoneAt !== null && holds > 0 ? <p>{t('exchange.waitsHelp', { faces: count(holds) })}</p> : null}
      {open && may('blacklists:exchange') ? (
        <div>
          <Button
            size="xs"
            variant="default"
            color="red"
            leftSection={<IconArrowBackUp size={15} aria-hidden />}
            onClick={() => setUndoing(true)}
          >
            {t('exchange.undo')}
          </Button>
        </div>
      ) : null}
      {undoing ? <RevertImport made={made} close={() => setUndoing(false)} /> : null}
    </Panel>
  );
}

function RevertImport({ made, close }: { made: ImportView; close: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(revertPlanQuery(made.id));
  return (
    <ConfirmByTyping
      title={t('exchange.undoTitle')}
      name={made.blacklist.name ?? count(made.id)}
      action={t('exchange.undoDo')}
      close={close}
      run={async () => {
        await revertImport(made.id);
        await Promise.all(
          [TRANSFER_KEY, blacklistsQuery.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })),
        );
      }}
    >
      {data !== undefined ? (
        <RevertPreview plan={data} />
      ) : error !== null ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows rows={3} />
      )}
    </ConfirmByTyping>
  );
}

/** The effects of reverting an import; effects without a count are left out. */
function RevertPreview({ plan }: { plan: UndoResult }) {
  const { t } = useTranslation();
  const { count, list: listed } = useFormats();
  const { removed, renamedBack, heldByOthers, inReview, list } = plan;
  return (
    <>
      <ul className="change-names">
        <li>{t('exchange.undoRemoved', { faces: count(removed) })}</li>
        {renamedBack === 0 ? null : <li>{t('exchange.undoRenamed', { faces: count(renamedBack) })}</li>}
        {heldByOthers === 0 ? null : <li>{t('exchange.undoOthers', { faces: count(heldByOthers) })}</li>}
        {inReview.count === 0 ? null : (
          <li>{t('exchange.undoReview', { faces: count(inReview.count), names: listed(inReview.names) })}</li>
        )}
        <li>{t(`exchange.undoList_${list}`)}</li>
      </ul>
      <p className="soft">{t('exchange.undoAgain')}</p>
    </>
  );
}
