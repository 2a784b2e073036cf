import {
  IconAlertTriangle,
  IconClockOff,
  IconHandStop,
  IconInfoCircle,
  type Icon,
} from '@tabler/icons-react';
import { TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import { type FaceListing, type Severity, LISTING_TEXT_NAMES } from '../../core/contracts/faceListing.ts';
import { useWords, remembered } from '../i18n/words.tsx';
import { Fact, StatusMark, type Tone, Time } from './StatusBadge.tsx';

const APPEARANCES: Record<Severity, { tone: Tone; Icon: Icon }> = {
  information: { tone: 'calm', Icon: IconInfoCircle },
  caution: { tone: 'warn', Icon: IconAlertTriangle },
  stop: { tone: 'bad', Icon: IconHandStop },
};

const wordOf = remembered<Severity>((t, severity) => t(`listing.severity_${severity}`));

/**
 * The severity that a list states of the best match of a validation. After the decision that these are different persons, it is
 * that of the other one.
 */
export function severityOfMatch(
  status: number,
  match: { severity: Severity | null } | null,
): Severity | null {
  return status === TRUST_VALIDATION_STATUS.Verified ? null : (match?.severity ?? null);
}

/** The severity of a blacklist face as icon, word and colour. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  const { t } = useWords();
  const { tone, Icon } = APPEARANCES[severity];
  return <StatusMark tone={tone} Icon={Icon} label={wordOf(t, severity)} />;
}

/** The severity as an icon in its colour, for a cell of a list; its word is the name of the icon. */
export function SeverityIcon({ severity }: { severity: Severity }) {
  const { t } = useWords();
  const { tone, Icon } = APPEARANCES[severity];
  const word = wordOf(t, severity);
  return (
    <span className={`severity-icon severity-${tone}`} role="img" aria-label={word} title={word}>
      <Icon size={15} stroke={1.8} aria-hidden />
    </span>
  );
}

/** In place of the severity, once the time of the face in its list is over. */
export function ExpiredBadge() {
  const { t } = useWords();
  return <StatusMark tone="calm" Icon={IconClockOff} label={t('listing.expired')} />;
}

/** Rows of a list of facts: severity, what was typed, and expiry. */
export function ListingFacts({ listing, expired }: { listing: FaceListing; expired: boolean }) {
  const { t } = useWords();
  return (
    <>
      <Fact label={t('listing.severity')}>
        <SeverityBadge severity={listing.severity} />
      </Fact>
      {LISTING_TEXT_NAMES.map((field) => (
        <Fact key={field} label={t(`listing.${field}`)}>
          {listing[field] ?? <span className="soft">{t(`listing.no_${field}`)}</span>}
        </Fact>
      ))}
      <Fact label={t('listing.expires')}>
        {listing.expiresAt === null ? (
          <span className="soft">{t('listing.noExpiry')}</span>
        ) : (
          <Time at={listing.expiresAt} />
        )}
        {expired ? <p>{t('listing.expiredOn')}</p> : null}
      </Fact>
    </>
  );
}
