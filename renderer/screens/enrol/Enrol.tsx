import { useEffect, useState } from 'react';
import { Loader } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { UploadLimits } from '../../../core/contracts/dashboard/work.ts';
import { limitsQuery, type EnrolTarget } from '../../api/work.ts';
import { Page } from '../../components/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { DropZone } from './DropZone.tsx';
import type { FoundFile } from './droppedFiles.ts';
import { startRun } from './engine.ts';
import { PlanCard } from './PlanCard.tsx';
import { planOf } from './plan.ts';
import { RecentUploads } from './RecentUploads.tsx';
import { ResultRows } from './ResultRows.tsx';
import { countsOf, runs, type Run } from './run.ts';
import { RunCard } from './RunCard.tsx';
import './enrol.css';

/** Drop, look at the plan, start; then watch it, or leave. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const run = runs((state) => state.run);
  const limits = useQuery(limitsQuery);
  useLeaveWarning(run);
  const counts = run === null ? null : countsOf(run);
  const state =
    counts === null
      ? t('enrol.stateIdle')
      : t('enrol.state', {
          enrolled: count(counts.enrolled),
          failed: count(counts.failed),
          total: count(counts.total),
        });
  return (
    <Page title={t('nav.enrol')} state={state}>
      {limits.data === undefined ? (
        limits.error === null ? (
          <LoadingRows />
        ) : (
          <ErrorState error={limits.error} retry={() => void limits.refetch()} />
        )
      ) : limits.data.blocked !== null ? (
        <EmptyState Icon={IconUpload} title={t('enrol.blocked')}>
          {limits.data.blocked}
        </EmptyState>
      ) : run === null ? (
        <Prepare limits={limits.data} />
      ) : (
        <Watch run={run} limits={limits.data} />
      )}
    </Page>
  );
}

function Prepare({ limits }: { limits: UploadLimits }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const [target, setTarget] = useTarget();
  const [foundSoFar, setFoundSoFar] = useState(0);
  const plan = useMutation({
    mutationFn: async (files: Promise<FoundFile[]>) => planOf(await files, limits),
  });
  return (
    <div className="page-scroll column">
      {plan.data !== undefined ? (
        <PlanCard
          plan={plan.data}
          limits={limits}
          target={target}
          setTarget={setTarget}
          discard={plan.reset}
          start={() => startRun(plan.data.files, target, limits)}
        />
      ) : plan.isPending ? (
        <div className="drop" role="status">
          <Loader size="sm" />
          <p>{t('enrol.looking', { found: count(foundSoFar) })}</p>
        </div>
      ) : (
        <DropZone found={plan.mutate} tell={setFoundSoFar} />
      )}
      {plan.error === null ? null : <ErrorState error={plan.error} retry={plan.reset} />}
      <RecentUploads />
    </div>
  );
}

/** The blacklists screen links here with its list in the address. */
function useTarget() {
  const [params] = useSearchParams();
  const id = Number(params.get('blacklist'));
  const name = params.get('name');
  return useState<EnrolTarget>(
    id > 0 && name !== null ? { kind: 'blacklist', id, name } : { kind: 'duplicate' },
  );
}

function Watch({ run, limits }: { run: Run; limits: UploadLimits }) {
  const failed = () =>
    run.items.flatMap(({ state, path, file }) =>
      state === 'failed' || state === 'refused' ? [{ path, file }] : [],
    );
  return (
    <>
      <div className="run-place">
        <RunCard
          run={run}
          retry={() => startRun(failed(), run.target, limits)}
          finish={() => runs.setState({ run: null })}
        />
      </div>
      <ResultRows run={run} />
    </>
  );
}

/** Closing the window loses what was not sent yet; what was sent goes on without it. */
function useLeaveWarning(run: Run | null): void {
  const unsent = run !== null && run.finishedAt === null && countsOf(run).waiting > 0;
  useEffect(() => {
    if (!unsent) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsent]);
}
