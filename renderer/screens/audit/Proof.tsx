import { translateServerMessage } from '../../i18n/errors.ts';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconAnchor, IconCircleCheck, IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AuditState, AuditVerdict } from '../../../core/contracts/audit.ts';
import { anchorAudit, auditStateQuery, verifyAudit } from '../../api/audit.ts';
import { useMay } from '../../api/session.ts';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';

/** The integrity of the audit log: its chain, its signed head, its anchor, and their verification. */
export function IntegrityCheck() {
  const { t } = useTranslation();
  const may = useMay();
  const client = useQueryClient();
  const { data } = useQuery(auditStateQuery);
  const refresh = () => client.invalidateQueries({ queryKey: ['audit'] });
  const verify = useMutation({ mutationFn: verifyAudit, onSuccess: refresh });
  const anchor = useMutation({ mutationFn: anchorAudit, onSuccess: refresh });
  return (
    <section className="proof" aria-label={t('audit.proof')}>
      <Facts state={data} />
      {may('audit:verify') ? (
        <div className="row wrap">
          <Button
            size="xs"
            loading={verify.isPending}
            leftSection={<IconShieldCheck size={15} aria-hidden />}
            onClick={() => verify.mutate()}
          >
            {t('audit.verify')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={anchor.isPending}
            leftSection={<IconAnchor size={15} aria-hidden />}
            onClick={() => anchor.mutate()}
          >
            {t('audit.anchorNow')}
          </Button>
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
  const { t } = useTranslation();
  const { count, time } = useFormats();
  const head = state?.head?.sequence ?? 0;
  const behind = head - (state?.anchor?.sequence ?? 0);
  return (
    <dl className="proof-facts" aria-busy={state === undefined}>
      <div>
        <dt>{t('audit.head')}</dt>
        <dd>
          {state === undefined ? (
            '…'
          ) : (
            <>
              {t('audit.headSigned', { sequence: count(head) })}{' '}
              <span className="mono ltr">{state.head?.hash.slice(0, 16) ?? '—'}</span>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('audit.anchor')}</dt>
        <dd>
          {state === undefined
            ? '…'
            : state.anchor === null
              ? t('audit.anchorNone')
              : t('audit.anchorAt', { sequence: count(state.anchor.sequence), time: time(state.anchor.at) })}
          <span className="soft proof-behind">
            {behind > 0 ? t('audit.anchorBehind', { count: behind, behind: count(behind) }) : null}
          </span>
        </dd>
      </div>
      <div>
        <dt>{t('audit.externalFile')}</dt>
        <dd>{state === undefined ? '…' : <AnchorState external={state.external} />}</dd>
      </div>
      <div>
        <dt>{t('audit.verified')}</dt>
        <dd>
          {state === undefined
            ? '…'
            : state.lastVerified === null
              ? t('audit.verifiedNever')
              : t('audit.verifiedAt', {
                  time: time(state.lastVerified.at),
                  name: state.lastVerified.actorName ?? t('common.unknown'),
                  entries: count(state.lastVerified.entries),
                })}
        </dd>
      </div>
    </dl>
  );
}

/** The path keeps its own direction within a right-to-left page. */
function AnchorState({ external: { file, problem } }: { external: AuditState['external'] }) {
  const { t } = useTranslation();
  if (file === null) return t('audit.externalFileNone');
  return <bdi dir="ltr">{problem === null ? file : t('audit.externalFileAway', { file })}</bdi>;
}

function Verdict({ verdict }: { verdict: AuditVerdict }) {
  const { t } = useTranslation();
  const { count } = useFormats();
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
