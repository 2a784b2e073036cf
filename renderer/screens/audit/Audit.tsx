import { useMemo } from 'react';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { AUDIT_EXPORT_FORMATS, auditFilter, type AuditFilter } from '../../../core/contracts/audit.ts';
import { exportAudit, auditQuery } from '../../api/audit.ts';
import { ExportButton } from '../../components/ExportButton.tsx';
import { downloadFile } from '../../components/downloadFile.ts';
import { ListBody, NoneFiltered } from '../../components/list/ListBody.tsx';
import { Page } from '../../components/Page.tsx';
import { Split } from '../../components/Split.tsx';
import { Time } from '../../components/Time.tsx';
import { useAddressFilter, type FilterShape } from '../../components/useAddressFilter.ts';
import { useInfiniteRows } from '../../components/list/infiniteRows.ts';
import type { Column } from '../../components/list/columns.ts';
import { useFormats } from '../../i18n/format.ts';
import { useEnumLabels } from '../../i18n/enumLabels.ts';
import { AuditFilters, type AuditAddress, type AuditKey } from './AuditFilters.tsx';
import { EntryPanel } from './EntryPanel.tsx';
import { auditLines, type AuditLine } from './objects.ts';
import { Outcome, Party } from './parts.tsx';
import { IntegrityCheck } from './Proof.tsx';
import './audit.css';

const FILTER: FilterShape<AuditKey, AuditFilter> = {
  schema: auditFilter,
  keys: ['actor', 'action', 'object', 'outcome', 'views'],
  end: 'to',
  typed: ['object'],
  order: ['views'],
};

/** Views are hidden until the operator shows them, or looks for one of these actions. */
function useAuditAddress(): AuditAddress {
  const address = useAddressFilter(FILTER);
  return useMemo(() => {
    const all = address.value('views') === 'shown' || address.filter.action !== undefined;
    return { ...address, filter: { ...address.filter, ...(all ? {} : { views: 'hidden' as const }) } };
  }, [address]);
}

/** The audit log of the company: its integrity, its entries, one entry beside the list. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { id } = useParams();
  const navigate = useNavigate();
  const address = useAuditAddress();
  const loaded = useInfiniteRows(
    useInfiniteQuery({ ...auditQuery(address.filter), placeholderData: keepPreviousData }),
  );
  const { first } = loaded;
  const lines = useMemo(() => auditLines(loaded.rows), [loaded.rows]);
  const joined = loaded.rows.length - lines.length;
  const list = { ...loaded, rows: lines, total: loaded.total && loaded.total - joined };
  const columns = useColumns();
  const entry = lines.find(({ sequence }) => String(sequence) === id);
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
      <IntegrityCheck />
      <AuditFilters address={address} />
      <Split
        beside={entry === undefined ? null : <EntryPanel key={id} entry={entry} close={() => go(null)} />}
      >
        <ListBody
          list={list}
          none={
            <NoneFiltered
              title={t(first?.objects === 0 ? 'audit.noObject' : 'audit.none')}
              {...(first?.objects === 0 && { help: t('audit.noObjectHelp') })}
              clear={address.clear}
            />
          }
          label={t('audit.title')}
          columns={columns}
          rowKey={({ sequence }) => sequence}
          openKey={entry?.sequence ?? null}
          open={({ sequence }) => go(sequence)}
          follow
        />
      </Split>
    </Page>
  );
}

function Export({ address }: { address: AuditAddress }) {
  const { t } = useTranslation();
  const words = { csv: t('audit.exportCsv'), jsonl: t('audit.exportJson') };
  return (
    <span className="row" title={t('audit.exportHelp')}>
      {AUDIT_EXPORT_FORMATS.map((format) => (
        <ExportButton
          key={format}
          label={words[format]}
          icon={<IconDownload size={16} aria-hidden />}
          run={() => exportAudit(address.filter, format)}
          done={(file) => downloadFile(`vouch-audit.${format}`, file)}
        />
      ))}
    </span>
  );
}

/** Where there is little room, what happened, who did it and how it ended are the last to go. */
function useColumns(): Column<AuditLine>[] {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { actions } = useEnumLabels();
  return useMemo(
    () => [
      {
        key: 'sequence',
        label: t('audit.sequence'),
        minWidth: 64,
        dropOrder: 4,
        cell: (row) => count(row.sequence),
      },
      {
        key: 'at',
        label: t('audit.when'),
        minWidth: 150,
        dropOrder: 2,
        cell: ({ at }) => <Time at={at} />,
      },
      {
        key: 'action',
        label: t('audit.what'),
        minWidth: 300,
        grow: 3,
        dropOrder: 0,
        cell: ({ action, entries }) => (
          <span title={actions[action]}>
            {actions[action]}
            {entries.length === 1 ? null : (
              <strong> {t('audit.times', { times: count(entries.length) })}</strong>
            )}
          </span>
        ),
      },
      {
        key: 'actor',
        label: t('audit.who'),
        minWidth: 112,
        grow: 2,
        dropOrder: 1,
        cell: ({ actor, actorName }) => (
          <div dir="auto" className="cut">
            <Party id={actor} name={actorName} />
          </div>
        ),
      },
      {
        key: 'object',
        label: t('audit.object'),
        minWidth: 120,
        grow: 2,
        dropOrder: 5,
        cell: ({ object, objectName, entries }) =>
          object === null ? (
            ''
          ) : entries.length > 1 ? (
            ((objects) => t('audit.objects', { count: objects, objects: count(objects) }))(
              new Set(entries.map((each) => each.object)).size,
            )
          ) : (
            <Party id={object} name={objectName} />
          ),
      },
      {
        key: 'outcome',
        label: t('audit.outcome'),
        minWidth: 96,
        dropOrder: 3,
        cell: ({ outcome }) => <Outcome outcome={outcome} />,
      },
    ],
    [t, count, actions],
  );
}
