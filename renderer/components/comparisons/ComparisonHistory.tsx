import { Fragment, useMemo, type ReactNode } from 'react';
import type { Icon } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, Link } from 'react-router';
import {
  comparisonQuery,
  type ComparisonActor,
  type ComparisonQuery,
  type ComparisonFacts,
} from '../../../core/contracts/dashboard/signatures.ts';
import { type Verdict, VERDICTS } from '../../../core/contracts/signatures.ts';
import { useWords } from '../../i18n/words.tsx';
import { column, useInfiniteRows, type Column } from '../list/columns.ts';
import { ListPage, NoneFiltered } from '../list/ListBody.tsx';
import { EmptyState } from '../Page.tsx';
import { VerdictBadge } from '../ScoreScale.tsx';
import { Fact, Time } from '../StatusBadge.tsx';
import { useAddressFilter, type FilterShape, type AddressFilter } from '../useAddressFilter.ts';
import { DayRange, FilterBar, TypedFilter } from '../filters.tsx';
import { SegmentedControl } from '../SegmentedControl.tsx';
import { Select } from '../Select.tsx';
import { screensFor } from '../../state/navigation.ts';
import { useSession } from '../../api/session.ts';

const FILTER: FilterShape<ComparisonFilterKey, ComparisonQuery> = {
  schema: comparisonQuery,
  keys: ['template_id', 'verification_id', 'verdict', 'credential'],
  end: 'until',
  typed: ['template_id', 'verification_id'],
};

const PAGE = 200;

/** Where the records of a subject are read. */
interface ComparisonSource<Row> {
  /** Begins the keys of the queries. */
  key: readonly string[];
  page: (query: ComparisonQuery, signal: AbortSignal) => Promise<ComparisonPage<Row>>;
}
interface ComparisonPage<Row> {
  items: Row[];
  nextCursor: string | null;
  total: number;
  actors: ComparisonActor[];
}

/** The recorded comparisons of one subject with their filters, newest first; one of them opens beside the list. */
export function ComparisonHistory<Row extends ComparisonFacts>(props: {
  /** The accessible name of the list. */
  label: string;
  /** Address of the list; a record is at `<place>/<id>`. */
  place: string;
  source: ComparisonSource<Row>;
  /** The words of the verdicts, and what they are called. */
  verdicts: { label: string; any: string; of: (verdict: Verdict) => string };
  /** Columns of the subject, after the similarity. */
  columns?: readonly Column<Row>[];
  panel: (id: number, close: () => void) => ReactNode;
  none: { Icon: Icon; help: string };
}) {
  const { label, place, source, panel, none } = props;
  const { t, count } = useWords();
  const navigate = useNavigate();
  const { id } = useParams();
  const address = useAddressFilter(FILTER);
  const list = useInfiniteRows<ComparisonPage<Row>>(
    useInfiniteQuery({
      queryKey: [...source.key, 'list', address.filter],
      queryFn: ({ pageParam, signal }) =>
        source.page({ ...address.filter, limit: PAGE, cursor: pageParam }, signal),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: (page) => (page.nextCursor === null ? undefined : Number(page.nextCursor)),
      placeholderData: keepPreviousData,
    }),
  );
  const { first } = list;
  const go = (to: string) => void navigate({ pathname: to, search: address.search });
  const columns = useColumns(props.verdicts, props.columns);
  const openId = id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
  return (
    <ListPage
      label={label}
      title={t('nav.comparisons')}
      state={first && t('signatures.historyState', { count: first.total, total: count(first.total) })}
      above={
        <ComparisonFilters address={address} actors={first?.actors ?? []} verdicts={props.verdicts}>
          <SubjectSwitch place={place} />
        </ComparisonFilters>
      }
      beside={openId === null ? null : panel(openId, () => go(place))}
      list={list}
      none={
        address.filtered ? (
          <NoneFiltered title={t('signatures.noneFiltered')} clear={address.clear} />
        ) : (
          <EmptyState Icon={none.Icon} title={t('signatures.none')} help={none.help} />
        )
      }
      columns={columns}
      rowKey={(row) => row.id}
      openKey={openId}
      open={(row) => go(`${place}/${row.id}`)}
      follow
    />
  );
}

function useColumns<Row extends ComparisonFacts>(
  verdicts: { label: string; any: string; of: (verdict: Verdict) => string },
  own: readonly Column<Row>[] = [],
): Column<Row>[] {
  const { t, decimal } = useWords();
  return useMemo(
    () => [
      column('at', t('signatures.column_at'), 170, ({ at }) => <Time at={at} />),
      column('verdict', verdicts.label, 150, ({ verdict }) => (
        <VerdictBadge verdict={verdict} said={verdicts.of(verdict)} />
      )),
      column('similarity', t('signatures.column_similarity'), 90, ({ similarity }) =>
        similarity === null ? '–' : decimal(similarity),
      ),
      ...own,
      column(
        'template',
        t('signatures.template'),
        { minWidth: 100, grow: 1 },
        ({ templateId }) => templateId,
      ),
      column(
        'verification',
        t('signatures.verification'),
        { minWidth: 120, grow: 1 },
        ({ verificationId }) => verificationId,
      ),
      column(
        'by',
        t('signatures.column_by'),
        { minWidth: 120, grow: 1 },
        ({ operator, credential }) => operator ?? t('signatures.program', { credential }),
      ),
    ],
    [t, decimal, verdicts, own],
  );
}

/** Leads from the comparisons of faces to those of signatures and back, for a role that has both. */
function SubjectSwitch({ place }: { place: string }) {
  const { t } = useWords();
  const navigate = useNavigate();
  const places = screensFor(useSession()).filter(({ word }) => word === 'comparisons');
  if (places.length < 2) return null;
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('signatures.subject')}
      data={places.map(({ path }) => ({
        value: path,
        label: t(path === '/compare/history' ? 'signatures.ofFaces' : 'signatures.ofSignatures'),
      }))}
      value={place}
      onChange={(path) => void navigate(path)}
    />
  );
}

type ComparisonFilterKey = 'template_id' | 'verification_id' | 'verdict' | 'credential';

/** The filters of recorded comparisons. @param actors every operator and program with a record */
function ComparisonFilters(props: {
  address: AddressFilter<ComparisonFilterKey, ComparisonQuery>;
  actors: readonly ComparisonActor[];
  verdicts: { label: string; any: string; of: (verdict: Verdict) => string };
  children: ReactNode;
}) {
  const { t } = useWords();
  const { address, actors, verdicts, children } = props;
  const { value, set } = address;
  const credential = address.filter.credential ?? null;
  const named = actors.map((each) => ({
    value: each.credential,
    label: each.operator ?? t('signatures.program', { credential: each.credential }),
  }));
  // A copied address may name an actor without a record: the filter still shows it.
  const choices =
    credential === null || named.some((each) => each.value === credential)
      ? named
      : [...named, { value: credential, label: credential }];
  return (
    <FilterBar address={address}>
      {children}
      {(['template', 'verification'] as const).map((key) => (
        <TypedFilter
          key={key}
          label={t(`signatures.${key}`)}
          text={value(`${key}_id`)}
          set={(text) => set(`${key}_id`, text)}
          slash={key === 'template'}
        />
      ))}
      <Select
        size="xs"
        w={160}
        aria-label={verdicts.label}
        none={verdicts.any}
        data={VERDICTS.map((verdict) => ({ value: verdict, label: verdicts.of(verdict) }))}
        value={address.filter.verdict ?? null}
        onChange={(verdict) => set('verdict', verdict)}
      />
      <Select
        size="xs"
        w={210}
        aria-label={t('signatures.comparedBy')}
        none={t('signatures.anyActor')}
        data={choices.sort((one, other) => one.label.localeCompare(other.label))}
        value={credential}
        onChange={(actor) => set('credential', actor)}
      />
      <DayRange address={address} />
    </FilterBar>
  );
}

/** The recorded fields of one comparison. @param place address of the list that its links filter */
export function RecordFacts(props: {
  row: ComparisonFacts;
  place: string;
  /** The name of the version that compared. */
  version: string;
  children: ReactNode;
}) {
  const { t } = useWords();
  const { row, place, children } = props;
  return (
    <dl className="facts">
      <Fact label={t('signatures.column_at')} at={row.at} />
      <Fact label={t('signatures.column_by')}>
        {row.operator ?? t('signatures.program', { credential: row.credential })}
      </Fact>
      <Fact label={t('signatures.template')}>
        {row.templateId}{' '}
        <Link to={`${place}?template_id=${encodeURIComponent(row.templateId)}`}>
          {t('signatures.sameTemplate')}
        </Link>
      </Fact>
      <Fact label={t('signatures.verification')}>
        {row.verificationId}{' '}
        <Link to={`${place}?verification_id=${encodeURIComponent(row.verificationId)}`}>
          {t('signatures.sameVerification')}
        </Link>
      </Fact>
      <Fact label={props.version} className="mono ltr">
        {row.modelVersion}
      </Fact>
      {children}
    </dl>
  );
}

/** The hashes of two compared files, and why a file could not be compared. */
export function PairHashes<Reason>(props: {
  of: {
    sha256: Record<'image1' | 'image2', string>;
    reasons: Partial<Record<'image1' | 'image2', Reason | undefined>>;
  };
  labels: readonly [string, string];
  inWords: (reason: Reason) => string;
}) {
  const { of, labels, inWords } = props;
  return (['image1', 'image2'] as const).map((key, index) => {
    const label = labels[index] ?? '';
    const reason = of.reasons[key];
    return (
      <Fragment key={key}>
        <RecordHash image={label} sha256={of.sha256[key]} />
        {reason === undefined ? null : <Fact label={label}>{inWords(reason)}</Fact>}
      </Fragment>
    );
  });
}

/** The hash of one compared file. */
export function RecordHash({ image, sha256 }: { image: string; sha256: string }) {
  const { t, list } = useWords();
  return (
    <Fact label={list([image, t('facts.sha256')])} className="mono ltr">
      {sha256}
    </Fact>
  );
}
