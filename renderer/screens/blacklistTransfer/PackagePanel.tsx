import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { BLACKLIST_STATUS } from '../../../core/contracts/codes.ts';
import {
  type ImportResult,
  type ImportPlan,
  type WaitingPackage,
  IMPORT_CHANGES,
  type ImportChange,
  type ListedOtherwise,
} from '../../../core/contracts/blacklistTransfer.ts';
import { LISTING_FIELDS, type FaceListing } from '../../../core/contracts/faceListing.ts';
import { Action, Panel, ErrorLine, Loaded } from '../../components/Page.tsx';
import {
  blacklistsQuery,
  receivePackage,
  pendingPackagesQuery,
  discardPackage,
  TRANSFER_KEY,
  importPackage,
} from '../../api/blacklists.ts';
import { Select } from '../../components/Select.tsx';
import { DropTarget, useFileChooser } from '../../components/ImageDrop.tsx';
import { Form, useReauthentication } from '../../components/Form.tsx';
import { useWords } from '../../i18n/words.tsx';
import { SegmentBar } from '../../components/ScoreScale.tsx';
import { Fact } from '../../components/StatusBadge.tsx';

/** Receives a transfer package, previews its changes, and imports or discards it. */
export function PackagePanel({ close }: { close: () => void }) {
  const { t } = useWords();
  const [result, setResult] = useState<ImportResult>();
  // The service keeps a received package, so a reload or another window returns to its preview.
  const pending = useQuery(pendingPackagesQuery);
  const waiting = pending.data?.items.at(-1);
  return (
    <Panel title={t('exchange.import')} close={close}>
      {result !== undefined ? (
        <ImportOutcome result={result} again={() => setResult(undefined)} />
      ) : waiting !== undefined ? (
        <ImportPreview key={waiting.packageId} waiting={waiting} imported={setResult} />
      ) : (
        <Loaded query={pending} rows={5}>
          {() => <PackageDrop />}
        </Loaded>
      )}
    </Panel>
  );
}

interface HandedIn {
  file: File;
  into: number | undefined;
}

function PackageDrop() {
  const { t, bytes } = useWords();
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const [into, setInto] = useState<string | null>(null);
  const lists = useQuery(blacklistsQuery).data?.items.filter(
    ({ status }) => status === BLACKLIST_STATUS.Active,
  );
  const work = useReauthentication(
    (wanted: HandedIn) => receivePackage(wanted.file, wanted.into),
    () => client.invalidateQueries({ queryKey: pendingPackagesQuery.queryKey }),
  );
  const wanted = (chosen: File): HandedIn => ({
    file: chosen,
    into: into === null ? undefined : Number(into),
  });
  const take = ([first]: Iterable<File>) => {
    if (first === undefined || work.isPending) return;
    setFile(first);
    work.mutate(wanted(first));
  };
  const { chooser, open } = useFileChooser({ label: t('exchange.choose'), accept: '.vouchlist', take });
  return (
    <Form
      className="column"
      send={() => {
        if (file !== undefined && !work.incomplete) work.mutate(wanted(file));
      }}
    >
      <DropTarget className="package-drop" label={t('exchange.drop')} take={(data) => take(data.files)}>
        <IconFileImport size={32} stroke={1.3} aria-hidden />
        <p className="drop-title">{t('exchange.drop')}</p>
        <p className="soft">{t('exchange.dropHelp')}</p>
        <Button variant="default" disabled={work.isPending} onClick={open}>
          {t('exchange.choose')}
        </Button>
        {chooser}
      </DropTarget>
      <Select
        label={t('exchange.into')}
        none={t('exchange.intoOwn')}
        disabled={work.isPending}
        data={lists?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
        value={into}
        onChange={setInto}
      />
      <p role="status" className="soft">
        {work.isPending && file !== undefined
          ? t('exchange.reading', { name: file.name, size: bytes(file.size) })
          : null}
      </p>
      {work.field}
      <ErrorLine error={work.error} />
      {file === undefined ? null : (
        <div className="row">
          <Action
            primary
            type="submit"
            className="push"
            label={t('exchange.take')}
            disabled={work.incomplete}
            loading={work.isPending}
          />
        </div>
      )}
    </Form>
  );
}

/** The result of an import, with links to the next steps. */
function ImportOutcome({ result, again }: { result: ImportResult; again: () => void }) {
  const { t } = useWords();
  const { id, target, counts, leftOut, listedOtherwise } = result;
  return (
    <div className="column" role="status">
      <h3>{t(id === null ? 'exchange.nothingDone' : 'exchange.done')}</h3>
      {id === null ? null : <Changes counts={counts} />}
      {leftOut.length === 0 ? null : (
        <section>
          <h3>{t('exchange.leftOut')}</h3>
          <ul className="change-names" tabIndex={0} aria-label={t('exchange.leftOut')}>
            {leftOut.map(({ name, reason }, index) => (
              // Two people may have one name.
              <li key={index}>
                {name}: {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      <ListedOtherwiseFaces listed={listedOtherwise} />
      <div className="row wrap">
        <Action
          primary
          size="xs"
          label={t('exchange.toList')}
          to={`/company/internal-biometrics/${target.id}`}
        />
        {id === null ? null : (
          <Action size="xs" label={t('exchange.toImport')} to={`/exchange/imports/${id}`} />
        )}
        <Action size="xs" label={t('exchange.another')} onClick={again} />
      </div>
    </div>
  );
}

/** The changes of a transfer package, and its import. */
function ImportPreview(props: { waiting: WaitingPackage; imported: (result: ImportResult) => void }) {
  const { waiting, imported } = props;
  const { packageId, plan, progress } = waiting;
  const { t, time } = useWords();
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
    <Form className="column" send={() => work.mutate()}>
      <h3>{t('common.changes')}</h3>
      <PlanFacts plan={plan} />
      {plan.importedAs === null ? (
        <Changes counts={plan.counts} />
      ) : (
        <p>{t('exchange.already', { id: plan.importedAs })}</p>
      )}
      <PlanNotes plan={plan} />
      <ListedOtherwiseFaces listed={plan.listedOtherwise} />
      <Examples plan={plan} />
      <p className="soft">{t('exchange.waitingSince', { time: time(waiting.since) })}</p>
      {work.field}
      <ErrorLine error={work.error ?? leaving.error} />
      <div className="row">
        <Action className="push" label={t('exchange.leave')} disabled={work.isPending} work={leaving} />
        {plan.importedAs === null ? (
          <Action
            primary
            type="submit"
            label={t('exchange.confirm')}
            disabled={work.incomplete}
            loading={work.isPending}
          />
        ) : null}
      </div>
    </Form>
  );
}

function PlanFacts({ plan }: { plan: ImportPlan }) {
  const { t } = useWords();
  const { sender, list, target } = plan;
  return (
    <dl className="facts">
      <Fact label={t('exchange.from')}>
        {sender.name} <span className="mono ltr soft">{sender.fingerprint}</span>
      </Fact>
      <Fact label={t('exchange.exported')} at={plan.exportedAt} />
      <Fact label={t('exchange.listThere')}>
        {list.name}
        {list.description === null ? null : <span className="soft"> {list.description}</span>}
      </Fact>
      <Fact label={t('exchange.target')}>
        {target.id === null ? t('exchange.targetNew', { name: target.name }) : target.name}
      </Fact>
    </dl>
  );
}

function PlanNotes({ plan: { reextracted, withoutPhoto } }: { plan: ImportPlan }) {
  const { t, count } = useWords();
  return (
    <>
      {reextracted === 0 ? null : <p>{t('exchange.reextracted', { faces: count(reextracted) })}</p>}
      {withoutPhoto === 0 ? null : <p>{t('exchange.withoutPhoto', { faces: count(withoutPhoto) })}</p>}
    </>
  );
}

function Examples({ plan: { examples } }: { plan: ImportPlan }) {
  const { t } = useWords();
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

/** Faces that keep the severity, reason and expiry that they have here, with the links to change them. */
function ListedOtherwiseFaces({ listed }: { listed: ListedOtherwise }) {
  const { t, count, time } = useWords();
  if (listed.count === 0) return null;
  const title = t('exchange.listedOtherwise', { faces: count(listed.count) });
  const worded = (field: (typeof LISTING_FIELDS)[number], { severity, expiresAt, ...texts }: FaceListing) => {
    if (field === 'severity') return t(`listing.severity_${severity}`);
    if (field === 'expiresAt') return expiresAt === null ? t('listing.noExpiry') : time(expiresAt);
    return texts[field] ?? t(`listing.no_${field}`);
  };
  return (
    <section>
      <h3>{title}</h3>
      <p className="soft">{t('exchange.listedOtherwiseHelp')}</p>
      <ul className="change-names" tabIndex={0} aria-label={title}>
        {listed.faces.map(({ faceId, blacklistId, name, here, there }) => (
          <li key={faceId}>
            <Link to={`/company/internal-biometrics/${blacklistId}?face=${faceId}`}>
              <bdi>{name}</bdi>
            </Link>
            {LISTING_FIELDS.filter((field) => here[field] !== there[field]).map((field) => (
              <p key={field} className="soft">
                {t('exchange.listedAs', {
                  field: t(`listing.${field === 'expiresAt' ? 'expires' : field}`),
                  there: worded(field, there),
                  here: worded(field, here),
                })}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Progress({ progress: { done, total } }: { progress: NonNullable<WaitingPackage['progress']> }) {
  const { t } = useWords();
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

/** How many faces each change is about; those that are about none are said too, as such. */
function Changes({ counts }: { counts: Readonly<Record<ImportChange, number>> }) {
  const { t, count } = useWords();
  return (
    <table className="changes">
      <tbody>
        {IMPORT_CHANGES.map((change) => (
          <tr key={change} className={counts[change] === 0 ? 'none' : ''}>
            <th scope="row">{t(`exchange.change_${change}`)}</th>
            <td>{count(counts[change])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
