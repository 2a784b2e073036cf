import { useMemo } from 'react';
import { Button, Menu } from '@mantine/core';
import { IconDownload, IconFilterOff } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import {
  AUDIT_EXPORT_FORMATS,
  auditFilter,
  type AuditFilter,
  type NamedAuditRow,
} from '../../../core/contracts/audit.ts';
import { auditExportUrl, auditQuery } from '../../api/audit.ts';
import { Page } from '../../components/Page.tsx';
import { RowList } from '../../components/RowList.tsx';
import { Split } from '../../components/Split.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { useAddressFilter, type FilterShape } from '../../components/useAddressFilter.ts';
import { usePages } from '../../components/usePages.ts';
import type { Column } from '../../components/VirtualRows.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useRegisters } from '../../i18n/registers.ts';
import { AuditFilters, type AuditAddress, type AuditKey } from './AuditFilters.tsx';
import { EntryPanel } from './EntryPanel.tsx';
import { Outcome, Party } from './parts.tsx';
import { Proof } from './Proof.tsx';
import './audit.css';

const FILTER: FilterShape<AuditKey, AuditFilter> = {
  schema: auditFilter,
  keys: ['actor', 'action', 'object', 'outcome'],
  end: 'to',
  typed: ['object'],
};

/** The company's record: what protects it, what stands in it, one entry beside the list. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { id } = useParams();
  const navigate = useNavigate();
  const address = useAddressFilter(FILTER);
  const { rows, first, error, more, retry } = usePages(
    useInfiniteQuery({ ...auditQuery(address.filter), placeholderData: keepPreviousData }),
  );
  const columns = useColumns(id !== undefined);
  const entry = rows.find(({ sequence }) => String(sequence) === id);
  const go = (sequence: number | null) =>
    void navigate({
      pathname: sequence === null ? '/audit' : `/audit/${sequence}`,
      search: address.search,
    });
  return (
    <Page
      title={t('audit.title')}
      state={first && t('audit.state', { total: count(first.total) })}
      action={<Export address={address} />}
    >
      <Proof />
      <AuditFilters address={address} />
      <Split
        beside={entry === undefined ? null : <EntryPanel key={id} entry={entry} close={() => go(null)} />}
      >
        {error !== null ? (
          <ErrorState error={error} retry={retry} />
        ) : first === undefined ? (
          <LoadingRows />
        ) : rows.length === 0 ? (
          <EmptyState Icon={IconFilterOff} title={t('audit.none')}>
            {t('audit.noneHelp')}
          </EmptyState>
        ) : (
          <RowList
            label={t('audit.title')}
            columns={columns}
            rows={rows}
            total={first.total}
            more={more}
            rowKey={({ sequence }) => sequence}
            openKey={entry?.sequence ?? null}
            open={({ sequence }) => go(sequence)}
            follow
          />
        )}
      </Split>
    </Page>
  );
}

function Export({ address }: { address: AuditAddress }) {
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
