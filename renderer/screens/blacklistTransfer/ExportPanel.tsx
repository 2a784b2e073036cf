import { useState } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { exportBlacklist, trustedInstallationsQuery } from '../../api/blacklistTransfer.ts';
import { Form } from '../../components/Form.tsx';
import { Select } from '../../components/Select.tsx';
import { downloadFile } from '../../components/downloadFile.ts';
import { Panel } from '../../components/Panel.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { useFormats } from '../../i18n/format.ts';

/** Exports one blacklist for one installation as a file. The selection is in the address. */
export function ExportPanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const { bytes, count } = useFormats();
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
          if (ready) work.start({ list: list.id, installation });
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
          label={t('exchange.list')}
          description={lists?.length === 0 ? t('exchange.nothingToSend') : undefined}
          data={
            lists?.map(({ id, name, enrolledFacesCount }) => ({
              value: String(id),
              label: t('exchange.listFaces', { name, faces: count(enrolledFacesCount) }),
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
          <Button className="push" type="submit" disabled={!ready} loading={work.pending}>
            {t('exchange.write')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
