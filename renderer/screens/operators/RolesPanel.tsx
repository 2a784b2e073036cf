import { IconCheck, IconRefreshAlert } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { OperatorList } from '../../../core/contracts/dashboard/operators.ts';
import { OPERATOR_ROLES } from '../../../core/contracts/dashboard/session.ts';
import { Panel } from '../../components/Panel.tsx';
import { WideTable } from '../../components/WideTable.tsx';
import { useEnumLabels } from '../../i18n/enumLabels.ts';

/** The permissions of each role, from the table that the service enforces. */
export function RolesPanel({ rows, close }: { rows: OperatorList['permissions']; close: () => void }) {
  const { t } = useTranslation();
  const words = useEnumLabels().permissions;
  return (
    <Panel title={t('operators.roles')} note={t('operators.rolesHelp')} close={close}>
      <WideTable label={t('operators.roles')} alone>
        <table className="roles">
          <thead>
            <tr>
              <th scope="col">{t('operators.permission')}</th>
              {OPERATOR_ROLES.map((role) => (
                <th key={role} scope="col">
                  {t(`role.${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ permission, roles, fresh }) => (
              <tr key={permission}>
                <th scope="row">
                  {words[permission]}{' '}
                  {fresh ? (
                    <span
                      role="img"
                      className="soft"
                      aria-label={t('operators.fresh')}
                      title={t('operators.fresh')}
                    >
                      <IconRefreshAlert size={14} aria-hidden />
                    </span>
                  ) : null}
                </th>
                {OPERATOR_ROLES.map((role) => (
                  <td key={role}>
                    {roles.includes(role) ? (
                      <span role="img" className="may" aria-label={t('operators.may')}>
                        <IconCheck size={16} aria-hidden />
                      </span>
                    ) : (
                      <span className="sr-only">{t('operators.mayNot')}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      <p className="row soft">
        <IconRefreshAlert size={14} aria-hidden /> {t('operators.fresh')}
      </p>
    </Panel>
  );
}
