import { Button, Loader } from '@mantine/core';
import { IconPhotoSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import { searchImage } from '../../api/search.ts';
import { ImageDrop, usePaste } from '../../components/ImageDrop.tsx';
import { Page } from '../../components/Page.tsx';
import { ErrorState } from '../../components/states.tsx';
import { useObjectUrl } from '../../components/useObjectUrl.ts';
import { useFormats } from '../../i18n/format.ts';
import { Result } from './Result.tsx';
import './search.css';

/** Drop or paste an image; every face in it can be looked up. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  // The result is always that of the image on the screen: the answer to an earlier one is ignored.
  const search = useMutation({
    mutationFn: async (file: File) => ({
      sha256: await sha256Of(file),
      answer: await searchImage(file, AbortSignal.timeout(60_000)),
    }),
  });
  const { variables: file, data: found } = search;
  const url = useObjectUrl(file);
  usePaste(search.mutate);
  const state =
    found === undefined
      ? t('search.stateIdle')
      : found.answer.faces.length === 0
        ? t('search.stateNone')
        : t('search.state', {
            faces: count(found.answer.faces.length),
            searched: count(found.answer.searchedFaces),
            lists: count(found.answer.watchlists.length),
          });
  return (
    <Page
      title={t('nav.search')}
      state={state}
      action={
        file === undefined ? undefined : (
          <Button variant="default" onClick={search.reset}>
            {t('search.another')}
          </Button>
        )
      }
    >
      {file === undefined ? (
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
      ) : found !== undefined && url !== null ? (
        <Result
          key={url}
          probe={{ file, url, sha256: found.sha256 }}
          answer={found.answer}
          again={() => search.mutate(file)}
        />
      ) : search.error !== null ? (
        <ErrorState error={inWords(search.error, t)} retry={() => search.mutate(file)} />
      ) : (
        <div className="search-wait" role="status">
          {url === null ? null : <img src={url} alt={t('search.probe')} />}
          <p className="row">
            <Loader size="sm" /> {t('search.looking')}
          </p>
        </div>
      )}
    </Page>
  );
}

/** Lowercase hexadecimal. */
async function sha256Of(file: File): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function inWords(error: Error, t: TFunction): Error {
  const wrongType = error instanceof ApiError && (error.status === 415 || error.status === 422);
  return wrongType ? new ApiError(error.status, t('search.wrongType')) : error;
}
