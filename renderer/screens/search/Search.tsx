import { useEffect, useRef, useState } from 'react';
import { Button, Loader } from '@mantine/core';
import { IconClipboard, IconPhotoSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Refusal } from '../../api/client.ts';
import { searchImage } from '../../api/search.ts';
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
        <Drop take={search.mutate} />
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

function inWords(error: Error, t: ReturnType<typeof useTranslation>['t']): Error {
  const wrongType = error instanceof Refusal && (error.status === 415 || error.status === 422);
  return wrongType ? new Refusal(error.status, t('search.wrongType')) : error;
}

function Drop({ take }: { take: (file: File) => void }) {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div className="page-scroll">
      <div
        className={over ? 'search-drop over' : 'search-drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const [file] = event.dataTransfer.files;
          if (file !== undefined) take(file);
        }}
      >
        <IconPhotoSearch size={40} stroke={1.2} aria-hidden />
        <p className="search-title">{t('search.drop')}</p>
        <p className="soft">{t('search.dropHelp')}</p>
        <div className="row">
          <Button onClick={() => chooser.current?.click()}>{t('search.choose')}</Button>
          <span className="soft row">
            <IconClipboard size={16} aria-hidden /> {t('search.paste')}
          </span>
        </div>
        <input
          ref={chooser}
          type="file"
          hidden
          accept="image/jpeg,image/png"
          aria-label={t('search.choose')}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file !== undefined) take(file);
          }}
        />
      </div>
    </div>
  );
}

function usePaste(take: (file: File) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const [file] = event.clipboardData?.files ?? [];
      if (file !== undefined) take(file);
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, [take]);
}
