import { useMemo } from 'react';
import { Button } from '@mantine/core';
import { IconArrowsExchange, IconFileImport, IconId, IconPlus, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import type { ImportView, TrustedSiteView } from '../../../core/contracts/exchange.ts';
import { importsQuery, trustedSitesQuery } from '../../api/exchange.ts';
import { useMay } from '../../api/session.ts';
import { Page } from '../../components/Page.tsx';
import { RowList } from '../../components/RowList.tsx';
import { NothingHere, Split } from '../../components/Split.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import type { Column } from '../../components/VirtualRows.tsx';
import { useFormats } from '../../i18n/format.ts';
import { BundlePanel } from './BundlePanel.tsx';
import { ExportPanel } from './ExportPanel.tsx';
import { ImportPanel, ImportState } from './ImportPanel.tsx';
import { NewSitePanel } from './NewSitePanel.tsx';
import { OwnSitePanel } from './OwnSitePanel.tsx';
import { SitePanel } from './SitePanel.tsx';
import './exchange.css';

const PLACE = '/exchange';
const SITES = `${PLACE}/sites`;

/** Blacklists that came from other sites, and the sites that are trusted; what is done with them opens beside. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const { part } = useParams();
  const sites = useQuery(trustedSitesQuery);
  const imports = useQuery(importsQuery);
  const ofSites = part === 'sites' || part === 'export';
  const [siteRows, importRows] = [sites.data?.items, imports.data?.items];
  return (
    <Page
      title={t('exchange.title')}
      state={
        siteRows &&
        importRows &&
        t('exchange.state', {
          sites: count(siteRows.length),
          imports: count(importRows.filter(({ undoneAt }) => undoneAt === null).length),
        })
      }
      action={may('blacklists:exchange') ? <ImportButton /> : undefined}
    >
      <Parts ofSites={ofSites} />
      {ofSites ? (
        <Sites rows={siteRows} error={sites.error} retry={() => void sites.refetch()} />
      ) : (
        <Imports rows={importRows} error={imports.error} retry={() => void imports.refetch()} />
      )}
    </Page>
  );
}

function ImportButton() {
  const { t } = useTranslation();
  return (
    <Button component={Link} to={`${PLACE}/import`} leftSection={<IconFileImport size={16} aria-hidden />}>
      {t('exchange.import')}
    </Button>
  );
}

function Parts({ ofSites }: { ofSites: boolean }) {
  const { t } = useTranslation();
  const may = useMay();
  const current = (here: boolean) => (here ? { 'aria-current': 'page' as const } : {});
  return (
    <div className="exchange-head">
      <nav className="subnav" aria-label={t('exchange.title')}>
        <Link to={PLACE} {...current(!ofSites)}>
          {t('exchange.imports')}
        </Link>
        <Link to={SITES} {...current(ofSites)}>
          {t('exchange.sites')}
        </Link>
      </nav>
      <span className="row push">
        <Button
          component={Link}
          to={`${SITES}/own`}
          size="xs"
          variant="default"
          leftSection={<IconId size={15} aria-hidden />}
        >
          {t('exchange.own')}
        </Button>
        {may('blacklists:exchange') ? (
          <>
            <Button
              component={Link}
              to={`${SITES}/new`}
              size="xs"
              variant="default"
              leftSection={<IconPlus size={15} aria-hidden />}
            >
              {t('exchange.newSite')}
            </Button>
            <Button
              component={Link}
              to={`${PLACE}/export`}
              size="xs"
              variant="default"
              leftSection={<IconSend size={15} className="mirrored" aria-hidden />}
            >
              {t('exchange.export')}
            </Button>
          </>
        ) : null}
      </span>
    </div>
  );
}

interface ListProps<T> {
  rows: T[] | undefined;
  error: Error | null;
  retry: () => void;
}

function Imports({ rows, error, retry }: ListProps<ImportView>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { part, id } = useParams();
  const opened = rows?.find((row) => part === 'imports' && String(row.id) === id);
  const columns = useImportColumns(part !== undefined);
  const close = () => void navigate(PLACE);
  const beside =
    part === undefined ? null : part === 'import' ? (
      <BundlePanel close={close} />
    ) : rows === undefined ? null : opened === undefined ? (
      <NothingHere />
    ) : (
      <ImportPanel key={id} made={opened} close={close} />
    );
  return (
    <Split beside={beside}>
      {error !== null && rows === undefined ? (
        <ErrorState error={error} retry={retry} />
      ) : rows === undefined ? (
        <LoadingRows />
      ) : rows.length === 0 ? (
        <EmptyState Icon={IconArrowsExchange} title={t('exchange.noImports')}>
          {t('exchange.noImportsHelp')}
        </EmptyState>
      ) : (
        <RowList
          label={t('exchange.imports')}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          openKey={opened?.id ?? null}
          open={(row) => void navigate(`${PLACE}/imports/${row.id}`)}
        />
      )}
    </Split>
  );
}

function Sites({ rows, error, retry }: ListProps<TrustedSiteView>) {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const { part, id } = useParams();
  const opened = rows?.find((row) => part === 'sites' && String(row.id) === id);
  const columns = useSiteColumns(id !== undefined || part === 'export');
  const close = () => void navigate(SITES);
  const beside =
    part === 'export' ? (
      <ExportPanel close={close} />
    ) : id === undefined ? null : id === 'new' ? (
      <NewSitePanel close={close} />
    ) : id === 'own' ? (
      <OwnSitePanel close={close} />
    ) : rows === undefined ? null : opened === undefined ? (
      <NothingHere />
    ) : (
      <SitePanel key={id} site={opened} close={close} />
    );
  return (
    <Split beside={beside}>
      {error !== null && rows === undefined ? (
        <ErrorState error={error} retry={retry} />
      ) : rows === undefined ? (
        <LoadingRows />
      ) : rows.length === 0 ? (
        <EmptyState
          Icon={IconArrowsExchange}
          title={t('exchange.noSites')}
          action={
            may('blacklists:exchange') ? (
              <Button component={Link} to={`${SITES}/new`}>
                {t('exchange.newSite')}
              </Button>
            ) : undefined
          }
        >
          {t('exchange.noSitesHelp')}
        </EmptyState>
      ) : (
        <RowList
          label={t('exchange.sites')}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          openKey={opened?.id ?? null}
          open={(row) => void navigate(`${SITES}/${row.id}`)}
        />
      )}
    </Split>
  );
}

function useImportColumns(narrow: boolean): Column<ImportView>[] {
  const { t } = useTranslation();
  const { count } = useFormats();
  return useMemo(() => {
    const all: Column<ImportView>[] = [
      { key: 'id', label: t('exchange.number'), track: '80px', cell: ({ id }) => count(id) },
      {
        key: 'from',
        label: t('exchange.from_column'),
        track: 'minmax(120px, 2fr)',
        cell: ({ sender }) => sender,
      },
      {
        key: 'into',
        label: t('exchange.into_column'),
        track: 'minmax(120px, 2fr)',
        cell: ({ blacklist }) => blacklist.name ?? <span className="soft">{t('exchange.deletedList')}</span>,
      },
      {
        key: 'state',
        label: t('validations.status'),
        track: '150px',
        cell: (made) => <ImportState made={made} />,
      },
      { key: 'holds', label: t('exchange.faces'), track: '150px', cell: ({ holds }) => count(holds) },
      {
        key: 'at',
        label: t('exchange.at'),
        track: '170px',
        cell: ({ importedAt }) => <Time at={importedAt} />,
      },
    ];
    return narrow ? all.slice(0, 4) : all;
  }, [t, count, narrow]);
}

function useSiteColumns(narrow: boolean): Column<TrustedSiteView>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const all: Column<TrustedSiteView>[] = [
      { key: 'name', label: t('facts.name'), track: 'minmax(140px, 1fr)', cell: ({ name }) => name },
      {
        key: 'fingerprint',
        label: t('exchange.fingerprint'),
        track: 'minmax(300px, 2fr)',
        cell: ({ fingerprint }) => <span className="mono ltr">{fingerprint}</span>,
      },
      {
        key: 'since',
        label: t('exchange.trustedSince'),
        track: '170px',
        cell: ({ trustedAt }) => <Time at={trustedAt} />,
      },
    ];
    return narrow ? all.slice(0, 2) : all;
  }, [t, narrow]);
}
