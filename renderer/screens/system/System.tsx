import { Fragment } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SystemState } from '../../../core/contracts/dashboard/system.ts';
import { useMay, useSession } from '../../api/session.ts';
import { systemQuery } from '../../api/system.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { Time } from '../../components/Time.tsx';
import { WideTable } from '../../components/WideTable.tsx';
import { navigationFor } from '../../appShell/navigation.ts';
import { useFormats } from '../../i18n/format.ts';
import { Appearance } from './Appearance.tsx';
import { Health } from './Health.tsx';
import { NetworkAccessCard } from './NetworkAccessCard.tsx';
import { RetentionCard } from './RetentionCard.tsx';
import { QueueCard } from './QueueCard.tsx';
import './system.css';

/** The System screen: versions, use of resources, health, and the operator's appearance settings. */
export function Component() {
  const { t } = useTranslation();
  const { time } = useFormats();
  const may = useMay();
  const query = useQuery(systemQuery);
  const { data } = query;
  const state =
    data === undefined ? null : t('system.state', { version: data.version, since: time(data.startedAt) });
  return (
    <Page title={t('nav.system')} state={state}>
      <div className="page-scroll system">
        <Loaded query={query}>
          {(now) => (
            <>
              <QueueCard queue={now.queue} />
              <StorageCard storage={now.storage} />
              <StaffCard staff={now.staff} />
              <Health />
              <ModelsCard models={now.models} />
              {may('settings:write') ? <RetentionCard /> : null}
              <BackupCard backup={now.backup} />
              <NetworkAccessCard />
              <Appearance />
              <Elsewhere />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

function StorageCard({ storage }: { storage: SystemState['storage'] }) {
  const { t } = useTranslation();
  const { bytes, count } = useFormats();
  const { folder, freeBytes } = storage;
  return (
    <section className="card">
      <h2>{t('system.storage')}</h2>
      <dl className="facts">
        <dt>{t('system.folder')}</dt>
        <dd>{folder === null ? t('system.notConfigured') : <span className="mono ltr">{folder}</span>}</dd>
        <dt>{t('system.images')}</dt>
        <dd>{t('system.imagesSize', { images: count(storage.images), size: bytes(storage.imageBytes) })}</dd>
        <dt>{t('system.free')}</dt>
        <dd>
          {freeBytes === null
            ? t(folder === null ? 'common.unknown' : 'system.unreadable')
            : t('system.freeLimit', { free: bytes(freeBytes), limit: bytes(storage.minFreeBytes) })}
        </dd>
        <dt>{t('system.database')}</dt>
        <dd>{bytes(storage.databaseBytes)}</dd>
      </dl>
    </section>
  );
}

function StaffCard({ staff }: { staff: SystemState['staff'] }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  return (
    <section className="card">
      <h2>{t('system.workers')}</h2>
      <dl className="facts">
        {staff.map(({ work, most, alive, restarts, version }) => (
          <Fragment key={work}>
            <dt>{t(`system.${work}`)}</dt>
            <dd>
              {t('system.staff', { alive: count(alive), most: count(most), restarts: count(restarts) })}
              <div className="mono ltr">{version}</div>
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

/** The last backup. Backups are made and restored by the local administrator at the terminal. */
function BackupCard({ backup }: { backup: SystemState['backup'] }) {
  const { t } = useTranslation();
  const { keyMadeAt, lastAt } = backup;
  const [text, command] =
    keyMadeAt === null
      ? [t('system.backupNoKey'), 'vouch backup-key create']
      : [t('system.backupHow'), 'vouch backup FILE'];
  return (
    <section className="card column">
      <h2>{t('system.backup')}</h2>
      <dl className="facts">
        <dt>{t('system.backupLast')}</dt>
        <dd>{lastAt === null ? t('system.never') : <Time at={lastAt} />}</dd>
        <dt>{t('system.backupKey')}</dt>
        <dd>{keyMadeAt === null ? t('system.never') : <Time at={keyMadeAt} />}</dd>
      </dl>
      <p className="soft">{text}</p>
      <code className="mono ltr">{command}</code>
    </section>
  );
}

function ModelsCard({ models }: { models: SystemState['models'] }) {
  const { t } = useTranslation();
  const { bytes } = useFormats();
  return (
    <section className="card system-wide">
      <h2>{t('system.models')}</h2>
      <WideTable label={t('system.models')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('system.model')}</th>
              <th scope="col">{t('system.source')}</th>
              <th scope="col">{t('system.licence')}</th>
              <th scope="col">{t('system.size')}</th>
              <th scope="col">{t('facts.sha256')}</th>
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <tr key={model.name}>
                <td>
                  {model.name}
                  <div className="soft">{model.origin}</div>
                </td>
                <td>{model.source}</td>
                <td>{model.licence}</td>
                <td>{model.bytes === null ? t('system.missing') : bytes(model.bytes)}</td>
                <td>
                  <span className="mono ltr system-hash">{model.sha256}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}

/** What else an administrator looks after: the screens of it that there are for this role. */
const NEIGHBOURS = [
  '/pipelines',
  '/calibration',
  '/exchange',
  '/erasures',
  '/audit',
  '/operators',
  '/api-access',
];

function Elsewhere() {
  const { t } = useTranslation();
  const session = useSession();
  const places = navigationFor(session).filter(({ path }) => NEIGHBOURS.includes(path));
  if (places.length === 0) return null;
  return (
    <section className="card">
      <h2>{t('system.more')}</h2>
      <ul className="system-places">
        {places.map(({ path, word, Icon }) => (
          <li key={path}>
            <Link to={path} className="row">
              <Icon size={18} stroke={1.6} aria-hidden />
              {t(`nav.${word}`)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
