import { useState } from 'react';
import { Loader, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FaceImage } from '../../../core/contracts/dashboard/faceImages.ts';
import type { FaceComparisonAnswer, ComparedPhoto } from '../../../core/contracts/faceComparisons.ts';
import { Action, Page, ErrorLine } from '../../components/Page.tsx';
import { ApiError } from '../../api/client.ts';
import { PhotoField } from '../../camera/PhotoField.tsx';
import { Form } from '../../components/Form.tsx';
import { usePaste, useObjectUrl } from '../../components/ImageDrop.tsx';
import {
  photoUriOf,
  readablePhotos,
  UnreadableImage,
  unreadableInWords,
} from '../../components/readableImage.ts';
import { useWords } from '../../i18n/words.tsx';
import { faceComparisonReport, compareFaces, FACE_COMPARISONS } from '../../api/comparisons.ts';
import { CompareView } from '../../compare/CompareView.tsx';
import { comparedFaceImage, useFaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { ExamineButton, type GivenPhoto } from '../../components/ExamineButton.tsx';
import { ReportButton } from '../../components/ExportButton.tsx';
import { PairCertainty } from '../../components/ScoreScale.tsx';
import { FaceBox, placeOn, UnclearBox } from '../../components/FaceThumbnail.tsx';
import './compareFaces.css';

const LONGEST_REFERENCE = 255;

/** Two photos side by side, and how similar their faces are. */
export function Component() {
  const { t, time } = useWords();
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
      action={answer === undefined ? undefined : <Action label={t('common.another')} onClick={pair.clear} />}
    >
      {answer !== undefined && comparison !== null ? (
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
  const { t } = useWords();
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
              take={([taken]) => put(which, taken)}
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
        <Action
          primary
          type="submit"
          size="md"
          label={t('faceCompare.compare')}
          disabled={!ready && !pending}
          loading={pending}
        />
        {pending ? (
          <span className="row" role="status">
            <Loader size="sm" /> {t('common.comparing')}
          </span>
        ) : null}
      </div>
    </Form>
  );
}

/** The error with the name of the photo that cannot be used. */
function useUnusable(error: Error | null): Error | null {
  const { t } = useWords();
  if (error instanceof UnreadableImage) return unreadableInWords(error, t);
  if (!(error instanceof ApiError)) return error;
  const text = Object.values(error.fields).flat().join(' ');
  return text === '' ? error : new ApiError(error.status, text);
}

interface Compared {
  answer: FaceComparisonAnswer;
  comparison: NonNullable<FaceComparisonAnswer['comparison']>;
  pair: FacePair;
}

/** How certain the comparison is, and both faces in the compare view. */
function FaceComparisonResult(props: Compared) {
  const { t } = useWords();
  const { answer, comparison, pair } = props;
  const { reasons } = comparison;
  return (
    <div className="paired">
      <aside className="face-result-side paired-side column">
        <h2 className="sr-only">{t('facts.result')}</h2>
        <PairCertainty of={comparison} />
        <Report answer={answer} comparison={comparison} pair={pair} />
        {([0, 1] as const).map((which) => {
          const reason = reasons[which === 0 ? 'image1' : 'image2'];
          return reason === undefined ? null : (
            <p key={which} className="error-line" role="alert">
              <IconAlertTriangle size={16} aria-hidden />
              <span>
                <strong>{t(which === 0 ? 'faceCompare.first' : 'faceCompare.second')}:</strong>{' '}
                {t(`failures.${reason}.sentence`)} {t(`failures.${reason}.remedy`)}
              </span>
            </p>
          );
        })}
        {([0, 1] as const).map((which) => {
          const file = pair.photos[which];
          const photo = answer.photos[which];
          return file === null || photo.faces.length < 2 ? null : (
            <FaceChoice key={which} file={file} photo={photo} which={which} pair={pair} />
          );
        })}
      </aside>
      <div className="face-result-main page-scroll">
        <Faces answer={answer} comparison={comparison} pair={pair} />
      </div>
    </div>
  );
}

function Report(props: Compared) {
  const { language } = useWords();
  const { answer, comparison, pair } = props;
  const [first, second] = pair.photos;
  if (first === null || second === null) return null;
  const [face1, face2] = answer.photos.map(({ chosen }) => chosen);
  return (
    <div>
      <ReportButton
        fileName={`face-comparison-${comparison.id}.pdf`}
        make={async () =>
          faceComparisonReport(comparison.id, {
            ...(await imagesOf([first, second])),
            face1: face1 ?? undefined,
            face2: face2 ?? undefined,
            language,
          })
        }
      />
    </div>
  );
}

function Faces({ answer, comparison, pair }: Compared) {
  const { t } = useWords();
  const facts = useFaceImageFacts();
  const urls = [useObjectUrl(pair.photos[0]), useObjectUrl(pair.photos[1])] as const;
  const faceOf = (which: 0 | 1): FaceImage => {
    const { size, faces, chosen } = answer.photos[which];
    const face = chosen === null ? undefined : faces[chosen];
    return {
      imageUrl: urls[which],
      thumbnailUrl: null,
      width: size?.width ?? 1,
      height: size?.height ?? 1,
      box: face?.box ?? null,
      eyes: face?.eyes ?? null,
      fileName: pair.photos[which]?.name ?? '',
      sha256: comparison.sha256[which === 0 ? 'image1' : 'image2'],
      quality: face?.quality ?? null,
      pipelineId: comparison.modelVersion,
      enrolledAt: null,
      person: null,
    };
  };
  const captions = [t('faceCompare.first'), t('faceCompare.second')] as const;
  const given = ([0, 1] as const).map((which) => ({
    file: pair.photos[which],
    face: answer.photos[which].chosen,
  }));
  const [one, other] = given.filter((side): side is GivenPhoto => side.file !== null && side.face !== null);
  const both = [faceOf(0), faceOf(1)] as const;
  return (
    <CompareView
      key={`${comparison.id}`}
      images={[
        comparedFaceImage(both[0], 'first', captions[0]),
        comparedFaceImage(both[1], 'second', captions[1]),
      ]}
      captions={captions}
      object={`faceComparison:${comparison.id}`}
      actions={one && other && <ExamineButton pair={[one, other]} />}
      facts={facts(both)}
    />
  );
}

/** A photo with its faces as boxes; the operator chooses the one to compare. */
function FaceChoice(props: { file: File; photo: ComparedPhoto; which: Which; pair: FacePair }) {
  const { t } = useWords();
  const { file, photo, which, pair } = props;
  const url = useObjectUrl(file);
  const { size, faces, unclear, chosen } = photo;
  if (size === null || url === null) return null;
  return (
    <figure className="face-choice">
      <figcaption>
        <strong>{t(which === 0 ? 'faceCompare.first' : 'faceCompare.second')}</strong>{' '}
        {t('faceCompare.choose')}
      </figcaption>
      <div className="face-boxes">
        <img src={url} alt="" />
        {unclear.map((box) => (
          <UnclearBox key={`${box.x},${box.y}`} place={placeOn(size, box)} />
        ))}
        {faces.map(({ box, quality }, index) => (
          <FaceBox
            key={`${box.x},${box.y}`}
            place={placeOn(size, box)}
            number={index + 1}
            label={t('faceCompare.face', { number: index + 1, quality })}
            chosen={index === chosen}
            disabled={pair.pending}
            choose={() => pair.choose(which, index)}
          />
        ))}
      </div>
    </figure>
  );
}

type Which = 0 | 1;
type Both<T> = readonly [T, T];
/** Positions of the chosen faces; null: the service chooses the only face. */
type ChosenFaces = Both<number | null>;

const NO_PHOTOS: Both<File | null> = [null, null];
const NO_FACES: ChosenFaces = [null, null];

/** The group under which comparisons of this screen are kept. */
const GROUP = 'faces';

/** Two photos, the faces that were chosen in them, and the request that compares them. */
function useFacePair() {
  const client = useQueryClient();
  const [photos, setPhotos] = useState(NO_PHOTOS);
  const [reference, setReference] = useState('');
  const work = useMutation({
    mutationFn: async ({ pair, chosen }: { pair: Both<File>; chosen: ChosenFaces }) => {
      const readable = await readablePhotos(pair);
      const shown = (photo: File) => readable.get(photo) ?? photo;
      setPhotos(([first, second]) => [first && shown(first), second && shown(second)]);
      return compareFaces({
        ...(await imagesOf([shown(pair[0]), shown(pair[1])])),
        template_id: GROUP,
        verification_id: reference.trim() === '' ? `faces-${new Date().toISOString()}` : reference.trim(),
        face1: chosen[0] ?? undefined,
        face2: chosen[1] ?? undefined,
      });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: FACE_COMPARISONS }),
  });
  const compare = (chosen: ChosenFaces) => {
    const [first, second] = photos;
    if (first !== null && second !== null) work.mutate({ pair: [first, second], chosen });
  };
  const put = (which: Which, photo: File | null) => {
    work.reset();
    setPhotos((now) => (which === 0 ? [photo, now[1]] : [now[0], photo]));
  };
  return {
    photos,
    put,
    /** A pasted photo goes to the first free side. */
    paste: (photo: File) => {
      if (photos[0] === null) put(0, photo);
      else if (photos[1] === null) put(1, photo);
    },
    reference,
    setReference,
    ready: photos[0] !== null && photos[1] !== null && !work.isPending,
    pending: work.isPending,
    error: work.error,
    answer: work.data,
    compare: () => compare(NO_FACES),
    /** Compares once each photo with several faces has a chosen one. */
    choose: (which: Which, face: number) => {
      const [one, other] = work.data?.photos ?? [];
      const chosen: ChosenFaces = which === 0 ? [face, other?.chosen ?? null] : [one?.chosen ?? null, face];
      compare(chosen);
    },
    clear: () => {
      work.reset();
      setPhotos(NO_PHOTOS);
      setReference('');
    },
  };
}
type FacePair = ReturnType<typeof useFacePair>;

/** Both photos as the interface takes them. */
async function imagesOf([first, second]: Both<File>): Promise<{ image1: string; image2: string }> {
  const [image1, image2] = await Promise.all([photoUriOf(first), photoUriOf(second)]);
  return { image1, image2 };
}
