import { Button, Loader, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { PhotoField } from '../../camera/PhotoField.tsx';
import { Form } from '../../components/Form.tsx';
import { usePaste } from '../../components/ImageDrop.tsx';
import { Page } from '../../components/Page.tsx';
import { UnreadableImage } from '../../components/readableImage.ts';
import { ErrorLine, ErrorState } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { CompareTabs } from './CompareTabs.tsx';
import { FaceComparisonResult } from './FaceComparisonResult.tsx';
import { FaceChoice } from './FaceChoice.tsx';
import { useFacePair, type FacePair } from './useFacePair.ts';
import './compareFaces.css';

const LONGEST_REFERENCE = 255;

/** Two photos side by side, and how similar their faces are. */
export function Component() {
  const { t } = useTranslation();
  const { time } = useFormats();
  const may = useMay();
  const pair = useFacePair();
  usePaste(pair.paste);
  const { answer } = pair;
  const comparison = answer?.comparison ?? null;
  return (
    <Page
      title={t('nav.compare')}
      state={
        comparison === null
          ? t('faceCompare.stateIdle')
          : t('faceCompare.stateDone', { time: time(comparison.at), id: comparison.id })
      }
      action={
        answer === undefined ? undefined : (
          <Button variant="default" onClick={pair.clear}>
            {t('faceCompare.another')}
          </Button>
        )
      }
    >
      <CompareTabs />
      {!may('faces:compare') ? (
        <ErrorState error={new ApiError(403, '')} />
      ) : answer !== undefined && comparison !== null ? (
        <FaceComparisonResult answer={answer} comparison={comparison} pair={pair} />
      ) : (
        <div className="page-scroll column">
          <Photos pair={pair} />
        </div>
      )}
    </Page>
  );
}

function Photos({ pair }: { pair: FacePair }) {
  const { t } = useTranslation();
  const { photos, put, reference, setReference, ready, pending, error, answer, compare } = pair;
  return (
    <Form
      className="column"
      send={() => {
        if (ready) compare();
      }}
    >
      <div className="face-photos">
        {([0, 1] as const).map((which) => {
          const photo = answer?.photos[which];
          const mustChoose = photo !== undefined && photo.chosen === null && photo.faces.length > 1;
          const file = photos[which];
          return mustChoose && file !== null ? (
            <FaceChoice key={which} file={file} photo={photo} which={which} pair={pair} />
          ) : (
            <PhotoField
              key={which}
              label={t(which === 0 ? 'faceCompare.first' : 'faceCompare.second')}
              title={t(which === 0 ? 'faceCompare.first' : 'faceCompare.second')}
              photo={file}
              take={(taken) => put(which, taken)}
              remove={() => put(which, null)}
            />
          );
        })}
      </div>
      <TextInput
        className="face-reference"
        label={t('verify.reference')}
        description={t('faceCompare.referenceHelp')}
        maxLength={LONGEST_REFERENCE}
        dir="auto"
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
      <ErrorLine error={useUnusable(error)} />
      <div className="row">
        <Button type="submit" size="md" disabled={!ready}>
          {t('faceCompare.compare')}
        </Button>
        {pending ? (
          <span className="row" role="status">
            <Loader size="sm" /> {t('faceCompare.comparing')}
          </span>
        ) : null}
      </div>
    </Form>
  );
}

/** The error with the name of the photo that cannot be used. */
function useUnusable(error: Error | null): Error | null {
  const { t } = useTranslation();
  if (error instanceof UnreadableImage)
    return new ApiError(
      415,
      error.format === null
        ? t('search.notAnImage', { file: error.fileName })
        : t('search.notConvertible', { file: error.fileName, format: error.format }),
    );
  if (!(error instanceof ApiError)) return error;
  const text = Object.values(error.fields).flat().join(' ');
  return text === '' ? error : new ApiError(error.status, text);
}
