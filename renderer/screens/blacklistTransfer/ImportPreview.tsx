import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ImportPlan, ImportResult, WaitingPackage } from '../../../core/contracts/blacklistTransfer.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import {
  discardPackage,
  TRANSFER_KEY,
  importPackage,
  pendingPackagesQuery,
} from '../../api/blacklistTransfer.ts';
import { Form } from '../../components/Form.tsx';
import { SegmentBar } from '../../components/SegmentBar.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Changes } from './Changes.tsx';

/** The changes of a transfer package, and its import. */
export function ImportPreview(props: { waiting: WaitingPackage; imported: (result: ImportResult) => void }) {
  const { waiting, imported } = props;
  const { packageId, plan, progress } = waiting;
  const { t } = useTranslation();
  const { time } = useFormats();
  const client = useQueryClient();
  const look = () => client.invalidateQueries({ queryKey: pendingPackagesQuery.queryKey });
  const work = useReauthentication(
    () => {
      const result = importPackage(packageId, plan.target.id ?? undefined);
      // Its progress is asked for from now on.
      setTimeout(() => void look(), 200);
      return result;
    },
    async (result) => {
      imported(result);
      await Promise.all(
        [TRANSFER_KEY, blacklistsQuery.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
  );
  const leaving = useMutation({ mutationFn: () => discardPackage(packageId), onSettled: look });
  if (progress !== null) return <Progress progress={progress} />;
  return (
    <Form
      className="column"
      send={() => {
        if (!work.incomplete) work.start(undefined);
      }}
    >
      <h3>{t('exchange.plan')}</h3>
      <PlanFacts plan={plan} />
      {plan.importedAs === null ? (
        <Changes counts={plan.counts} />
      ) : (
        <p>{t('exchange.already', { id: plan.importedAs })}</p>
      )}
      <PlanNotes plan={plan} />
      <Examples plan={plan} />
      <p className="soft">{t('exchange.waitingSince', { time: time(waiting.since) })}</p>
      {work.field}
      <ErrorLine error={work.error ?? leaving.error} />
      <div className="row">
        <Button
          className="push"
          variant="default"
          disabled={work.pending}
          loading={leaving.isPending}
          onClick={() => leaving.mutate()}
        >
          {t('exchange.leave')}
        </Button>
        {plan.importedAs === null ? (
          <Button type="submit" disabled={work.incomplete} loading={work.pending}>
            {t('exchange.confirm')}
          </Button>
        ) : null}
      </div>
    </Form>
  );
}

function PlanFacts({ plan }: { plan: ImportPlan }) {
  const { t } = useTranslation();
  const { sender, list, target } = plan;
  return (
    <dl className="facts">
      <dt>{t('exchange.from')}</dt>
      <dd>
        {sender.name} <span className="mono ltr soft">{sender.fingerprint}</span>
      </dd>
      <dt>{t('exchange.exported')}</dt>
      <dd>
        <Time at={plan.exportedAt} />
      </dd>
      <dt>{t('exchange.listThere')}</dt>
      <dd>
        {list.name}
        {list.description === null ? null : <span className="soft"> {list.description}</span>}
      </dd>
      <dt>{t('exchange.target')}</dt>
      <dd>{target.id === null ? t('exchange.targetNew', { name: target.name }) : target.name}</dd>
    </dl>
  );
}

function PlanNotes({ plan: { counts, reextracted, withoutPhoto } }: { plan: ImportPlan }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  return (
    <>
      {counts.held + counts.renamed + counts.elsewhere === 0 ? null : <p>{t('exchange.listingKept')}</p>}
      {reextracted === 0 ? null : <p>{t('exchange.reextracted', { faces: count(reextracted) })}</p>}
      {withoutPhoto === 0 ? null : <p>{t('exchange.withoutPhoto', { faces: count(withoutPhoto) })}</p>}
    </>
  );
}

function Examples({ plan: { examples } }: { plan: ImportPlan }) {
  const { t } = useTranslation();
  if (examples.length === 0) return null;
  return (
    <section>
      <h3>{t('exchange.firstOf')}</h3>
      <ul className="change-names" tabIndex={0} aria-label={t('exchange.firstOf')}>
        {examples.map(({ change, name, before }, index) => (
          // Two people may have one name.
          <li key={index}>
            {before === null ? name : t('exchange.renamedFrom', { before, name })}{' '}
            <span className="soft">{t(`exchange.change_${change}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Progress({ progress: { done, total } }: { progress: NonNullable<WaitingPackage['progress']> }) {
  const { t } = useTranslation();
  return (
    <div className="column" role="status">
      <h3>{t('exchange.importing')}</h3>
      <SegmentBar
        label={t('exchange.importing')}
        segments={[
          { word: t('exchange.ready'), tone: 'good', number: done },
          { word: t('exchange.open'), tone: 'calm', number: total - done },
        ]}
        done={done}
        total={total}
      />
      {done >= total ? <p>{t('exchange.entering')}</p> : null}
      <p className="soft">{t('exchange.goesOn')}</p>
    </div>
  );
}
