import { Loader } from '@mantine/core';
import { IconBan, IconPhotoSearch } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useSearchParams } from 'react-router';
import type { SearchAnswer } from '../../../core/contracts/dashboard/search.ts';
import { countMatches, type SearchView } from '../../../core/contracts/dashboard/searchView.ts';
import { Action, Page, ErrorLine, ErrorState } from '../../components/Page.tsx';
import { ApiError } from '../../api/client.ts';
import { searchImage } from '../../api/validations.ts';
import { ImageDrop, PHOTO_TYPES, usePaste, useObjectUrl } from '../../components/ImageDrop.tsx';
import { readableImage, UnreadableImage, unreadableInWords } from '../../components/readableImage.ts';
import { useWords } from '../../i18n/words.tsx';
import { Result } from './Result.tsx';
import { viewOf } from './ViewControls.tsx';
import './search.css';

/** Drop or paste an image; every face in it can be looked up. */
export function Component() {
  const { t } = useWords();
  const [params] = useSearchParams();
  // The result is always that of the image on the screen: the answer to an earlier one is ignored.
  const search = useMutation({
    mutationFn: async (given: File) => {
      const image = await readableImage(given);
      return { image, answer: await searchImage(image.file, viewOf(params), AbortSignal.timeout(60_000)) };
    },
  });
  const { variables: given, data: found } = search;
  const url = useObjectUrl(found?.image.file ?? given);
  usePaste(search.mutate);
  // A file that is no usable image leads back to where another one is chosen.
  const unusable = unusableFile(search.error, t);
  const idle = given === undefined || unusable !== null;
  const state =
    found === undefined ? (
      t('search.stateIdle')
    ) : found.answer.faces.length === 0 ? (
      t('search.stateNone')
    ) : (
      <Summary answer={found.answer} view={viewOf(params)} />
    );
  return (
    <Page
      title={t('nav.search')}
      state={state}
      action={
        idle ? (
          <Action label={t('search.history')} to="/search/history" />
        ) : (
          <Action label={t('search.another')} onClick={search.reset} />
        )
      }
    >
      {idle ? (
        <div className="page-scroll column">
          <ErrorLine error={unusable} />
          <ImageDrop
            take={([photo]) => search.mutate(photo)}
            Icon={IconPhotoSearch}
            title={t('common.dropPhoto')}
            help={t('search.dropHelp')}
            choose={t('common.choosePhoto')}
            paste={t('common.pastePhoto')}
            accept={PHOTO_TYPES}
          />
        </div>
      ) : found !== undefined && url !== null ? (
        <Result
          key={found.answer.id}
          probe={{ ...found.image, url }}
          answer={found.answer}
          again={() => search.mutate(given)}
        />
      ) : search.error !== null ? (
        <ErrorState error={search.error} retry={() => search.mutate(given)} />
      ) : (
        <div className="search-wait" role="status">
          {url === null ? null : <img src={url} alt={t('search.probe')} />}
          <p className="row">
            <Loader size="sm" /> {t('common.comparing')}
          </p>
        </div>
      )}
    </Page>
  );
}

/** How many faces match which kind of list, blacklists first, and what was compared. */
function Summary({ answer, view }: { answer: SearchAnswer; view: SearchView }) {
  const { t, count } = useWords();
  const { faces, blacklist, watchlist, none } = countMatches(answer, view);
  const numbers = { faces: count(faces), watchlist: count(watchlist), none: count(none) };
  const compared = { searched: count(answer.searchedFaces), lists: count(answer.watchlists.length) };
  return (
    <>
      <strong className={blacklist === 0 ? undefined : 'search-alert'}>
        {blacklist === 0 ? null : <IconBan size={16} aria-hidden />}
        {t('search.blacklistMatches', { blacklist: count(blacklist) })}
      </strong>{' '}
      {t('search.summary', numbers)} {t('search.compared', compared)}
    </>
  );
}

/** The fault of the given file, and the accepted types; null: the search failed for another reason. */
function unusableFile(error: Error | null, t: TFunction): Error | null {
  if (error instanceof UnreadableImage) return unreadableInWords(error, t);
  const rejected = error instanceof ApiError && [413, 415, 422].includes(error.status);
  // A damaged record, or a kind of file that is not read, has its own words.
  if (rejected && /^(?:RECORD|PICTURE)_/.test(error.code ?? '')) return error;
  return rejected ? new ApiError(error.status, t('search.wrongType'), error) : null;
}
