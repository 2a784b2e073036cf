import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { PipelineState } from '../../../core/contracts/dashboard/pipelines.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { changePipeline, extractionFailuresQuery } from '../../api/pipelines.ts';
import { useMay, useSession } from '../../api/session.ts';
import { Dialog, DialogActions } from '../../components/Dialog.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useInfiniteRows } from '../../components/list/infiniteRows.ts';
import { WideTable } from '../../components/WideTable.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useChange } from './useChange.ts';

/** Faces that the pipeline which is, or was, changed to refuses: each with its reason, and what can be decided. */
export function ExtractionFailures({ state: { change, serving, servingName } }: { state: PipelineState }) {
  const { t } = useTranslation();
  const list = useInfiniteRows(useInfiniteQuery(extractionFailuresQuery));
  const { company } = useSession();
  const readable = useMay()('blacklists:read') && company.features.blacklists;
  const blacklists = useQuery({ ...blacklistsQuery, enabled: readable && list.rows.length > 0 }).data?.items;
  if (list.rows.length === 0) return <ErrorLine error={list.error} />;
  return (
    <section className="card column pipeline-list">
      <div className="row wrap">
        <h2>{t('pipelines.refusedTitle')}</h2>
        {change === null || change.refused === 0 ? null : (
          <Decisions refused={change.refused} serving={servingName ?? serving} />
        )}
      </div>
      <p className="soft">{t(change === null ? 'pipelines.refusedServing' : 'pipelines.refusedHelp')}</p>
      <WideTable label={t('pipelines.refusedTitle')}>
        <table className="table">
          <thead>
            <tr>
              {(['face', 'watchlist', 'reason', 'whatToDo'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`pipelines.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.rows.map(({ faceId, name, blacklistId, code, thumbnailUrl }) => (
              <tr key={faceId}>
                <th scope="row">
                  <span className="row">
                    <FaceThumbnail url={thumbnailUrl} name={name} /> {name}
                  </span>
                </th>
                <td>
                  {blacklistId === null ? (
                    t('pipelines.duplicates')
                  ) : (
                    <Link to={`/company/internal-biometrics/${blacklistId}`}>
                      {blacklists?.find(({ id }) => id === blacklistId)?.name ??
                        t('pipelines.blacklist', { id: blacklistId })}
                    </Link>
                  )}
                </td>
                <td>{t(`failures.${code}.sentence`)}</td>
                <td>{t(`failures.${code}.remedy`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {list.loadMore === null ? null : (
        <Button variant="default" className="pipeline-more" onClick={list.loadMore}>
          {t('common.more')}
        </Button>
      )}
    </section>
  );
}

function Decisions({ refused, serving }: { refused: number; serving: string }) {
  const { t } = useTranslation();
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const retry = useChange(changePipeline);
  if (!may('pipelines:write')) return null;
  return (
    <span className="push row wrap">
      <ErrorLine error={retry.error} />
      <Button
        size="compact-sm"
        variant="default"
        loading={retry.isPending}
        leftSection={<IconRefresh size={14} aria-hidden />}
        onClick={() => retry.mutate('retry')}
      >
        {t('pipelines.retry')}
      </Button>
      <Button size="compact-sm" variant="light" color="red" onClick={() => setAsking(true)}>
        {t('pipelines.leave')}
      </Button>
      {asking ? <ConfirmLeave refused={refused} serving={serving} close={() => setAsking(false)} /> : null}
    </span>
  );
}

function ConfirmLeave(props: { refused: number; serving: string; close: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const leave = useChange(changePipeline, props.close);
  return (
    <Dialog title={t('pipelines.leaveTitle', { faces: count(props.refused) })} close={props.close}>
      <div className="column">
        <p>{t('pipelines.leaveWhat', { name: props.serving })}</p>
        <ErrorLine error={leave.error} />
        <DialogActions close={props.close} safe>
          <Button color="red" loading={leave.isPending} onClick={() => leave.mutate('leave')}>
            {t('pipelines.leave')}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
