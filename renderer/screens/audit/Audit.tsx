import { useCallback, useMemo, useState } from 'react';
import { Button, Menu } from '@mantine/core';
import { IconDownload, IconFilterOff } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { AUDIT_EXPORT_FORMATS, type NamedAuditRow } from '../../../core/contracts/audit.ts';
import { auditExportUrl, auditQuery } from '../../api/audit.ts';
import { Page } from '../../components/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { VirtualRows, type Column } from '../../components/VirtualRows.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useRegisters } from '../../i18n/registers.ts';
import { useListKeys } from '../../state/listKeys.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { EntryPanel } from './EntryPanel.tsx';
import { Outcome, Party } from './parts.tsx';
import { Proof } from './Proof.tsx';
import { useAuditFilter, type AuditFilterInAddress } from './useAuditFilter.ts';
import './audit.css';

/** The company's record: what protects it, what stands in it, one entry beside the list. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { id } = useParams();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const address = useAuditFilter();
  const list = useInfiniteQuery({ ...auditQuery(address.filter), placeholderData: keepPreviousData });
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  const total = list.data?.pages[0]?.total;
  const entry = rows.find(({ sequence }) => String(sequence) === id);
  const go = (sequence: number | null) =>
    void navigate({
      pathname: sequence === null ? '/audit' : `/audit/${sequence}`,
      search: params.toString(),
    });
  return (
    <Page
      title={t('audit.title')}
      state={total === undefined ? undefined : t('audit.state', { total: count(total) })}
      action={<Export address={address} />}
    >
      <Proof />
      <AuditFilters address={address} />
      <div className={entry === undefined ? 'split' : 'split with-panel'}>
        <div className="split-main">
          {list.data === undefined && list.error !== null ? (
            <ErrorState error={list.error} retry={() => void list.refetch()} />
          ) : total === undefined ? (
            <LoadingRows />
          ) : rows.length === 0 ? (
            <EmptyState Icon={IconFilterOff} title={t('audit.none')}>
              {t('audit.noneHelp')}
            </EmptyState>
          ) : (
            <List list={list} rows={rows} total={total} opened={entry} go={go} />
          )}
        </div>
        {entry === undefined ? null : <EntryPanel key={id} entry={entry} close={() => go(null)} />}
      </div>
    </Page>
  );
}

function Export({ address }: { address: AuditFilterInAddress }) {
  const { t } = useTranslation();
  const words = { csv: t('audit.exportCsv'), jsonl: t('audit.exportJson') };
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {t('audit.exportCsv')} / JSON
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {AUDIT_EXPORT_FORMATS.map((format) => (
          <Menu.Item key={format} component="a" href={auditExportUrl(address.filter, format)} download>
            {words[format]}
          </Menu.Item>
        ))}
        <Menu.Label>{t('audit.exportHelp')}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

function List(props: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  rows: readonly NamedAuditRow[];
  total: number;
  opened: NamedAuditRow | undefined;
  go: (sequence: number) => void;
}) {
  const { list, rows, total, opened, go } = props;
  const { t } = useTranslation();
  const columns = useColumns(opened !== undefined);
  const [cursor, setCursor] = useState(-1);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  const open = (row: NamedAuditRow, index: number) => {
    setCursor(index);
    go(row.sequence);
  };
  useListKeys({ rows, cursor, setCursor, open });
  return (
    <VirtualRows
      label={t('audit.title')}
      columns={columns}
      rows={rows}
      total={total}
      rowKey={({ sequence }) => sequence}
      cursor={cursor}
      openKey={opened?.sequence ?? null}
      open={open}
      more={hasNextPage ? more : null}
    />
  );
}

function useColumns(narrow: boolean): Column<NamedAuditRow>[] {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { actions } = useRegisters();
  return useMemo(() => {
    const sequence: Column<NamedAuditRow> = {
      key: 'sequence',
      label: t('audit.sequence'),
      track: '72px',
      cell: (row) => count(row.sequence),
    };
    const when: Column<NamedAuditRow> = {
      key: 'at',
      label: t('audit.when'),
      track: '150px',
      cell: ({ at }) => <Time at={at} />,
    };
    const what: Column<NamedAuditRow> = {
      key: 'action',
      label: t('audit.what'),
      track: 'minmax(160px, 3fr)',
      cell: ({ action }) => <span title={actions[action]}>{actions[action]}</span>,
    };
    const rest: Column<NamedAuditRow>[] = [
      {
        key: 'actor',
        label: t('audit.who'),
        track: 'minmax(112px, 2fr)',
        cell: ({ actor, actorName }) => <Party id={actor} name={actorName} />,
      },
      {
        key: 'object',
        label: t('audit.object'),
        track: 'minmax(112px, 2fr)',
        cell: ({ object, objectName }) => (object === null ? '' : <Party id={object} name={objectName} />),
      },
      {
        key: 'outcome',
        label: t('audit.outcome'),
        track: '96px',
        cell: ({ outcome }) => <Outcome outcome={outcome} />,
      },
    ];
    return narrow ? [sequence, when, what] : [sequence, when, what, ...rest];
  }, [t, count, actions, narrow]);
}
