import { useState } from 'react';
import { Button, NumberInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  RETENTION_KINDS,
  SOON_DAYS,
  type HeldRetention,
  type RetentionKind,
  type RetentionPreview,
  type RetentionRules,
} from '../../../core/contracts/retention.ts';
import { previewRetention, retentionQuery, setRetention } from '../../api/persons.ts';
import { Form } from '../../components/Form.tsx';
import { Loaded, ErrorLine, Page, WideTable } from '../../components/Page.tsx';
import { useWords } from '../../i18n/words.tsx';
import './settings.css';

const KINDS = Object.keys(RETENTION_KINDS) as RetentionKind[];
const MAX_DAYS = 36_500;

/** How long the company keeps things. A rule counts only after its preview was seen. */
export function Component() {
  const { t } = useWords();
  const query = useQuery(retentionQuery);
  const [savedCode, setSavedCode] = useState<string>();
  return (
    <Page title={t('nav.retention')}>
      <div className="page-scroll">
        <section className="card column">
          <p className="soft">{t('erasure.retentionHelp')}</p>
          <Loaded query={query}>
            {(now) => (
              <Rules key={now.code} now={now} isSaved={now.code === savedCode} onSaved={setSavedCode} />
            )}
          </Loaded>
        </section>
      </div>
    </Page>
  );
}

/** @param isSaved this visit of the page saved these rules */
function Rules(props: { now: RetentionPreview; isSaved: boolean; onSaved: (code: string) => void }) {
  const { now, isSaved, onSaved } = props;
  const { t, count } = useWords();
  const client = useQueryClient();
  const [rules, setRules] = useState<RetentionRules>(now.rules);
  const [preview, setPreview] = useState<RetentionPreview>();
  const look = useMutation({ mutationFn: previewRetention, onSuccess: setPreview });
  const save = useMutation({
    mutationFn: ({ rules: wanted, code }: RetentionPreview) => setRetention(wanted, code),
    onSuccess: (kept) => {
      client.setQueryData(retentionQuery.queryKey, kept);
      onSaved(kept.code);
    },
    // Another operator changed the rules meanwhile: show them.
    onError: () => client.invalidateQueries({ queryKey: retentionQuery.queryKey }),
  });
  // Confirming the same rules lets a held run go on.
  const changed = now.held !== null || KINDS.some((kind) => rules[kind] !== now.rules[kind]);
  // The preview of these rules: one of earlier rules may arrive after they were changed.
  const seen =
    preview !== undefined && KINDS.every((kind) => preview.rules[kind] === rules[kind]) ? preview : undefined;
  const shown = seen ?? now;
  const total = KINDS.reduce((sum, kind) => sum + shown.due[kind], 0);
  return (
    <Form
      className="column"
      send={() => {
        if (seen === undefined) look.mutate(rules);
        else save.mutate(seen);
      }}
    >
      <HeldLine held={now.held} />
      <WideTable
        label={t('nav.retention')}
        className="table retention"
        head={[
          t('erasure.records'),
          t('erasure.stored'),
          t('erasure.keepFor'),
          t('erasure.dueNow'),
          t('erasure.dueSoon', { days: SOON_DAYS }),
        ]}
      >
        {KINDS.map((kind) => (
          <tr key={kind}>
            <th scope="row">{t(`erasure.rule_${kind}`)}</th>
            <td className="number">{count(shown.stored[kind])}</td>
            <td>
              <NumberInput
                size="xs"
                aria-label={t('erasure.daysOf', { kind: t(`erasure.rule_${kind}`) })}
                placeholder={t('erasure.forEver')}
                min={1}
                max={MAX_DAYS}
                allowDecimal={false}
                suffix={t('erasure.daysSuffix')}
                value={rules[kind] ?? ''}
                onChange={(days) =>
                  setRules((before) => ({ ...before, [kind]: typeof days === 'number' ? days : null }))
                }
              />
            </td>
            <td className="number">{shown.rules[kind] === null ? '' : count(shown.due[kind])}</td>
            <td className="number">{shown.rules[kind] === null ? '' : count(shown.dueSoon[kind])}</td>
          </tr>
        ))}
      </WideTable>
      <ErrorLine error={look.error ?? save.error} />
      <p role="status">
        {seen === undefined
          ? isSaved && !changed
            ? t('erasure.saved')
            : null
          : t('erasure.total', { total: count(total) })}
      </p>
      <Button
        className="push"
        type="submit"
        {...(seen !== undefined && { color: 'red' })}
        disabled={!changed}
        loading={look.isPending || save.isPending}
      >
        {t(seen === undefined ? 'erasure.preview' : 'erasure.set')}
      </Button>
    </Form>
  );
}

/** Why the daily erasure is held, and what to do. */
function HeldLine({ held }: { held: HeldRetention | null }) {
  const { t, count, time } = useWords();
  if (held === null) return null;
  return (
    <p className="error-line" role="status">
      <IconAlertCircle size={16} aria-hidden />
      <span>
        {held.reason === 'clock'
          ? t('erasure.held_clock', { now: time(held.now), latest: time(held.latest) })
          : held.reason === 'count'
            ? t('erasure.held_count', { due: count(held.due), most: count(held.most) })
            : t('erasure.held_unconfirmed')}
      </span>
    </p>
  );
}
