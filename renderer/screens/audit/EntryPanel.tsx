import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useEnumLabels } from '../../i18n/enumLabels.ts';
import type { AuditLine } from './objects.ts';
import { LinkedParty, Outcome } from './parts.tsx';

/** One entry with its details, or the objects of consecutive views. */
export function EntryPanel({ entry, close }: { entry: AuditLine; close: () => void }) {
  const { t } = useTranslation();
  const { exact, count } = useFormats();
  const { actions } = useEnumLabels();
  return (
    <Panel
      title={actions[entry.action]}
      note={<span className="mono ltr">{entry.action}</span>}
      mark={<Outcome outcome={entry.outcome} />}
      close={close}
    >
      <dl className="facts">
        <dt>{t('audit.sequence')}</dt>
        <dd>{count(entry.sequence)}</dd>
        <dt>{t('audit.when')}</dt>
        <dd>
          <Time at={entry.at} /> <span className="mono ltr soft">{exact(entry.at)}</span>
        </dd>
        <dt>{t('audit.who')}</dt>
        <dd>
          <LinkedParty id={entry.actor} name={entry.actorName} />
        </dd>
        {entry.entries.length > 1 ? null : (
          <>
            <dt>{t('audit.object')}</dt>
            <dd>
              {entry.object === null ? (
                '–'
              ) : (
                <LinkedParty id={entry.object} name={entry.objectName} blacklist={entry.objectBlacklist} />
              )}
            </dd>
          </>
        )}
      </dl>
      {entry.entries.length > 1 ? <Views of={entry} /> : <Details of={entry} />}
    </Panel>
  );
}

/** Each of the consecutive views: its time and its object. */
function Views({ of: { entries } }: { of: AuditLine }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  return (
    <section className="column">
      <h3>{t('audit.views', { views: count(entries.length) })}</h3>
      <ul className="audit-views">
        {entries.map(({ sequence, at, object, objectName, objectBlacklist }) => (
          <li key={sequence}>
            <Time at={at} />{' '}
            {object === null ? null : (
              <LinkedParty id={object} name={objectName} blacklist={objectBlacklist} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Details({ of: entry }: { of: AuditLine }) {
  const { t } = useTranslation();
  const details = Object.entries(entry.details);
  return (
    <section className="column">
      <h3>{t('audit.facts')}</h3>
      {details.length === 0 ? (
        <p className="soft">{t('audit.factNone')}</p>
      ) : (
        <dl className="facts mono ltr">
          {details.map(([key, value]) => (
            <Fragment key={key}>
              <dt>{key}</dt>
              <dd>{Array.isArray(value) ? value.join(', ') : String(value)}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </section>
  );
}
