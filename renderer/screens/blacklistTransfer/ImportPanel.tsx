import { useState } from 'react';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearchParams, useNavigate } from 'react-router';
import {
  type ImportView,
  type UndoResult,
  installationCertificate,
  type InstallationCertificate,
} from '../../../core/contracts/blacklistTransfer.ts';
import { Action, Panel, Loaded, ErrorLine } from '../../components/Page.tsx';
import {
  blacklistsQuery,
  TRANSFER_KEY,
  revertImport,
  revertPlanQuery,
  exportBlacklist,
  trustedInstallationsQuery,
  trustInstallation,
} from '../../api/blacklists.ts';
import { useMay } from '../../api/session.ts';
import { ConfirmByTyping, Form, useReauthentication, Submit } from '../../components/Form.tsx';
import { Fact, StatusMark } from '../../components/StatusBadge.tsx';
import { useWords } from '../../i18n/words.tsx';
import { Select } from '../../components/Select.tsx';
import { downloadFile } from '../../components/ExportButton.tsx';
import { DropTarget, useFileChooser } from '../../components/ImageDrop.tsx';

/** Active, reverted, or reverted except for faces that open cases name. */
export function ImportState({ made }: { made: ImportView }) {
  const { t, count } = useWords();
  const [tone, Icon, words] =
    made.undoneAt === null
      ? (['good', IconCircleCheck, t('status.active')] as const)
      : made.holds > 0
        ? (['warn', IconHourglass, t('exchange.waitsForCases', { faces: count(made.holds) })] as const)
        : (['calm', IconArrowBackUp, t('exchange.undone')] as const);
  return <StatusMark tone={tone} Icon={Icon} label={words} />;
}

/** One import, and the way back. */
export function ImportPanel({ made, close }: { made: ImportView; close: () => void }) {
  const { t, count } = useWords();
  const may = useMay();
  const [undoing, setUndoing] = useState(false);
  const { id, blacklist, undoneAt, holds } = made;
  const open = undoneAt === null || holds > 0;
  return (
    <Panel
      title={t('exchange.panel', { id: count(id) })}
      note={made.sender}
      mark={<ImportState made={made} />}
      close={close}
    >
      <dl className="facts">
        <Fact label={t('facts.blacklist')}>
          {blacklist.name === null ? (
            t('exchange.deletedList')
          ) : (
            <Link to={`/company/internal-biometrics/${blacklist.id}`}>{blacklist.name}</Link>
          )}
        </Fact>
        <Fact label={t('exchange.exported')} at={made.exportedAt} />
        <Fact label={t('exchange.at')} at={made.importedAt} />
        <Fact label={t('exchange.added')}>{count(made.added)}</Fact>
        <Fact label={t('exchange.change_renamed')}>{count(made.renamed)}</Fact>
        <Fact label={t('exchange.faces')}>{count(holds)}</Fact>
        {undoneAt === null ? null : <Fact label={t('exchange.undoneAt')} at={undoneAt} />}
      </dl>
      {undoneAt !== null && holds > 0 ? <p>{t('exchange.waitsHelp', { faces: count(holds) })}</p> : null}
      {open && may('blacklists:exchange') ? (
        <div>
          <Action
            size="xs"
            color="red"
            Icon={IconArrowBackUp}
            label={t('exchange.undo')}
            onClick={() => setUndoing(true)}
          />
        </div>
      ) : null}
      {undoing ? <RevertImport made={made} close={() => setUndoing(false)} /> : null}
    </Panel>
  );
}

function RevertImport({ made, close }: { made: ImportView; close: () => void }) {
  const { t, count } = useWords();
  const client = useQueryClient();
  const plan = useQuery(revertPlanQuery(made.id));
  return (
    <ConfirmByTyping
      title={t('exchange.undoTitle')}
      name={made.blacklist.name ?? count(made.id)}
      action={t('exchange.undoTitle')}
      close={close}
      run={async () => {
        await revertImport(made.id);
        await Promise.all(
          [TRANSFER_KEY, blacklistsQuery.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })),
        );
      }}
    >
      <Loaded query={plan} rows={3}>
        {(data) => <RevertPreview plan={data} />}
      </Loaded>
    </ConfirmByTyping>
  );
}

/** The effects of reverting an import; effects without a count are left out. */
function RevertPreview({ plan }: { plan: UndoResult }) {
  const { t, count, list: listed } = useWords();
  const { removed, renamedBack, heldByOthers, inReview, list } = plan;
  return (
    <>
      <ul className="change-names">
        <li>{t('exchange.undoRemoved', { faces: count(removed) })}</li>
        {renamedBack === 0 ? null : <li>{t('exchange.undoRenamed', { faces: count(renamedBack) })}</li>}
        {heldByOthers === 0 ? null : <li>{t('exchange.undoOthers', { faces: count(heldByOthers) })}</li>}
        {inReview.count === 0 ? null : (
          <li>{t('exchange.undoReview', { faces: count(inReview.count), names: listed(inReview.names) })}</li>
        )}
        <li>{t(`exchange.undoList_${list}`)}</li>
      </ul>
      <p className="soft">{t('exchange.undoAgain')}</p>
    </>
  );
}

/** Exports one blacklist for one installation as a file. The selection is in the address. */
export function ExportPanel({ close }: { close: () => void }) {
  const { t, bytes, count } = useWords();
  const [params, setParams] = useSearchParams();
  const [photos, setPhotos] = useState(true);
  const [saved, setSaved] = useState<{ size: number; installation: string }>();
  const installations = useQuery(trustedInstallationsQuery);
  const blacklists = useQuery(blacklistsQuery);
  const lists = blacklists.data?.items.filter(({ enrolledFacesCount }) => enrolledFacesCount > 0);
  const installation = installations.data?.items.find(({ id }) => String(id) === params.get('installation'));
  const list = lists?.find(({ id }) => String(id) === params.get('list'));
  const choose = (key: 'installation' | 'list', value: string | null) => {
    setSaved(undefined);
    setParams((before) => {
      if (value === null) before.delete(key);
      else before.set(key, value);
      return before;
    });
  };
  const work = useReauthentication(
    (chosen: { list: number; installation: { id: number; name: string } }) =>
      exportBlacklist(chosen.list, { installation: chosen.installation.id, photos }),
    (packageId, chosen) => {
      downloadFile(`blacklist-${chosen.list}.vouchlist`, packageId);
      setSaved({ size: packageId.size, installation: chosen.installation.name });
    },
  );
  const ready = installation !== undefined && list !== undefined && !work.incomplete;
  return (
    <Panel title={t('exchange.export')} close={close}>
      <Form
        className="column"
        send={() => {
          if (ready) work.mutate({ list: list.id, installation });
        }}
      >
        <p className="soft">{t('exchange.exportHelp')}</p>
        <Select
          label={t('exchange.recipient')}
          description={installations.data?.items.length === 0 ? t('exchange.noInstallations') : undefined}
          data={installations.data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          value={installation === undefined ? null : String(installation.id)}
          onChange={(value) => choose('installation', value)}
        />
        <Select
          label={t('facts.blacklist')}
          description={lists?.length === 0 ? t('exchange.nothingToSend') : undefined}
          data={
            lists?.map(({ id, name, enrolledFacesCount }) => ({
              value: String(id),
              label: t('search.listSize', { name, faces: count(enrolledFacesCount) }),
            })) ?? []
          }
          value={list === undefined ? null : String(list.id)}
          onChange={(value) => choose('list', value)}
        />
        <Checkbox
          label={t('exchange.photos')}
          description={t('exchange.photosHelp')}
          checked={photos}
          onChange={(event) => setPhotos(event.currentTarget.checked)}
        />
        {work.field}
        <ErrorLine error={installations.error ?? blacklists.error ?? work.error} />
        <p role="status">
          {saved === undefined
            ? null
            : t('exchange.written', { size: bytes(saved.size), installation: saved.installation })}
        </p>
        <div className="row">
          <Action
            primary
            type="submit"
            className="push"
            label={t('exchange.write')}
            disabled={!ready}
            loading={work.isPending}
          />
        </div>
      </Form>
    </Panel>
  );
}

/** The operator types the fingerprint that the other installation read out: an unchecked certificate could be forged. */
export function NewInstallationPanel({ close }: { close: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [certificate, setCertificate] = useState<InstallationCertificate>();
  const [name, setName] = useState('');
  const [fingerprint, setFingerprint] = useState('');
  const work = useReauthentication(trustInstallation, async ({ id }) => {
    await client.invalidateQueries({ queryKey: trustedInstallationsQuery.queryKey });
    await navigate(`/exchange/installations/${id}`);
  });
  const ready =
    certificate !== undefined && fingerprint.trim() !== '' && name.trim() !== '' && !work.incomplete;
  return (
    <Panel title={t('exchange.newInstallation')} close={close}>
      <Form
        className="column"
        autoComplete="off"
        send={() => {
          if (ready) work.mutate({ certificate, name: name.trim(), fingerprint });
        }}
      >
        <CertificateDrop
          certificate={certificate}
          take={(taken) => {
            setCertificate(taken);
            setName(taken.name);
          }}
        />
        <TextInput
          label={t('exchange.heard')}
          description={t('exchange.heardHelp')}
          classNames={{ input: 'mono ltr' }}
          maxLength={100}
          spellCheck={false}
          value={fingerprint}
          onChange={(event) => setFingerprint(event.currentTarget.value)}
        />
        <TextInput
          label={t('exchange.calledHere')}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Submit work={work} label={t('exchange.trust')} disabled={!ready} />
      </Form>
    </Panel>
  );
}

function CertificateDrop(props: {
  certificate: InstallationCertificate | undefined;
  take: (certificate: InstallationCertificate) => void;
}) {
  const { certificate, take } = props;
  const { t } = useWords();
  const [wrong, setWrong] = useState(false);
  const read = async ([file]: Iterable<File>) => {
    if (file === undefined) return;
    const found = await certificateIn(file);
    setWrong(found === undefined);
    if (found !== undefined) take(found);
  };
  const { chooser, open } = useFileChooser({
    label: t('exchange.chooseCard'),
    accept: '.json,application/json',
    take: (files) => void read(files),
  });
  return (
    <>
      <DropTarget
        className="certificate-drop"
        label={t('exchange.certificateFile')}
        take={(data) => {
          void read(data.files);
        }}
      >
        <p className="drop-title">
          {certificate === undefined
            ? t('exchange.certificateFile')
            : t('exchange.certificateOf', { name: certificate.name })}
        </p>
        <p className="soft">
          {t('exchange.certificateFileHelp')}{' '}
          <code className="mono ltr">vouch installation show --output FILE</code>
        </p>
        <Button size="xs" variant="default" onClick={open}>
          {t('exchange.chooseCard')}
        </Button>
        {chooser}
      </DropTarget>
      {wrong ? (
        <p className="error-line" role="alert">
          {t('exchange.notACard')}
        </p>
      ) : null}
    </>
  );
}

/** Far more than a certificate has: another file is not read to its end. */
const MAX_CERTIFICATE_BYTES = 64 * 1024;

async function certificateIn(file: File): Promise<InstallationCertificate | undefined> {
  if (file.size > MAX_CERTIFICATE_BYTES) return undefined;
  try {
    return installationCertificate.safeParse(JSON.parse(await file.text())).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
