import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, type Icon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SystemState } from '../../../core/contracts/dashboard/system.ts';
import type { NodeState } from '../../../core/contracts/nodes.ts';
import { StatusMark, type Tone } from '../../components/StatusBadge.tsx';
import { WideTable } from '../../components/WideTable.tsx';
import { useFormats } from '../../i18n/format.ts';

const APPEARANCES: Record<'running' | 'stopping' | 'silent', { Icon: Icon; tone: Tone }> = {
  running: { Icon: IconCircleCheck, tone: 'good' },
  stopping: { Icon: IconCircleDashed, tone: 'calm' },
  silent: { Icon: IconAlertTriangle, tone: 'warn' },
};

/** The services that share the database; `vouch cluster status` prints the same. */
export function Services({ own, all }: NonNullable<SystemState['nodes']>) {
  const { t } = useTranslation();
  const { count, time } = useFormats();
  return (
    <section className="card system-wide">
      <h2>{t('system.services')}</h2>
      <WideTable label={t('system.services')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('system.service')}</th>
              <th scope="col">{t('system.serviceRole')}</th>
              <th scope="col">{t('system.serviceState')}</th>
              <th scope="col">{t('system.inProgress')}</th>
              <th scope="col">{t('system.serviceAnswered')}</th>
              <th scope="col">{t('system.serviceVersion')}</th>
              <th scope="col">{t('system.serviceSince')}</th>
              <th scope="col">{t('system.serviceSeen')}</th>
            </tr>
          </thead>
          <tbody>
            {all.map((service) => (
              <tr key={service.name}>
                <td>
                  <span className="mono ltr">{service.name}</span>
                  {service.name === own ? <div className="soft">{t('system.serviceOwn')}</div> : null}
                </td>
                <td>{t(`system.role_${service.role}`)}</td>
                <td>
                  <State service={service} />
                  {service.leads ? <div className="soft">{t('system.serviceLeads')}</div> : null}
                </td>
                <td>{count(service.leases)}</td>
                <td>{count(service.answered)}</td>
                <td className="mono ltr">{service.version}</td>
                <td>{time(service.startedAt)}</td>
                <td>{time(service.seenAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}

function State({ service: { alive, draining } }: { service: NodeState }) {
  const { t } = useTranslation();
  const state = !alive ? 'silent' : draining ? 'stopping' : 'running';
  return <StatusMark {...APPEARANCES[state]}>{t(`system.service_${state}`)}</StatusMark>;
}
