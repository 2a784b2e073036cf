import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { recentFaceComparisonsQuery } from '../../api/faceComparisons.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { VerdictBadge } from '../../components/SimilarityScale.tsx';
import { Time } from '../../components/Time.tsx';
import { WideTable } from '../../components/WideTable.tsx';
import { useFormats } from '../../i18n/format.ts';

/** The newest comparisons of the company, without their photos. */
export function RecentComparisons() {
  const { t } = useTranslation();
  const { decimal } = useFormats();
  const query = useQuery(recentFaceComparisonsQuery);
  return (
    <section className="column" aria-labelledby="recent-comparisons">
      <h2 id="recent-comparisons" className="recent-title">
        {t('faceCompare.recent')}
      </h2>
      <Loaded query={query} rows={4}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">{t('faceCompare.none')}</p>
          ) : (
            <WideTable label={t('faceCompare.recent')}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t('signatures.column_at')}</th>
                    <th scope="col">{t('signatures.column_verdict')}</th>
                    <th scope="col">{t('signatures.column_similarity')}</th>
                    <th scope="col">{t('verify.reference')}</th>
                    <th scope="col">{t('signatures.column_by')}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((row) => (
                    <tr key={row.id}>
                      <td>
                        <Time at={row.at} />
                      </td>
                      <td>
                        <VerdictBadge verdict={row.verdict} />
                      </td>
                      <td>{row.similarity === null ? '–' : decimal(row.similarity)}</td>
                      <td>
                        <bdi>{row.verificationId}</bdi>
                      </td>
                      <td>{row.operator ?? t('signatures.program', { credential: row.credential })}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </WideTable>
          )
        }
      </Loaded>
    </section>
  );
}
