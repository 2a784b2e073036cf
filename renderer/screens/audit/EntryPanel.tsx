import {
  IconBan,
  IconCheck,
  IconAlertTriangle,
  IconAnchor,
  IconCircleCheck,
  IconShieldCheck,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AuditOutcome, AuditState, AuditVerdict } from '../../../core/contracts/audit.ts';
import { Action, Panel, ErrorLine } from '../../components/Page.tsx';
import { Fact, Time, StatusMark } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { useEnumLabels } from '../../i18n/enumLabels.ts';
import { type AuditLine, partyAddress } from './objects.ts';
import { undoStore } from '../../state/undo.ts';
import { useSession, useMay } from '../../api/session.ts';
import { refusedScreen } from '../../state/navigation.ts';
import { translateServerMessage } from '../../i18n/errors.ts';
import { anchorAudit, auditStateQuery, verifyAudit } from '../../api/system.ts';

/** One entry with its details, or the objects of consecutive views. */
export function EntryPanel({ entry, close }: { entry: AuditLine; close: () => void }) {
  const { t, exact, count } = useWords();
  const { actions } = useEnumLabels();
  return (
    <Panel
      title={actions[entry.action]}
      note={<span className="mono ltr">{entry.action}</span>}
      mark={<Outcome outcome={entry.outcome} />}
      close={close}
    >
      <dl className="facts">
        <Fact label={t('audit.sequence')}>{count(entry.sequence)}</Fact>
        <Fact label={t('facts.time')}>
          <Time at={entry.at} /> <span className="mono ltr soft">{exact(entry.at)}</span>
        </Fact>
        <Fact label={t('audit.who')}>
          <LinkedParty id={entry.actor} name={entry.actorName} />
        </Fact>
        {entry.entries.length > 1 ? null : (
          <Fact label={t('audit.object')}>
            {entry.object === null ? (
              '–'
            ) : (
              <LinkedParty id={entry.object} name={entry.objectName} blacklist={entry.objectBlacklist} />
            )}
          </Fact>
        )}
      </dl>
      {entry.entries.length > 1 ? <Views of={entry} /> : <Details of={entry} />}
    </Panel>
  );
}

/** Each of the consecutive views: its time and its object. */
function Views({ of: { entries } }: { of: AuditLine }) {
  const { t, count } = useWords();
  return (
    <section className="column">
      <h3>{t('audit.views', { views: count(entries.length) })}</h3>
      <ul className="audit-views">
        {entries.map(({ sequence, at, object, objectName, objectBlacklist }) => (
          <li key={sequence}>
            <Time at={at} />{' '}
            {object === null ? null : (
              <LinkedParty id={object} name={objectName} blacklist={objectBlacklist} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Details({ of: entry }: { of: AuditLine }) {
  const { t } = useWords();
  const details = Object.entries(entry.details);
  return (
    <section className="column">
      <h3>{t('audit.facts')}</h3>
      {details.length === 0 ? (
        <p className="soft">{t('audit.factNone')}</p>
      ) : (
        <dl className="facts mono ltr">
          {details.map(([key, value]) => (
            <Fact key={key} label={key}>
              {Array.isArray(value) ? value.join(', ') : String(value)}
            </Fact>
          ))}
        </dl>
      )}
    </section>
  );
}

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
function LinkedParty(props: {
  id: string;
  name: string | null;
  /** The blacklist that a face is in. */
  blacklist?: number | null;
}) {
  const { id, name, blacklist = null } = props;
  const { permissions } = useSession();
  const address = partyAddress(id, blacklist);
  if (address === null || refusedScreen(address, permissions) !== undefined)
    return <Party id={id} name={name} />;
  return (
    <Link to={address}>
      <Party id={id} name={name} />
    </Link>
  );
}

export function Outcome({ outcome }: { outcome: AuditOutcome }) {
  const { t } = useWords();
  return outcome === 'done' ? (
    <StatusMark tone="good" Icon={IconCheck} label={t('audit.outcome_done')} />
  ) : (
    <StatusMark tone="bad" Icon={IconBan} label={t('audit.outcome_refused')} />
  );
}

/** The integrity of the audit log: its chain, its signed head, its anchor, and their verification. */
export function IntegrityCheck() {
  const { t } = useWords();
  const may = useMay();
  const client = useQueryClient();
  const { data } = useQuery(auditStateQuery);
  const refresh = () => client.invalidateQueries({ queryKey: ['audit'] });
  const verify = useMutation({ mutationFn: verifyAudit, onSuccess: refresh });
  const anchor = useMutation({
    mutationFn: anchorAudit,
    onSuccess: () => {
      undoStore.getState().notify(t('audit.anchored'));
      return refresh();
    },
  });
  return (
    <section className="proof" aria-label={t('audit.proof')}>
      <Facts state={data} />
      {may('audit:verify') ? (
        <div className="row wrap">
          <Action primary size="xs" Icon={IconShieldCheck} label={t('audit.verify')} work={verify} />
          <Action size="xs" Icon={IconAnchor} label={t('audit.anchorNow')} work={anchor} />
        </div>
      ) : null}
      <div className="proof-verdict" aria-live="polite">
        {verify.data === undefined ? null : <Verdict verdict={verify.data} />}
        <ErrorLine error={verify.error ?? anchor.error} />
      </div>
    </section>
  );
}

function Facts({ state }: { state: AuditState | undefined }) {
  const { t, count, time } = useWords();
  const head = state?.head?.sequence ?? 0;
  const behind = head - (state?.anchor?.sequence ?? 0);
  return (
    <dl className="proof-facts" aria-busy={state === undefined}>
      <div>
        <Fact label={t('audit.head')}>
          {state === undefined ? (
            '…'
          ) : (
            <>
              {t('audit.headSigned', { sequence: count(head) })}{' '}
              <span className="mono ltr">{state.head?.hash.slice(0, 16) ?? '—'}</span>
            </>
          )}
        </Fact>
      </div>
      <div>
        <Fact label={t('audit.anchor')}>
          {state === undefined
            ? '…'
            : state.anchor === null
              ? t('audit.anchorNone')
              : t('audit.anchorAt', { sequence: count(state.anchor.sequence), time: time(state.anchor.at) })}
          <span className="soft proof-behind">
            {behind > 0 ? t('audit.anchorBehind', { count: behind, behind: count(behind) }) : null}
          </span>
        </Fact>
      </div>
      <div>
        <Fact label={t('audit.externalFile')}>
          {state === undefined ? '…' : <AnchorState external={state.external} />}
        </Fact>
      </div>
      <div>
        <Fact label={t('audit.verified')}>
          {state === undefined
            ? '…'
            : state.lastVerified === null
              ? t('audit.verifiedNever')
              : t('audit.verifiedAt', {
                  time: time(state.lastVerified.at),
                  name: state.lastVerified.actorName ?? t('common.unknown'),
                  entries: count(state.lastVerified.entries),
                })}
        </Fact>
      </div>
    </dl>
  );
}

/** The path keeps its own direction within a right-to-left page. */
function AnchorState({ external: { file, problem } }: { external: AuditState['external'] }) {
  const { t } = useWords();
  if (file === null) return t('audit.externalFileNone');
  return <bdi dir="ltr">{problem === null ? file : t('audit.externalFileAway', { file })}</bdi>;
}

function Verdict({ verdict }: { verdict: AuditVerdict }) {
  const { t, count } = useWords();
  const { firstBad } = verdict;
  if (firstBad === null)
    return (
      <p className="audit-verdict audit-verdict-good">
        <IconCircleCheck size={16} aria-hidden />
        {t('audit.whole', { entries: count(verdict.entries), anchors: count(verdict.anchors) })}
      </p>
    );
  return (
    <p className="audit-verdict audit-verdict-bad" role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {t('audit.bad', {
          sequence: count(firstBad.sequence),
          problem: translateServerMessage(firstBad.problem),
        })}{' '}
        {t('audit.badHelp')}
      </span>
    </p>
  );
}
