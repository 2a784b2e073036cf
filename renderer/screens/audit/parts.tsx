import { IconBan, IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AuditOutcome } from '../../../core/contracts/audit.ts';
import { Link } from 'react-router';
import { useSession } from '../../api/session.ts';
import { refusedScreen } from '../../appShell/navigation.ts';
import { StatusMark } from '../../components/StatusBadge.tsx';
import { partyAddress } from './objects.ts';

/** An actor or object of an entry: its present name, and the number that is in the log. A list cuts either at its end. */
export function Party({ id, name }: { id: string; name: string | null }) {
  if (name === null)
    return (
      <span className="party">
        <span className="mono ltr">{id}</span>
      </span>
    );
  return (
    <span className="party">
      <bdi>{name}</bdi> <span className="mono ltr soft">{id}</span>
    </span>
  );
}

/** The same with a link to the screen that shows it, where the role of the operator has that screen. */
export function LinkedParty({
  id,
  name,
  blacklist = null,
}: {
  id: string;
  name: string | null;
  /** The blacklist that a face is in. */
  blacklist?: number | null;
}) {
  const { permissions } = useSession();
  const address = partyAddress(id, blacklist);
  const [path = ''] = address?.split('?') ?? [];
  if (address === null || refusedScreen(path, permissions) !== undefined)
    return <Party id={id} name={name} />;
  return (
    <Link to={address}>
      <Party id={id} name={name} />
    </Link>
  );
}

export function Outcome({ outcome }: { outcome: AuditOutcome }) {
  const { t } = useTranslation();
  return outcome === 'done' ? (
    <StatusMark tone="good" Icon={IconCheck}>
      {t('audit.outcome_done')}
    </StatusMark>
  ) : (
    <StatusMark tone="bad" Icon={IconBan}>
      {t('audit.outcome_refused')}
    </StatusMark>
  );
}
