import { useTranslation } from 'react-i18next';

/** Eight groups, as two people read them to each other. */
export function Fingerprint({ of }: { of: string }) {
  const { t } = useTranslation();
  return (
    <div className="fingerprint mono" role="group" aria-label={t('exchange.fingerprint')}>
      {of.split('-').map((group, index) => (
        // A group may come twice.
        <span key={index}>{group}</span>
      ))}
    </div>
  );
}
