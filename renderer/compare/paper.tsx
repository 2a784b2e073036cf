import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { Time } from '../components/Time.tsx';

/**
 * The head of a printed comparison: the company, the compared object, the operator and the time of printing.
 * @param props `object`: as the audit log names it, e.g. `validation:12`
 */
export function PaperHead({ object, children }: { object: string; children: ReactNode }) {
  const { t } = useTranslation();
  const { company, operator } = useSession();
  const [kind, id = ''] = object.split(':');
  const title =
    kind === 'validation' || kind === 'signatureComparison' || kind === 'face'
      ? t(`compare.paper_${kind}`, { id })
      : t('compare.label');
  return (
    <header className="paper">
      <p className="soft">
        <bdi>{company.name}</bdi>
      </p>
      <h2 className="paper-title">{title}</h2>
      <p className="soft">
        <Time at={usePrintTime()} /> · {t('common.by', { name: operator.name })}
      </p>
      <p>{t('compare.paperLead')}</p>
      {children}
    </header>
  );
}

/** The foot of a printed comparison. The number of the page is written by the browser. */
export function PaperFoot() {
  const { t } = useTranslation();
  return <footer className="paper paper-foot soft">{t('compare.paperFoot')}</footer>;
}

/** When the page was last printed; until then, when it was opened. */
function usePrintTime(): string {
  const [at, setAt] = useState(() => new Date().toISOString());
  useEffect(() => {
    const print = () => setAt(new Date().toISOString());
    window.addEventListener('beforeprint', print);
    return () => window.removeEventListener('beforeprint', print);
  }, []);
  return at;
}
