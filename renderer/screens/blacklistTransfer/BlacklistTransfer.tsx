import { useState } from 'react';
import {
  IconArrowsExchange,
  IconFileImport,
  IconId,
  IconPlus,
  IconSend,
  IconDownload,
} from '@tabler/icons-react';
import { useQuery, type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import type {
  ImportView,
  TrustedInstallationView,
  InstallationView,
} from '../../../core/contracts/blacklistTransfer.ts';
import { Action, Page, Panel, panelOf, Split, EmptyState, Loaded } from '../../components/Page.tsx';
import {
  importsQuery,
  trustedInstallationsQuery,
  ownInstallationQuery,
  revokeInstallation,
} from '../../api/blacklists.ts';
import { useMay } from '../../api/session.ts';
import { column, completeRows } from '../../components/list/columns.ts';
import { ListBody, type MakeColumns, useColumns } from '../../components/list/ListBody.tsx';
import { Fact, Time } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { PackagePanel } from './PackagePanel.tsx';
import { ExportPanel, ImportPanel, ImportState, NewInstallationPanel } from './ImportPanel.tsx';
import { downloadFile } from '../../components/ExportButton.tsx';
import { ConfirmByTyping } from '../../components/Form.tsx';
import '../blacklists/blacklists.css';

const PLACE = '/exchange';
const INSTALLATIONS = `${PLACE}/installations`;

/** Imports from other installations and the trusted installations; their actions open in a panel. */
export function Component() {
  const { t, count } = useWords();
  const { part } = useParams();
  const installations = useQuery(trustedInstallationsQuery);
  const imports = useQuery(importsQuery);
  const ofInstallations = part === 'installations' || part === 'export';
  const [installationRows, importRows] = [installations.data?.items, imports.data?.items];
  return (
    <Page
      title={t('nav.exchange')}
      state={
        installationRows &&
        importRows &&
        t('exchange.state', {
          installations: count(installationRows.length),
          imports: count(importRows.filter(({ undoneAt }) => undoneAt === null).length),
        })
      }
      action={<ImportButton />}
    >
      <Parts ofInstallations={ofInstallations} />
      {ofInstallations ? <Installations query={installations} /> : <Imports query={imports} />}
    </Page>
  );
}

function ImportButton() {
  const { t } = useWords();
  return <Action primary Icon={IconFileImport} label={t('exchange.import')} to={`${PLACE}/import`} />;
}

function Parts({ ofInstallations }: { ofInstallations: boolean }) {
  const { t } = useWords();
  const current = (here: boolean) => (here ? { 'aria-current': 'page' as const } : {});
  return (
    <div className="exchange-head">
      <nav className="subnav" aria-label={t('nav.exchange')}>
        <Link to={PLACE} {...current(!ofInstallations)}>
          {t('exchange.imports')}
        </Link>
        <Link to={INSTALLATIONS} {...current(ofInstallations)}>
          {t('exchange.installations')}
        </Link>
      </nav>
      <span className="row push">
        <Action size="xs" Icon={IconId} label={t('exchange.own')} to={`${INSTALLATIONS}/own`} />
        <Action size="xs" Icon={IconPlus} label={t('exchange.newInstallation')} to={`${INSTALLATIONS}/new`} />
        <Action size="xs" Icon={IconSend} mirrored label={t('exchange.export')} to={`${PLACE}/export`} />
      </span>
    </div>
  );
}

type ListQuery<T> = UseQueryResult<{ items: T[] }>;

function Imports({ query }: { query: ListQuery<ImportView> }) {
  const rows = query.data?.items;
  const { t } = useWords();
  const navigate = useNavigate();
  const { part, id } = useParams();
  const opened = rows?.find((row) => part === 'imports' && String(row.id) === id);
  const columns = useColumns(IMPORT_COLUMNS);
  const close = () => void navigate(PLACE);
  const beside = panelOf(id ?? part, {
    rows,
    opened,
    panel: (made) => <ImportPanel made={made} close={close} />,
    others: { import: <PackagePanel close={close} /> },
  });
  return (
    <Split beside={beside}>
      <ListBody
        list={completeRows(query)}
        none={
          <EmptyState
            Icon={IconArrowsExchange}
            title={t('exchange.noImports')}
            help={t('exchange.noImportsHelp')}
          />
        }
        label={t('exchange.imports')}
        columns={columns}
        rowKey={(row) => row.id}
        openKey={opened?.id ?? null}
        open={(row) => void navigate(`${PLACE}/imports/${row.id}`)}
      />
    </Split>
  );
}

function Installations({ query }: { query: ListQuery<TrustedInstallationView> }) {
  const rows = query.data?.items;
  const { t } = useWords();
  const navigate = useNavigate();
  const { part, id } = useParams();
  const opened = rows?.find((row) => part === 'installations' && String(row.id) === id);
  const columns = useColumns(INSTALLATION_COLUMNS);
  const close = () => void navigate(INSTALLATIONS);
  const beside =
    part === 'export' ? (
      <ExportPanel close={close} />
    ) : (
      panelOf(id, {
        rows,
        opened,
        panel: (installation) => <InstallationPanel installation={installation} close={close} />,
        others: { new: <NewInstallationPanel close={close} />, own: <OwnInstallationPanel close={close} /> },
      })
    );
  return (
    <Split beside={beside}>
      <ListBody
        list={completeRows(query)}
        none={
          <EmptyState
            Icon={IconArrowsExchange}
            title={t('exchange.noInstallations')}
            action={<Action primary label={t('exchange.newInstallation')} to={`${INSTALLATIONS}/new`} />}
            help={t('exchange.noInstallationsHelp')}
          />
        }
        label={t('exchange.installations')}
        columns={columns}
        rowKey={(row) => row.id}
        openKey={opened?.id ?? null}
        open={(row) => void navigate(`${INSTALLATIONS}/${row.id}`)}
      />
    </Split>
  );
}

const IMPORT_COLUMNS: MakeColumns<ImportView> = ({ t, count }) => [
  column('id', t('exchange.number'), 80, ({ id }) => count(id)),
  column('from', t('exchange.from'), { minWidth: 120, grow: 2 }, ({ sender }) => sender),
  column(
    'into',
    t('facts.blacklist'),
    { minWidth: 120, grow: 2 },
    ({ blacklist }) => blacklist.name ?? <span className="soft">{t('exchange.deletedList')}</span>,
  ),
  column('state', t('common.status'), 150, (made) => <ImportState made={made} />),
  column('holds', t('exchange.faces'), 150, ({ holds }) => count(holds)),
  column('at', t('exchange.at'), 170, ({ importedAt }) => <Time at={importedAt} />),
];

const INSTALLATION_COLUMNS: MakeColumns<TrustedInstallationView> = ({ t }) => [
  column('name', t('facts.name'), { minWidth: 140, grow: 1 }, ({ name }) => name),
  column('fingerprint', t('facts.fingerprint'), { minWidth: 300, grow: 2 }, ({ fingerprint }) => (
    <span className="mono ltr">{fingerprint}</span>
  )),
  column('since', t('exchange.trustedSince'), 170, ({ trustedAt }) => <Time at={trustedAt} />),
];

/** The identity of this installation for other installations. */
function OwnInstallationPanel({ close }: { close: () => void }) {
  const { t } = useWords();
  const own = useQuery(ownInstallationQuery);
  return (
    <Panel title={t('exchange.own')} note={own.data?.name} close={close}>
      <Loaded query={own} rows={4}>
        {(data) => (
          <>
            <Fingerprint of={data.fingerprint} />
            <p>{t('exchange.ownHelp')}</p>
            <div>
              <Action
                primary
                Icon={IconDownload}
                label={t('exchange.saveCard')}
                onClick={() => saveCertificate(data)}
              />
            </div>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Saves the certificate. It has no personal data, so the audit log needs no entry. */
function saveCertificate({ name, certificate }: InstallationView): void {
  const fileName = `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.vouchinstallation.json`;
  downloadFile(
    fileName,
    new Blob([`${JSON.stringify(certificate, null, 2)}\n`], { type: 'application/json' }),
  );
}

/** An installation that the company trusts. */
function InstallationPanel(props: { installation: TrustedInstallationView; close: () => void }) {
  const { installation, close } = props;
  const { t } = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [leaving, setLeaving] = useState(false);
  return (
    <Panel title={installation.name} close={close}>
      <Fingerprint of={installation.fingerprint} />
      <dl className="facts">
        <Fact label={t('exchange.trustedSince')} at={installation.trustedAt} />
      </dl>
      {may('blacklists:exchange') ? (
        <div className="row wrap">
          <Action
            primary
            size="xs"
            Icon={IconSend}
            mirrored
            label={t('exchange.export')}
            to={`/exchange/export?installation=${installation.id}`}
          />
          <Action
            variant="subtle"
            size="xs"
            color="red"
            label={t('exchange.distrust')}
            onClick={() => setLeaving(true)}
          />
        </div>
      ) : null}
      {leaving ? (
        <ConfirmByTyping
          title={t('exchange.distrustTitle')}
          name={installation.name}
          action={t('exchange.distrustTitle')}
          close={() => setLeaving(false)}
          run={async () => {
            await revokeInstallation(installation.id);
            close();
            await client.invalidateQueries({ queryKey: trustedInstallationsQuery.queryKey });
          }}
        >
          <p>{t('exchange.distrustWhat')}</p>
        </ConfirmByTyping>
      ) : null}
    </Panel>
  );
}

/** Eight groups, as two people read them to each other. */
function Fingerprint({ of }: { of: string }) {
  const { t } = useWords();
  return (
    <div className="fingerprint mono" role="group" aria-label={t('facts.fingerprint')}>
      {of.split('-').map((group, index) => (
        // A group may come twice.
        <span key={index}>{group}</span>
      ))}
    </div>
  );
}
