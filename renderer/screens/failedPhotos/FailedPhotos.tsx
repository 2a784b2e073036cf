import { useEffect, useState, useCallback } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { Button } from '@mantine/core';
import { IconDownload, IconFolderOpen, IconPhotoCheck } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { csvLine } from '../../../core/contracts/csv.ts';
import {
  FAILURE_STATES,
  failureQuery,
  type FailureList,
  type FailureQuery,
  type FailureRow,
} from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { Action, Page, EmptyState, Loaded } from '../../components/Page.tsx';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { failuresQuery, loadAllFailures, runQueryById } from '../../api/enrolment.ts';
import { announceExport } from '../../api/validations.ts';
import { useMay, useSession } from '../../api/session.ts';
import { DayRange, FilterBar, TypedFilter } from '../../components/filters.tsx';
import { downloadFile, ExportButton } from '../../components/ExportButton.tsx';
import { useInfiniteRows, useRowSelection, type RowSelection } from '../../components/list/columns.ts';
import { ListBody, NoneFiltered, useColumns } from '../../components/list/ListBody.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Select } from '../../components/Select.tsx';
import { useAddressFilter, type AddressFilter, type FilterShape } from '../../components/useAddressFilter.ts';
import { useFileChooser } from '../../components/ImageDrop.tsx';
import { useWords } from '../../i18n/words.tsx';
import { choosePhotos } from '../../state/photoFiles.ts';
import { FAILURE_COLUMNS } from './columns.tsx';
import { FailureSelection, SeveralFacesDialog, type FacesTaken } from './MainFaces.tsx';
import { FixPhoto } from './FixPhoto.tsx';
import { flushFix } from './fixQueue.ts';
import { undoStore } from '../../state/undo.ts';
import { Time } from '../../components/StatusBadge.tsx';
import { RunActor, RunDuration, RunName, withoutResult } from '../uploads/runColumns.tsx';
import './failedPhotos.css';

const PLACE = '/enrol/failures';
/** Below this width the reasons are a select: a row of buttons would take a line of the list. */
const NARROW = '(max-width: 1200px)';
/** So many photos before the last loaded one, the next page is loaded. */
const NEAR_END = 5;
type Key = 'run' | 'list' | 'reason' | 'text' | 'state';
const FILTER: FilterShape<Key, FailureQuery> = {
  schema: failureQuery,
  keys: ['run', 'list', 'reason', 'text', 'state'],
  typed: ['text'],
  end: 'until',
};
type Address = AddressFilter<Key, FailureQuery>;
/** Photos that are not fixed, unless the address names others. */
const shownBy = ({ filter }: Address): FailureQuery => ({ ...filter, state: filter.state ?? 'open' });

/** Photos that could not be enrolled, of all runs or of one. A photo opens large, to be corrected and sent. */
export function Component() {
  const { t, count } = useWords();
  const navigate = useNavigate();
  const { id } = useParams();
  const address = useAddressFilter(FILTER);
  const filter = shownBy(address);
  const columns = useColumns(FAILURE_COLUMNS);
  const query = useInfiniteQuery({ ...failuresQuery(filter), placeholderData: keepPreviousData });
  const list = useInfiniteRows(query);
  const { first } = list;
  // Leaving the page sends the last correction, because other pages have no undo for it.
  useEffect(() => flushFix, []);
  const go = (to: number | null) =>
    void navigate({ pathname: to === null ? PLACE : `${PLACE}/${to}`, search: address.search });
  const selection = useFailureSelection(filter, list.rows);
  const selects = useMay()('uploads:create');
  const opened = id === undefined ? undefined : list.rows.find((row) => row.id === Number(id));
  // The next photos are loaded before the operator comes to the last one.
  const { loadMore } = list;
  const isNearEnd = opened !== undefined && list.rows.indexOf(opened) >= list.rows.length - NEAR_END;
  useEffect(() => {
    if (isNearEnd) loadMore?.();
  }, [isNearEnd, loadMore]);
  return (
    <Page
      title={t('nav.failedPhotos')}
      state={first && t('failedPhotos.state', { count: first.total, total: count(first.total) })}
      action={opened === undefined ? <ListTools filter={filter} /> : undefined}
    >
      {opened !== undefined ? (
        <FixPhoto key={opened.id} failure={opened} rows={list.rows} go={go} />
      ) : (
        <>
          {address.filter.run === undefined ? null : <RunFacts id={address.filter.run} />}
          <Filters address={address} first={first} />
          <FailureSelection selection={selection} />
          <ListBody
            list={list}
            none={
              address.filtered ? (
                <NoneFiltered title={t('failedPhotos.noneFiltered')} clear={address.clear} />
              ) : (
                <EmptyState
                  Icon={IconPhotoCheck}
                  title={t('failedPhotos.none')}
                  help={t('failedPhotos.noneHelp')}
                />
              )
            }
            label={t('nav.failedPhotos')}
            columns={columns}
            rowKey={rowKey}
            selection={selects ? selection : undefined}
            openKey={null}
            open={(row) => go(row.id)}
          />
        </>
      )}
    </Page>
  );
}

function Filters({ address, first }: { address: Address; first: FailureList | undefined }) {
  const { t } = useWords();
  const { company } = useSession();
  const lists = useQuery({ ...blacklistsQuery, enabled: company.features.blacklists });
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const reasons = first?.reasons ?? [];
  return (
    <>
      <FilterBar address={address}>
        <TypedFilter
          slash
          label={t('failedPhotos.search')}
          text={address.value('text')}
          set={(text) => address.set('text', text)}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('common.status')}
          data={FAILURE_STATES.map((value) => ({ value, label: t(`failedPhotos.state_${value}`) }))}
          value={address.filter.state ?? 'open'}
          onChange={(value) => address.set('state', value === 'open' ? null : value)}
        />
        <Select
          size="xs"
          aria-label={t('enrol.target')}
          value={address.value('list')}
          onChange={(value) => address.set('list', value)}
          data={[
            { value: '', label: t('common.allLists') },
            { value: 'main', label: t('common.mainGallery') },
            ...(lists.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
        {narrow ? <ReasonSelect address={address} reasons={reasons} /> : null}
        <DayRange address={address} />
      </FilterBar>
      {narrow ? null : <ReasonFilter address={address} reasons={reasons} />}
    </>
  );
}

/** The actions for the listed photos: read their files, take their faces, save the list. */
function ListTools({ filter }: { filter: FailureQuery }) {
  const { t } = useWords();
  const may = useMay();
  const [choosing, setChoosing] = useState<FacesTaken | null>(null);
  const folder = useFileChooser({
    label: t('failedPhotos.chooseFolder'),
    multiple: true,
    folder: true,
    take: choosePhotos,
  });
  return (
    <>
      {may('uploads:create') ? (
        <>
          <Action
            size="xs"
            Icon={IconFolderOpen}
            label={t('failedPhotos.chooseFolder')}
            title={t('failedPhotos.chooseFolderHelp')}
            onClick={folder.open}
          />
          {folder.chooser}
          <Action size="xs" label={t('failedPhotos.mainFaces')} onClick={() => setChoosing('main')} />
          <Action size="xs" label={t('failedPhotos.allFaces')} onClick={() => setChoosing('all')} />
        </>
      ) : null}
      <FailuresCsv filter={filter} />
      {choosing === null ? null : (
        <SeveralFacesDialog
          taken={choosing}
          name={filter}
          load={() => loadAllFailures({ ...filter, reason: 'MULTIPLE_FACES', state: 'open' })}
          close={() => setChoosing(null)}
        />
      )}
    </>
  );
}

/** The reasons as one field, for a window without room for a row of buttons. */
function ReasonSelect({ address, reasons }: { address: Address; reasons: FailureList['reasons'] }) {
  const { t, count } = useWords();
  return (
    <Select
      size="xs"
      aria-label={t('failedPhotos.reasons')}
      none={t('failedPhotos.reasons')}
      value={address.filter.reason ?? null}
      onChange={(value) => address.set('reason', value)}
      data={reasons.map(({ code, count: number }) => ({
        value: code,
        label: `${t(`failedPhotos.reason_${code}`)} ${count(number)}`,
      }))}
    />
  );
}

/** One button for each reason, with its number of photos. */
function ReasonFilter({ address, reasons }: { address: Address; reasons: FailureList['reasons'] }) {
  const { t, count } = useWords();
  return (
    <div className="filters reason-filters" role="group" aria-label={t('failedPhotos.reasons')}>
      {reasons.map(({ code, count: number }) => {
        const chosen = address.filter.reason === code;
        return (
          <Button
            key={code}
            size="compact-sm"
            variant={chosen ? 'filled' : 'default'}
            aria-pressed={chosen}
            title={t(`failures.${code}.remedy`)}
            onClick={() => address.set('reason', chosen ? null : code)}
          >
            {t(`failedPhotos.reason_${code}`)} {count(number)}
          </Button>
        );
      })}
    </div>
  );
}

/** Saves the failed photos that the filter leaves. */
function FailuresCsv({ filter }: { filter: FailureQuery }) {
  const { t } = useWords();
  return (
    <ExportButton
      size="xs"
      label={t('common.downloadCsv')}
      icon={<IconDownload size={16} aria-hidden />}
      run={async () => {
        const rows = await loadAllFailures(filter);
        const uploads = [...new Set(rows.map(({ uploadId }) => uploadId))];
        if (uploads.length > 0) await announceExport({ kind: 'uploadResults', uploads });
        return rows;
      }}
      done={(rows) => {
        const table = failureTable(rows, (code) => t(`failures.${code}.sentence`));
        downloadFile(
          'vouch-failed-photos.csv',
          new Blob([`\ufeff${table}`], { type: 'text/csv;charset=utf-8' }),
        );
      }}
    />
  );
}

/** Failed photos as comma-separated values (RFC 4180), one line each. */
function failureTable(
  rows: readonly FailureRow[],
  words: (code: FailureRow['failureCode']) => string,
): string {
  const head = [
    'file',
    'run',
    'list',
    'time',
    'failureCode',
    'reason',
    'person',
    'fix',
    'fixedBy',
    'notFixableBy',
    'note',
  ];
  const lines = rows.map(({ fileName, runName, blacklistName, at, failureCode, person, fix, unfixable }) => [
    fileName,
    runName ?? '',
    blacklistName ?? '',
    at,
    failureCode,
    words(failureCode),
    person?.name ?? '',
    fix?.state ?? '',
    fix?.byName ?? '',
    unfixable === null ? '' : (unfixable.byName ?? ''),
    unfixable?.note ?? '',
  ]);
  return [head, ...lines].map(csvLine).join('');
}

const rowKey = ({ id }: FailureRow) => id;

/** The selection of failed photos. Ctrl A selects all photos of the filter. */
function useFailureSelection(filter: FailureQuery, rows: readonly FailureRow[]): RowSelection<FailureRow> {
  const { t } = useWords();
  const all = useMutation({
    mutationFn: () => loadAllFailures(filter),
    onSuccess: (found) => {
      selection.add(found);
    },
    onError: () => undoStore.getState().notify(t('failedPhotos.notSelected')),
  });
  const { mutate } = all;
  const selectAll = useCallback(() => mutate(), [mutate]);
  const selection = useRowSelection(rows, rowKey, selectAll);
  // No action may concern a photo that another filter hides.
  const { clear } = selection;
  const shown = JSON.stringify(filter);
  useEffect(() => clear, [shown, clear]);
  return selection;
}

/** The run whose photos are listed: folder, list, account, time and totals. */
function RunFacts({ id }: { id: string }) {
  const { t, count } = useWords();
  const query = useQuery(runQueryById(id));
  return (
    <Loaded query={query} rows={1}>
      {(run) => (
        <dl className="run-facts" aria-label={t('uploads.run')}>
          {(
            [
              ['facts.folder', <RunName key="n" run={run} />],
              ['enrol.target', run.blacklistName ?? t('common.mainGallery')],
              ['uploads.startedBy', <RunActor key="a" run={run} />],
              ['common.started', <Time key="t" at={run.startedAt} />],
              ['uploads.duration', <RunDuration key="d" run={run} />],
              ['facts.photos', count(Math.max(run.planned ?? 0, run.images))],
              ['status.enrolled', count(run.enrolled)],
              ['status.failed', count(run.failed)],
              ['uploads.noResult', count(withoutResult(run))],
              ['enrol.severalFaces', t(`enrol.severalFaces_${run.severalFaces}`)],
            ] as const
          ).map(([label, value]) => (
            <div key={label}>
              <dt className="soft">{t(label)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  );
}
