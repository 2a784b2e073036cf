import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import {
  installationCertificate,
  type InstallationCertificate,
} from '../../../core/contracts/blacklistTransfer.ts';
import { trustedInstallationsQuery, trustInstallation } from '../../api/blacklistTransfer.ts';
import { DropTarget } from '../../components/DropTarget.tsx';
import { Form } from '../../components/Form.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFileChooser } from '../../components/useFileChooser.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';

/** The operator types the fingerprint that the other installation read out: an unchecked certificate could be forged. */
export function NewInstallationPanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
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
          if (ready) work.start({ certificate, name: name.trim(), fingerprint });
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
        {work.field}
        <ErrorLine error={work.error} />
        <div className="row">
          <Button className="push" type="submit" disabled={!ready} loading={work.pending}>
            {t('exchange.trust')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

function CertificateDrop({
  certificate,
  take,
}: {
  certificate: InstallationCertificate | undefined;
  take: (certificate: InstallationCertificate) => void;
}) {
  const { t } = useTranslation();
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
