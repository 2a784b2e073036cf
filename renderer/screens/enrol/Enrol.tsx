import { useEffect, useState } from 'react';
import { Loader } from '@mantine/core';
import { IconUpload, IconFolderQuestion, IconFolderPlus, IconPhotoPlus } from '@tabler/icons-react';
import {
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useSearchParams, Link } from 'react-router';
import type { FaceListing } from '../../../core/contracts/faceListing.ts';
import type { SeveralFaces } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import type { UploadLimits } from '../../../core/contracts/dashboard/work.ts';
import type { ShellBridge } from '../../../core/contracts/shell.ts';
import {
  Action,
  Page,
  WideTable,
  EmptyState,
  ErrorState,
  Loaded,
  LoadingRows,
} from '../../components/Page.tsx';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { useMay, useSession } from '../../api/session.ts';
import { limitsQuery, type EnrolTarget, runsQuery, readOfferedFolder, shell } from '../../api/enrolment.ts';
import { translateServerMessage } from '../../i18n/errors.ts';
import { useWords } from '../../i18n/words.tsx';
import {
  type FoundFile,
  chosenFiles,
  takeDropped,
  planOf,
  NO_PERSONS,
  personsFrom,
  withPersons,
} from './droppedFiles.ts';
import { startRun, inOrder, listHash } from './uploadRun.ts';
import { forgetUnfinished, unfinishedOf, type Unfinished } from './unfinished.ts';
import { PlanCard } from './PlanCard.tsx';
import { ResultRows, RunCard } from './RunCard.tsx';
import { countsOf, runs, type Run } from './run.ts';
import { WatchedFolders } from './WatchedFolders.tsx';
import { DropTarget, useFileChooser } from '../../components/ImageDrop.tsx';
import { useColumns } from '../../components/list/ListBody.tsx';
import { RUN_COLUMNS } from '../uploads/runColumns.tsx';
import './enrol.css';

/** Another list in the address is another enrolment: photos that were chosen for the last one are not kept for it. */
export function Component() {
  const [params] = useSearchParams();
  return <Enrol key={params.get('blacklist') ?? ''} />;
}

/** The Enrol screen: files are dropped, the plan is reviewed, the run is started and followed. */
function Enrol() {
  const { t, count } = useWords();
  const [asked] = useTarget();
  const [over] = useState(() => overFor(asked));
  const run = runs((state) => (state.run?.id === over ? null : state.run));
  const limits = useQuery(limitsQuery);
  useLeaveWarning(run);
  const counts = run === null ? null : countsOf(run);
  const target = run?.target ?? asked;
  const title = target.kind === 'duplicate' ? t('nav.enrol') : t('enrol.addTo', { list: target.name });
  const state =
    counts === null
      ? t('enrol.stateIdle')
      : t('enrol.state', {
          enrolled: count(counts.enrolled),
          failed: count(counts.failed),
          total: count(counts.total),
        });
  return (
    <Page title={title} state={state} counts={run !== null}>
      <Loaded query={limits}>
        {(data) =>
          data.blocked !== null ? (
            <EmptyState
              Icon={IconUpload}
              title={t('enrol.blocked')}
              help={translateServerMessage({ code: data.blocked })}
            />
          ) : run === null ? (
            <Prepare limits={data} />
          ) : (
            <Watch run={run} limits={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** @returns the run that had ended for another list when the screen opened; its result is under the latest runs */
function overFor(asked: EnrolTarget): string | undefined {
  const { run } = runs.getState();
  if (run?.finishedAt == null) return undefined;
  const listOf = (target: EnrolTarget) => (target.kind === 'duplicate' ? null : target.id);
  return listOf(run.target) === listOf(asked) ? undefined : run.id;
}

function Prepare({ limits }: { limits: UploadLimits }) {
  const { t, count } = useWords();
  const [target, setTarget] = useTarget();
  const [severalFaces, setSeveralFaces] = useState<SeveralFaces>('refuse');
  const [foundSoFar, setFoundSoFar] = useState(0);
  const { company } = useSession();
  const may = useMay();
  const [persons, setPersons] = useState(NO_PERSONS);
  const client = useQueryClient();
  const [unfinished, setUnfinished] = useState(() => unfinishedOf(company.id));
  const plan = useMutation({
    mutationFn: async (files: Promise<FoundFile[]>) => {
      const planned = await planOf(await files, limits);
      if (unfinished?.list !== (await listHash(planned.files))) return { planned, on: null, shown: planned };
      const { blacklistId, sent } = unfinished;
      setSeveralFaces(unfinished.severalFaces);
      setPersons(await personsFrom(may('persons:write') ? unfinished.personSource : 'none', planned.files));
      setTarget(await targetOf(client, blacklistId));
      const rest = inOrder(planned.files).slice(sent);
      const bytes = rest.reduce((sum, { file }) => sum + file.size, 0);
      return { planned, on: unfinished, shown: { ...planned, files: rest, bytes } };
    },
  });
  return (
    <div className="page-scroll column">
      <p className="sr-only" role="status">
        {plan.data &&
          t('enrol.planned', {
            photos: count(plan.data.shown.files.length),
            skipped: count(plan.data.shown.skipped.length),
          })}
      </p>
      {unfinished === null || plan.data !== undefined ? null : (
        <UnfinishedCard
          of={unfinished}
          forget={() => {
            forgetUnfinished();
            setUnfinished(null);
          }}
        />
      )}
      {plan.data !== undefined ? (
        <>
          {unfinished === null ? null : (
            <p className="card" role="status">
              {plan.data.on === null
                ? t('enrol.otherFolder', { missing: count(unfinished.total - unfinished.sent) })
                : t('enrol.goesOn', { sent: count(unfinished.sent) })}
            </p>
          )}
          <PlanCard
            plan={plan.data.shown}
            limits={limits}
            target={target}
            setTarget={setTarget}
            on={plan.data.on}
            severalFaces={severalFaces}
            setSeveralFaces={setSeveralFaces}
            persons={persons}
            choosePersons={
              may('persons:write')
                ? (source, table) => void personsFrom(source, plan.data.planned.files, table).then(setPersons)
                : null
            }
            discard={() => {
              setPersons(NO_PERSONS);
              plan.reset();
            }}
            start={(listing) =>
              startRun(withPersons(plan.data.planned.files, persons), listedTarget(target, listing), limits, {
                companyId: company.id,
                on: plan.data.on,
                severalFaces,
                personSource: persons.source,
                personFaults: persons.found?.faults ?? [],
              })
            }
          />
        </>
      ) : plan.isPending ? (
        <div className="drop" role="status">
          <Loader size="sm" />
          <p>{t('enrol.looking', { found: count(foundSoFar) })}</p>
        </div>
      ) : (
        <DropZone found={plan.mutate} report={setFoundSoFar} />
      )}
      {plan.error === null ? null : <ErrorState error={plan.error} retry={plan.reset} />}
      <WatchedFolders />
      <RecentRuns />
    </div>
  );
}

/** @param list of an unfinished run; null: duplicate detection */
async function targetOf(client: QueryClient, list: number | null): Promise<EnrolTarget> {
  if (list === null) return { kind: 'duplicate' };
  const { items } = await client.query({ ...blacklistsQuery, staleTime: 'static' });
  return { kind: 'blacklist', id: list, name: items.find(({ id }) => id === list)?.name ?? String(list) };
}

function listedTarget(target: EnrolTarget, listing: FaceListing | undefined): EnrolTarget {
  return target.kind === 'duplicate' || listing === undefined ? target : { ...target, listing };
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
  const { company } = useSession();
  const failed = () =>
    run.items.flatMap(({ state, path, file, convertedFrom, itemId, fixes, person }) =>
      state === 'failed' || state === 'refused'
        ? [{ path, file, convertedFrom, person, fixes: fixes ?? itemId }]
        : [],
    );
  return (
    <>
      <div className="run-place">
        <RunCard
          run={run}
          retry={() =>
            startRun(failed(), run.target, limits, {
              companyId: company.id,
              retries: run.serviceId,
              severalFaces: run.severalFaces,
            })
          }
          finish={() => runs.setState({ run: null })}
        />
      </div>
      <ResultRows run={run} />
    </>
  );
}

/** Closing the window stops the sending. Photos that were sent are processed without it. */
function useLeaveWarning(run: Run | null): void {
  const unsent = run?.finishedAt === null && countsOf(run).waiting > 0;
  useEffect(() => {
    if (!unsent) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsent]);
}

/** A run whose window was closed before every photo was sent, and how to continue it. */
function UnfinishedCard({ of, forget }: { of: Unfinished; forget: () => void }) {
  const { t, count, time } = useWords();
  return (
    <section className="card row" role="status">
      <IconFolderQuestion size={22} stroke={1.5} aria-hidden />
      <div>
        <p>
          <strong>
            {t('enrol.unfinished', {
              missing: count(of.total - of.sent),
              total: count(of.total),
              time: time(new Date(of.startedAt).toISOString()),
            })}
          </strong>
        </p>
        <p className="soft">{t('enrol.unfinishedHelp')}</p>
      </div>
      <Action size="xs" className="push" label={t('enrol.forget')} onClick={forget} />
    </section>
  );
}

/** Takes files and whole folders, dropped or chosen. */
function DropZone(props: { found: (files: Promise<FoundFile[]>) => void; report: (found: number) => void }) {
  const { t } = useWords();
  const { found, report } = props;
  const take = (chosen: readonly File[]) => found(Promise.resolve(chosenFiles(chosen)));
  const files = useFileChooser({
    label: t('enrol.chooseFiles'),
    accept: 'image/*',
    multiple: true,
    take,
  });
  const folder = useFileChooser({ label: t('enrol.chooseFolder'), multiple: true, folder: true, take });
  const chooseOutside = async (around: ShellBridge<File>) => {
    const offer = await around.chooseFolder();
    if (offer !== null) found(readOfferedFolder(offer));
  };
  return (
    <DropTarget take={(data) => found(takeDropped(data, report))}>
      <IconUpload size={36} stroke={1.3} aria-hidden />
      <p className="drop-title">{t('enrol.drop')}</p>
      <p className="soft">{t('enrol.dropHelp')}</p>
      <div className="row">
        <Action
          primary
          Icon={IconFolderPlus}
          label={t('enrol.chooseFolder')}
          onClick={() => {
            const around = shell();
            if (around === undefined) folder.open();
            else void chooseOutside(around);
          }}
        />
        <Action Icon={IconPhotoPlus} label={t('enrol.chooseFiles')} onClick={files.open} />
      </div>
      {files.chooser}
      {folder.chooser}
    </DropTarget>
  );
}

const RECENT = 8;

/** The latest runs. The service processes them whether a window is open or not. */
function RecentRuns() {
  const { t } = useWords();
  const columns = useColumns(RUN_COLUMNS);
  const { data, error, refetch } = useInfiniteQuery(runsQuery({ limit: RECENT }));
  const recent = data?.pages[0]?.items;
  if (error !== null && recent === undefined)
    return <ErrorState error={error} retry={() => void refetch()} />;
  if (recent === undefined) return <LoadingRows rows={4} />;
  if (recent.length === 0) return null;
  return (
    <section>
      <div className="row">
        <h2 className="recent-title">{t('enrol.recent')}</h2>
        <Link className="push" to="/enrol/failures?state=open">
          {t('uploads.allFailures')}
        </Link>
        <Link to="/enrol/uploads">{t('uploads.all')}</Link>
      </div>
      <WideTable label={t('enrol.recent')} head={columns.map(({ label }) => label)}>
        {recent.map((run) => (
          <tr key={run.runId}>
            {columns.map(({ key, cell }, index) => (
              <td key={key}>
                {index === 0 ? <Link to={`/enrol/failures?run=${run.runId}`}>{cell(run)}</Link> : cell(run)}
              </td>
            ))}
          </tr>
        ))}
      </WideTable>
    </section>
  );
}
