import { useEffect, useState } from 'react';
import { Button, Loader } from '@mantine/core';
import { IconPhotoSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Refusal } from '../../api/client.ts';
import { searchImage } from '../../api/search.ts';
import { ImageDrop, usePaste } from '../../components/ImageDrop.tsx';
import { Page } from '../../components/Page.tsx';
import { ErrorState } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { Probe } from './probe.ts';
import { Result } from './Result.tsx';
import './search.css';

/** Drop or paste an image; every face in it can be looked up. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const [probe, setProbe] = useState<Probe | null>(null);
  const search = useMutation({
    mutationFn: async (file: File) => {
      const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
      const sha256 = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      setProbe({ file, url: URL.createObjectURL(file), sha256 });
      return searchImage(file, AbortSignal.timeout(60_000));
    },
  });
  useEffect(() => {
    if (probe === null) return;
    return () => URL.revokeObjectURL(probe.url);
  }, [probe]);
  usePaste(search.mutate);
  const again = () => {
    search.reset();
    setProbe(null);
  };
  const state =
    search.data === undefined
      ? t('search.stateIdle')
      : t('search.state', {
          faces: count(search.data.faces.length),
          searched: count(search.data.searchedFaces),
        });
  return (
    <Page
      title={t('nav.search')}
      state={state}
      action={
        probe === null ? undefined : (
          <Button variant="default" onClick={again}>
            {t('search.another')}
          </Button>
        )
      }
    >
      {probe === null ? (
        <div className="page-scroll">
          <ImageDrop
            take={search.mutate}
            Icon={IconPhotoSearch}
            title={t('search.drop')}
            help={t('search.dropHelp')}
            choose={t('search.choose')}
            paste={t('search.paste')}
          />
        </div>
      ) : search.data !== undefined ? (
        <Result probe={probe} answer={search.data} />
      ) : search.error !== null ? (
        <ErrorState error={inWords(search.error, t)} retry={() => search.mutate(probe.file)} />
      ) : (
        <div className="search-wait" role="status">
          <img src={probe.url} alt={t('search.probe')} />
          <p className="row">
            <Loader size="sm" /> {t('search.looking')}
          </p>
        </div>
      )}
    </Page>
  );
}

function inWords(error: Error, t: TFunction): Error {
  const wrongType = error instanceof Refusal && (error.status === 415 || error.status === 422);
  return wrongType ? new Refusal(error.status, t('search.wrongType')) : error;
}
