import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ImportResult } from '../../../core/contracts/blacklistTransfer.ts';
import { Changes } from './Changes.tsx';

/** The result of an import, with links to the next steps. */
export function ImportOutcome({ result, again }: { result: ImportResult; again: () => void }) {
  const { t } = useTranslation();
  const { id, target, counts, leftOut } = result;
  return (
    <div className="column" role="status">
      <h3>{t(id === null ? 'exchange.nothingDone' : 'exchange.done')}</h3>
      {id === null ? null : <Changes counts={counts} />}
      {leftOut.length === 0 ? null : (
        <section>
          <h3>{t('exchange.leftOut')}</h3>
          <ul className="change-names" tabIndex={0} aria-label={t('exchange.leftOut')}>
            {leftOut.map(({ name, reason }, index) => (
              // Two people may have one name.
              <li key={index}>
                {name}: {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="row wrap">
        <Button size="xs" component={Link} to={`/company/internal-biometrics/${target.id}`}>
          {t('exchange.toList')}
        </Button>
        {id === null ? null : (
          <Button size="xs" variant="default" component={Link} to={`/exchange/imports/${id}`}>
            {t('exchange.toImport')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={again}>
          {t('exchange.another')}
        </Button>
      </div>
    </div>
  );
}
