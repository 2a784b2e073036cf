import { MAX_PHOTOS, validationApi } from '../../../core/contracts/dashboard/validations.ts';
import { useRef, useState } from 'react';
import { IconRoute, IconPhotoX, IconUserScan } from '@tabler/icons-react';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { TextInput, Loader } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { FlowRow } from '../../../core/contracts/flows.ts';
import type { FoundFaces } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { Action, Loaded, EmptyState, ErrorState, ErrorLine, Page } from '../../components/Page.tsx';
import { flowsQuery } from '../../api/blacklists.ts';
import { ApiError, ask } from '../../api/client.ts';
import { focusHeading } from '../../state/focus.ts';
import { useKeys } from '../../state/keys.ts';
import { usePaste, useObjectUrl } from '../../components/ImageDrop.tsx';
import { FurtherPhotos, PhotoField } from '../../camera/PhotoField.tsx';
import { Form } from '../../components/Form.tsx';
import { Select } from '../../components/Select.tsx';
import { FaceBox, placeOn, UnclearBox } from '../../components/FaceThumbnail.tsx';
import {
  UnreadableImage,
  unreadableInWords,
  photoUriOf,
  readableImage,
  readablePhotos,
} from '../../components/readableImage.ts';
import { VerificationResult } from './VerificationResult.tsx';
import { cropAround } from '../../../core/contracts/facePlaces.ts';
import { cropToJpeg } from '../../compare/geometry.ts';
import { useWords } from '../../i18n/words.tsx';
import './verify.css';

/** One person is verified: the form on one side, its result on the other. */
export function Component() {
  const { t } = useWords();
  const query = useQuery(flowsQuery);
  return (
    <Page title={t('nav.verify')} state={t('verify.state')}>
      <Loaded query={query} rows={8}>
        {({ items }) => {
          const flows = items.filter(({ saved }) => saved !== null);
          return flows.length === 0 ? <NoFlow /> : <VerificationOf flows={flows} />;
        }}
      </Loaded>
    </Page>
  );
}

function NoFlow() {
  const { t } = useWords();
  return (
    <EmptyState
      Icon={IconRoute}
      title={t('verify.noFlow')}
      action={<Action primary label={t('actions.newFlow')} to="/trust-flows/new" />}
      help={t('verify.noFlowHelp')}
    />
  );
}

function VerificationOf({ flows }: { flows: readonly FlowRow[] }) {
  const [params] = useSearchParams();
  const asked = flows.find(({ id }) => String(id) === params.get('flow'));
  const [only, second] = flows;
  const verification = useVerification(asked?.id ?? (second === undefined ? only?.id : undefined) ?? null);
  usePaste((photo) => {
    if (verification.validationId === null && !verification.pending) verification.add([photo]);
  });
  return (
    <div className="verify page-scroll">
      <VerificationForm verification={verification} flows={flows} />
      <VerificationOutcome verification={verification} />
    </div>
  );
}

/** The Trust Flow, the photos, the name and the reference of one verification. */
function VerificationForm(props: { verification: Verification; flows: readonly FlowRow[] }) {
  const { verification, flows } = props;
  const { t } = useWords();
  const { draft, change, add, remove, ready, run, pending, validationId } = verification;
  const finished = validationId !== null;
  return (
    <Form
      className="verify-form column"
      send={() => {
        if (ready && !finished) run();
      }}
    >
      <Select
        label={t('verify.flow')}
        description={t('verify.flowHelp')}
        {...(draft.flow === null && { 'aria-required': true })}
        disabled={pending || finished}
        data={flows.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={draft.flow === null ? null : String(draft.flow)}
        onChange={(flow) => change({ flow: flow === null ? null : Number(flow) })}
      />
      <div className={draft.photos.length > 1 ? 'verify-photos' : ''}>
        {[draft.photos[0] ?? null, ...draft.photos.slice(1)].map((photo, at, { length }) => (
          <PhotoField
            key={at}
            label={length === 1 ? t('facts.photo') : t('verify.numbered', { number: at + 1 })}
            photo={photo}
            most={MAX_PHOTOS}
            take={add}
            remove={finished ? null : () => remove(at)}
            {...(length > 1 && { removeLabel: t('verify.remove') })}
          />
        ))}
      </div>
      {finished || draft.photos.length === 0 ? null : (
        <FurtherPhotos
          full={draft.photos.length === MAX_PHOTOS}
          disabled={pending}
          help={t('verify.furtherHelp', { most: MAX_PHOTOS })}
          take={add}
        />
      )}
      {(['name', 'reference'] as const).map((key) => (
        <TextInput
          key={key}
          label={t(`verify.${key}`)}
          description={t(`verify.${key}Help`)}
          maxLength={LONGEST_TEXT}
          dir="auto"
          autoComplete="off"
          disabled={pending || finished}
          value={draft[key]}
          onChange={(event) => change({ [key]: event.currentTarget.value })}
        />
      ))}
      {finished ? null : (
        <Action primary type="submit" size="md" label={t('verify.run')} disabled={!ready} loading={pending} />
      )}
    </Form>
  );
}

/** The outcome below the form: empty, a pending request, a rejected photo, or the result. */
function VerificationOutcome({ verification }: { verification: Verification }) {
  const { t } = useWords();
  const { pending, error, refused, refusedPhoto, found, validationId, run, next } = verification;
  const choice = refused === 'MULTIPLE_FACES' && found !== null && found.boxes.length > 0 ? found : null;
  return (
    // The result is read from its heading, which has the focus; live, it would be read whole after each change in it.
    <section
      className="verify-outcome"
      aria-label={t('facts.result')}
      aria-live={validationId === null ? 'polite' : 'off'}
    >
      {pending ? (
        <p className="row verify-wait" role="status">
          <Loader size="sm" /> {t('verify.running')}
        </p>
      ) : error !== null ? (
        <ErrorState error={inWords(error, t)} retry={run} />
      ) : choice !== null ? (
        <FaceChoice found={choice} verification={verification} />
      ) : refused !== null ? (
        <EmptyState
          Icon={IconPhotoX}
          title={
            refusedPhoto === null
              ? t('verify.refused')
              : t('verify.refusedNumbered', { number: refusedPhoto })
          }
          help={
            <>
              {refused === 'OTHER_PERSON' ? (
                <p>{t('verify.otherPerson')}</p>
              ) : (
                <>
                  <p>{t(`failures.${refused}.sentence`)}</p>
                  <p>{t(`failures.${refused}.remedy`)}</p>
                </>
              )}
              <p className="soft">{t('verify.refusedHelp')}</p>
            </>
          }
        />
      ) : validationId !== null ? (
        <VerificationResult id={validationId} next={next} />
      ) : (
        <EmptyState Icon={IconUserScan} title={t('verify.waiting')} help={t('verify.waitingHelp')} />
      )}
    </section>
  );
}

/** The refused photo with its faces as boxes; the operator chooses the one to verify. */
function FaceChoice({ found, verification }: { found: FoundFaces; verification: Verification }) {
  const { t } = useWords();
  const url = useObjectUrl(verification.chosenPhoto);
  const choosing = useMutation({ mutationFn: verification.chooseFace });
  useKeys([
    {
      keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
      shown: ['1', '9'],
      label: t('failedPhotos.chooseFace'),
      run: ({ key }) => {
        const index = Number(key) - 1;
        if (found.boxes[index] !== undefined && !choosing.isPending) choosing.mutate(index);
      },
    },
  ]);
  if (url === null) return null;
  return (
    <div className="column">
      <p>{t('failures.MULTIPLE_FACES.sentence')}</p>
      <figure className="verify-choice">
        <figcaption>{t('verify.chooseFace')}</figcaption>
        <div className="face-boxes">
          <img src={url} alt="" />
          {found.unclear.map((box) => (
            <UnclearBox key={`${box.x},${box.y}`} place={placeOn(found, box)} />
          ))}
          {found.boxes.map((box, index) => (
            <FaceBox
              key={`${box.x},${box.y}`}
              place={placeOn(found, box)}
              number={index + 1}
              label={t('failedPhotos.face', { face: index + 1, faces: found.boxes.length })}
              chosen={false}
              disabled={choosing.isPending}
              choose={() => choosing.mutate(index)}
            />
          ))}
        </div>
      </figure>
      <ErrorLine error={choosing.error} />
      <p className="soft">{t('verify.chooseFaceHelp')}</p>
    </div>
  );
}

function inWords(error: Error, t: TFunction): Error {
  if (error instanceof UnreadableImage) return unreadableInWords(error, t);
  const rejected =
    error instanceof ApiError && ([413, 415].includes(error.status) || error.fields.image !== undefined);
  return rejected ? new ApiError(error.status, t('search.wrongType'), error) : error;
}

/** The form as it is filled in. */
interface VerificationDraft {
  flow: number | null;
  /** Of one person. */
  photos: readonly File[];
  name: string;
  reference: string;
}

/** Longest name and reference, characters. */
const LONGEST_TEXT = 255;

const RUN = ['verification'];

/**
 * The form of a verification and the request that it makes. Each filled form has a key of its own, so that a repetition
 * of the same request, after a double click or a lost answer, makes one verification.
 */
function useVerification(firstFlow: number | null) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<VerificationDraft>({
    flow: firstFlow,
    photos: [],
    name: '',
    reference: '',
  });
  const key = useRef('');
  const work = useMutation({
    mutationKey: RUN,
    mutationFn: async ({ flow, photos, name, reference }: VerificationDraft) => {
      if (flow === null || photos.length === 0) throw new Error('The form has no Trust Flow or no photo.');
      if (key.current === '') key.current = crypto.randomUUID();
      const readable = await readablePhotos(photos);
      setDraft((now) => ({ ...now, photos: now.photos.map((photo) => readable.get(photo) ?? photo) }));
      const sent = await Promise.all(photos.map((photo) => photoUriOf(readable.get(photo) ?? photo)));
      return runVerification(sent, { flow, name: name.trim(), reference: reference.trim() }, key.current);
    },
    onSuccess: ({ validationId }) => {
      if (validationId !== null) void client.invalidateQueries({ queryKey: ['validations', 'list'] });
    },
  });
  const change = (part: Partial<VerificationDraft>) => {
    key.current = '';
    work.reset();
    setDraft((now) => ({ ...now, ...part }));
  };
  const { found = null, photo: at = null } = work.data ?? {};
  const chosenPhoto = draft.photos[at ?? 0] ?? null;
  return {
    draft,
    change,
    add: (photos: readonly File[]) => change({ photos: [...draft.photos, ...photos].slice(0, MAX_PHOTOS) }),
    remove: (index: number) => change({ photos: draft.photos.filter((_, i) => i !== index) }),
    ready:
      draft.flow !== null &&
      draft.photos.length > 0 &&
      !work.isPending &&
      (work.data?.refused ?? null) === null,
    run: () => {
      // A second click can arrive before the page shows that the first one has started the request.
      if (client.isMutating({ mutationKey: RUN }) === 0) work.mutate(draft);
    },
    pending: work.isPending,
    error: work.error,
    /** Why the service cannot use the photo. */
    refused: work.data?.refused ?? null,
    /** The number of the refused photo; null: it is the only one. */
    refusedPhoto: at === null || draft.photos.length < 2 ? null : at + 1,
    /** The photo that was refused, or the first. */
    chosenPhoto,
    /** The faces of a photo that was refused; null: none were found. */
    found,
    /** Cuts the photo to one of its faces and runs the verification with that. */
    chooseFace: async (index: number) => {
      const face = found?.boxes[index];
      if (chosenPhoto === null || found === null || face === undefined) return;
      const { name } = chosenPhoto;
      const { file } = await readableImage(chosenPhoto);
      const others = [...found.boxes, ...found.unclear].filter((box) => box !== face);
      const cut = await cropToJpeg(file, cropAround(face, others, found), found, { face, others });
      const photo = new File([cut], name, { type: cut.type });
      const photos = draft.photos.map((each) => (each === chosenPhoto ? photo : each));
      change({ photos });
      work.mutate({ ...draft, photos });
    },
    validationId: work.data?.validationId ?? null,
    /** The same Trust Flow for another person. */
    next: () => {
      change({ photos: [], name: '', reference: '' });
      focusHeading();
    },
  };
}
type Verification = ReturnType<typeof useVerification>;

/**
 * Runs a verification with the photos of a person. Repeat it with the same key after a lost answer: the service makes one verification.
 * @param photos data URIs @param key a UUID that belongs to these photos and fields
 */
const runVerification = (
  photos: readonly string[],
  fields: { flow: number; name: string; reference: string },
  key: string,
) => ask(validationApi.verify, { query: fields, body: { photos }, idempotencyKey: key });
