import { useMemo } from 'react';
import { IconDownload, IconReport } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { Switch } from '@mantine/core';
import {
  AUDIT_EXPORT_FORMATS,
  auditFilter,
  type AuditFilter,
  AUDIT_ACTIONS,
  AUDIT_OUTCOMES,
  type AuditAction,
} from '../../../core/contracts/audit.ts';
import { exportAudit, exportUse, auditQuery } from '../../api/system.ts';
import { ExportButton, downloadFile } from '../../components/ExportButton.tsx';
import { ListPage, NoneFiltered } from '../../components/list/ListBody.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { useAddressFilter, type FilterShape, type AddressFilter } from '../../components/useAddressFilter.ts';
import { column, useInfiniteRows, type Column } from '../../components/list/columns.ts';
import { useWords } from '../../i18n/words.tsx';
import { useEnumLabels } from '../../i18n/enumLabels.ts';
import { EntryPanel, Outcome, Party, IntegrityCheck } from './EntryPanel.tsx';
import { auditLines, type AuditLine } from './objects.ts';
import { credentialsQuery, operatorsQuery, useMay } from '../../api/session.ts';
import { Select, SearchableSelect } from '../../components/Select.tsx';
import { DayRange, FilterBar, TypedFilter } from '../../components/filters.tsx';
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
  const { t, count } = useWords();
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
    <ListPage
      title={t('nav.audit')}
      state={first && t('audit.state', { total: count(first.total) })}
      action={<Export address={address} />}
      above={
        <>
          <IntegrityCheck />
          <AuditFilters address={address} />
        </>
      }
      beside={entry === undefined ? null : <EntryPanel key={id} entry={entry} close={() => go(null)} />}
      list={list}
      none={
        <NoneFiltered
          title={t(first?.objects === 0 ? 'audit.noObject' : 'audit.none')}
          {...(first?.objects === 0 && { help: t('audit.noObjectHelp') })}
          clear={address.clear}
        />
      }
      columns={columns}
      rowKey={({ sequence }) => sequence}
      openKey={entry?.sequence ?? null}
      open={({ sequence }) => go(sequence)}
      follow
    />
  );
}

function Export({ address }: { address: AuditAddress }) {
  const { t, language } = useWords();
  const words = { csv: t('audit.exportCsv'), jsonl: t('audit.exportJson') };
  const use = { pdf: t('audit.usePdf'), csv: t('audit.useCsv') };
  return (
    <>
      <span className="row" title={t('audit.useHelp')}>
        {(['pdf', 'csv'] as const).map((format) => (
          <ExportButton
            key={format}
            size="xs"
            label={use[format]}
            icon={<IconReport size={16} aria-hidden />}
            run={() => exportUse(address.filter, format, language)}
            done={(file) => downloadFile(`vouch-use.${format}`, file)}
          />
        ))}
      </span>
      <span className="row" title={t('audit.exportHelp')}>
        {AUDIT_EXPORT_FORMATS.map((format) => (
          <ExportButton
            key={format}
            size="xs"
            label={words[format]}
            icon={<IconDownload size={16} aria-hidden />}
            run={() => exportAudit(address.filter, format)}
            done={(file) => downloadFile(`vouch-audit.${format}`, file)}
          />
        ))}
      </span>
    </>
  );
}

/** Where there is little room, what happened, who did it and how it ended are the last to go. */
function useColumns(): Column<AuditLine>[] {
  const { t, count } = useWords();
  const { actions } = useEnumLabels();
  return useMemo(
    () => [
      column('sequence', t('audit.sequence'), { minWidth: 64, dropOrder: 4 }, (row) => count(row.sequence)),
      column('at', t('facts.time'), { minWidth: 150, dropOrder: 2 }, ({ at }) => <Time at={at} />),
      column('action', t('audit.what'), { minWidth: 300, grow: 3, dropOrder: 0 }, ({ action, entries }) => (
        <span title={actions[action]}>
          {actions[action]}
          {entries.length === 1 ? null : (
            <strong> {t('audit.times', { times: count(entries.length) })}</strong>
          )}
        </span>
      )),
      column('actor', t('audit.who'), { minWidth: 112, grow: 2, dropOrder: 1 }, ({ actor, actorName }) => (
        <div dir="auto" className="cut">
          <Party id={actor} name={actorName} />
        </div>
      )),
      column(
        'object',
        t('audit.object'),
        { minWidth: 120, grow: 2, dropOrder: 5 },
        ({ object, objectName, entries }) =>
          object === null ? (
            ''
          ) : entries.length > 1 ? (
            ((objects) => t('audit.objects', { count: objects, objects: count(objects) }))(
              new Set(entries.map((each) => each.object)).size,
            )
          ) : (
            <Party id={object} name={objectName} />
          ),
      ),
      column('outcome', t('audit.outcome'), { minWidth: 96, dropOrder: 3 }, ({ outcome }) => (
        <Outcome outcome={outcome} />
      )),
    ],
    [t, count, actions],
  );
}

const KINDS = ['operator', 'token', 'hmac', 'local-admin', 'service', 'anonymous'] as const;

type AuditKey = 'actor' | 'action' | 'object' | 'outcome' | 'views';
type AuditAddress = AddressFilter<AuditKey, AuditFilter>;

function AuditFilters({ address }: { address: AuditAddress }) {
  const { t } = useWords();
  const { filter, set } = address;
  const { actions } = useEnumLabels();
  return (
    <FilterBar address={address}>
      <Who value={filter.actor ?? null} set={(value) => set('actor', value)} />
      <SearchableSelect
        size="xs"
        w={250}
        aria-label={t('audit.what')}
        none={t('audit.anything')}
        comboboxProps={{ width: 440, position: 'bottom-start' }}
        data={(Object.keys(AUDIT_ACTIONS) as AuditAction[]).map((value) => ({
          value,
          label: actions[value],
        }))}
        value={filter.action ?? null}
        onChange={(value) => set('action', value)}
      />
      <TypedFilter
        label={t('audit.object')}
        placeholder={t('audit.objectHint')}
        text={address.value('object')}
        set={(value) => set('object', value)}
        slash
      />
      <Select
        size="xs"
        w={130}
        aria-label={t('audit.outcome')}
        none={t('audit.anyOutcome')}
        data={AUDIT_OUTCOMES.map((value) => ({ value, label: t(`audit.outcome_${value}`) }))}
        value={filter.outcome ?? null}
        onChange={(value) => set('outcome', value)}
      />
      <DayRange address={address} />
      <Switch
        size="xs"
        label={t('audit.showViews')}
        checked={filter.views === undefined}
        disabled={filter.action !== undefined}
        onChange={(event) => set('views', event.currentTarget.checked ? 'shown' : null)}
      />
    </FilterBar>
  );
}

/** A kind of actor, or one of the company's operators and programs by name. */
function Who({ value, set }: { value: string | null; set: (value: string | null) => void }) {
  const { t } = useWords();
  const may = useMay();
  const operators = useQuery({ ...operatorsQuery, enabled: may('operators:read') });
  const credentials = useQuery({ ...credentialsQuery, enabled: may('tokens:read') });
  const people = (operators.data?.items ?? []).map(({ id, name }) => ({
    value: `operator:${id}`,
    label: name,
  }));
  const programs = (credentials.data?.items ?? []).map(({ kind, id, name }) => ({
    value: `${kind === 'key' ? 'hmac' : 'token'}:${id}`,
    label: name,
  }));
  const groups = [
    {
      group: t('common.all'),
      items: KINDS.map((kind) => ({ value: kind, label: t(`audit.actor_${kind}`) })),
    },
    { group: t('nav.operators'), items: people },
    { group: t('nav.apiAccess'), items: programs },
  ];
  return (
    <SearchableSelect
      size="xs"
      w={180}
      aria-label={t('audit.who')}
      none={t('audit.anybody')}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      data={groups.filter(({ items }) => items.length > 0)}
      value={value}
      onChange={set}
    />
  );
}
