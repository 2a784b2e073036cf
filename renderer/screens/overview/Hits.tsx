import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { OverviewHit } from '../../../core/contracts/dashboard/overview.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { SeverityBadge, severityOfMatch } from '../../components/Severity.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';

/** The newest validations in which a face was found again: both faces, the best match, the status. */
export function Hits({ hits }: { hits: readonly OverviewHit[] }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-labelledby="overview-hits">
      <h2 id="overview-hits">{t('overview.hits')}</h2>
      {hits.length === 0 ? (
        <p className="soft">{t('overview.noHits')}</p>
      ) : (
        <ul className="newest-hits">
          {hits.map((hit) => (
            <HitRow key={hit.id} hit={hit} />
          ))}
        </ul>
      )}
    </section>
  );
}

function HitRow({ hit }: { hit: OverviewHit }) {
  const { t } = useTranslation();
  const { decimal } = useFormats();
  const { match } = hit;
  const severity = severityOfMatch(hit.status, match);
  const title = hit.name === '' ? t('overview.validation', { id: hit.id }) : hit.name;
  return (
    <li>
      <Link to={`/validations/${hit.id}`} className="newest-hit">
        <FaceThumbnail url={hit.thumbnailUrl} name={title} size={40} />
        <FaceThumbnail url={match?.thumbnailUrl ?? null} name={match?.name ?? title} size={40} />
        <span className="newest-hit-text">
          <strong dir="auto" className="cut">
            {title}
          </strong>
          <span dir="auto" className="soft cut">
            {match === null
              ? t('overview.matchErased')
              : match.blacklistName === null
                ? t('overview.duplicateOf', { name: match.name })
                : t('overview.onList', { name: match.name, list: match.blacklistName })}
          </span>
        </span>
        <span className="newest-hit-facts">
          <span className="row">
            {severity === null ? null : <SeverityBadge severity={severity} />}
            <StatusBadge of="validation" code={hit.status} />
          </span>
          <span className="soft">
            {match === null ? null : (
              <>
                {t('overview.similarity', { score: decimal(match.score), band: t(`score.${match.band}`) })}
                {' · '}
              </>
            )}
            <Time at={hit.createdAt} />
          </span>
        </span>
      </Link>
    </li>
  );
}
