import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BLACKLIST_STATUS } from '../../../core/contracts/codes.ts';
import type { ImportResult } from '../../../core/contracts/blacklistTransfer.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { receivePackage, pendingPackagesQuery } from '../../api/blacklistTransfer.ts';
import { Select } from '../../components/Select.tsx';
import { DropTarget } from '../../components/DropTarget.tsx';
import { Form } from '../../components/Form.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ErrorLine, ErrorState, LoadingRows } from '../../components/states.tsx';
import { useFileChooser } from '../../components/useFileChooser.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ImportPreview } from './ImportPreview.tsx';
import { Link } from 'react-router';
import { Changes } from './Changes.tsx';

/** Receives a transfer package, previews its changes, and imports or discards it. */
export function PackagePanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const [result, setResult] = useState<ImportResult>();
  // The service keeps a received package, so a reload or another window returns to its preview.
  const { data, error, refetch } = useQuery(pendingPackagesQuery);
  const waiting = data?.items.at(-1);
  return (
    <Panel title={t('exchange.import')} close={close}>
      {result !== undefined ? (
        <ImportOutcome result={result} again={() => setResult(undefined)} />
      ) : waiting !== undefined ? (
        <ImportPreview key={waiting.packageId} waiting={waiting} imported={setResult} />
      ) : data !== undefined ? (
        <PackageDrop />
      ) : error !== null ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows rows={5} />
      )}
    </Panel>
  );
}

interface HandedIn {
  file: File;
  into: number | undefined;
}

function PackageDrop() {
  const { t } = useTranslation();
  const { bytes } = useFormats();
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
    if (first === undefined || work.pending) return;
    setFile(first);
    work.start(wanted(first));
  };
  const { chooser, open } = useFileChooser({ label: t('exchange.choose'), accept: '.vouchlist', take });
  return (
    <Form
      className="column"
      send={() => {
        if (file !== undefined && !work.incomplete) work.start(wanted(file));
      }}
    >
      <DropTarget className="package-drop" label={t('exchange.drop')} take={(data) => take(data.files)}>
        <IconFileImport size={32} stroke={1.3} aria-hidden />
        <p className="drop-title">{t('exchange.drop')}</p>
        <p className="soft">{t('exchange.dropHelp')}</p>
        <Button variant="default" disabled={work.pending} onClick={open}>
          {t('exchange.choose')}
        </Button>
        {chooser}
      </DropTarget>
      <Select
        label={t('exchange.into')}
        none={t('exchange.intoOwn')}
        disabled={work.pending}
        data={lists?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
        value={into}
        onChange={setInto}
      />
      <p role="status" className="soft">
        {work.pending && file !== undefined
          ? t('exchange.reading', { name: file.name, size: bytes(file.size) })
          : null}
      </p>
      {work.field}
      <ErrorLine error={work.error} />
      {file === undefined ? null : (
        <div className="row">
          <Button className="push" type="submit" disabled={work.incomplete} loading={work.pending}>
            {t('exchange.take')}
          </Button>
        </div>
      )}
    </Form>
  );
}

/** The result of an import, with links to the next steps. */
function ImportOutcome({ result, again }: { result: ImportResult; again: () => void }) {
  const { t } = useTranslation();
  const { id, target, counts, leftOut } = result;
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
      <div className="row wrap">
        <Button size="xs" component={Link} to={`/company/internal-biometrics/${target.id}`}>
          {t('exchange.toList')}
        </Button>
        {id === null ? null : (
          <Button size="xs" variant="default" component={Link} to={`/exchange/imports/${id}`}>
            {t('exchange.toImport')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={again}>
          {t('exchange.another')}
        </Button>
      </div>
    </div>
  );
}
