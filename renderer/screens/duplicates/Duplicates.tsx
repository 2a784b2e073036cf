import { Button } from '@mantine/core';
import { IconChecks, IconCircleCheck, IconCopy, IconDownload, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { duplicateRunsQuery, exportGroups, groupsQuery } from '../../api/duplicates.ts';
import { useMay } from '../../api/session.ts';
import { downloadFile } from '../../components/downloadFile.ts';
import { ExportButton } from '../../components/ExportButton.tsx';
import { useInfiniteRows } from '../../components/list/infiniteRows.ts';
import { ListBody, NoneFiltered } from '../../components/list/ListBody.tsx';
import { Page } from '../../components/Page.tsx';
import { Split } from '../../components/Split.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Filters } from './Filters.tsx';
import { useGroupAddress, type GroupAddress } from './groupFilter.ts';
import { GroupReview } from './GroupReview.tsx';
import { RunCard } from './RunCard.tsx';
import { StartRun } from './StartRun.tsx';
import { useGroupColumns } from './useGroupColumns.tsx';
import './duplicates.css';

const PLACE = '/duplicates';

/** The groups of possible duplicates; the start of a search beside them, or one group in their place. */
export function Component() {
  const { id } = useParams();
  const address = useGroupAddress();
  if (id !== undefined && /^\d+$/.test(id)) return <GroupReview id={Number(id)} address={address} />;
  return <Groups address={address} starting={id === 'find'} />;
}

function Groups({ address, starting }: { address: GroupAddress; starting: boolean }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const navigate = useNavigate();
  const may = useMay();
  const columns = useGroupColumns();
  const runs = useQuery(duplicateRunsQuery);
  const query = useInfiniteQuery({
    ...groupsQuery(address.filter),
    placeholderData: keepPreviousData,
  });
  const list = useInfiniteRows(query);
  const total = list.first?.total;
  const go = (to: string) => void navigate({ pathname: `${PLACE}${to}`, search: address.search });
  const find = may('duplicates:run') ? (
    <Button leftSection={<IconSearch size={16} aria-hidden />} onClick={() => go('/find')}>
      {t('duplicates.find')}
    </Button>
  ) : undefined;
  const neverRun = runs.data?.items.length === 0 && runs.data.current === null;
  return (
    <Page
      title={t('nav.duplicates')}
      state={total === undefined ? undefined : t('duplicates.state', { count: total, total: count(total) })}
      action={
        <span className="row wrap">
          <ExportButton
            label={t('duplicates.csv')}
            icon={<IconDownload size={16} aria-hidden />}
            run={() => exportGroups(address.filter)}
            done={(file) => downloadFile('vouch-duplicates.csv', file)}
          />
          {may('duplicates:review') && total !== undefined && total > 0 ? (
            <Button
              component={Link}
              to={{ pathname: `${PLACE}/sample`, search: address.search }}
              variant="default"
              leftSection={<IconChecks size={16} aria-hidden />}
            >
              {t('duplicates.sampleLink')}
            </Button>
          ) : null}
          {find}
        </span>
      }
    >
      {runs.data === undefined || neverRun ? null : <RunCard runs={runs.data} />}
      <Filters address={address} />
      <Split beside={starting ? <StartRun runs={runs.data} close={() => go('')} /> : null}>
        <ListBody
          list={list}
          none={
            neverRun ? (
              <EmptyState Icon={IconCopy} title={t('duplicates.none')} action={find}>
                {t('duplicates.noneHelp')}
              </EmptyState>
            ) : address.filtered ? (
              <NoneFiltered title={t('duplicates.noneFiltered')} clear={address.clear} />
            ) : (
              <EmptyState Icon={IconCircleCheck} title={t('duplicates.noneOpen')}>
                {t(runs.data?.current == null ? 'duplicates.noneOpenHelp' : 'duplicates.noneOpenRunning')}
              </EmptyState>
            )
          }
          label={t('duplicates.list')}
          columns={columns}
          rowKey={(row) => row.id}
          openKey={null}
          open={(row) => go(`/${row.id}`)}
        />
      </Split>
    </Page>
  );
}
