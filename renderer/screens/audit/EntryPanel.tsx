import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { NamedAuditRow } from '../../../core/contracts/audit.ts';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useEnumLabels } from '../../i18n/enumLabels.ts';
import { Outcome, Party } from './parts.tsx';

/** One entry, whole. */
export function EntryPanel({ entry, close }: { entry: NamedAuditRow; close: () => void }) {
  const { t } = useTranslation();
  const { exact, count } = useFormats();
  const { actions } = useEnumLabels();
  const details = Object.entries(entry.details);
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
          <Party id={entry.actor} name={entry.actorName} />
        </dd>
        <dt>{t('audit.object')}</dt>
        <dd>{entry.object === null ? '–' : <Party id={entry.object} name={entry.objectName} />}</dd>
      </dl>
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
    </Panel>
  );
}
