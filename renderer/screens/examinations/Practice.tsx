import { useState } from 'react';
import { Button, Kbd } from '@mantine/core';
import {
  IconArrowLeft,
  IconArrowRight,
  IconChecks,
  IconCircleCheck,
  IconCircleX,
  IconPlayerPlay,
  IconUsers,
} from '@tabler/icons-react';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { FaceImage } from '../../../core/contracts/dashboard/faceImages.ts';
import { alikeQuery, personQueryById, personsWithPhotos } from '../../api/persons.ts';
import { AskedPair } from '../../compare/AskedPair.tsx';
import { comparedFaceImage } from '../../compare/faceImageFacts.tsx';
import { Action, EmptyState, ErrorLine, Page } from '../../components/Page.tsx';
import { useWords } from '../../i18n/words.tsx';
import { useKeys } from '../../state/keys.ts';

/** Persons that a practice draws, and those without whom it would show the same faces again and again. */
const PERSONS = { most: 10, least: 5 };
/** So many persons are looked at, so that each practice draws others. */
const POOL = 200;
const ANSWERS = ['same', 'different'] as const;

interface Side {
  id: number;
  name: string;
  image: FaceImage;
}
type KnownPair = readonly [Side, Side];

/** Pairs of photos of which the site's records know whether they show one person. Answers never leave the window. */
export function Component() {
  const { t } = useWords();
  const client = useQueryClient();
  const [pairs, setPairs] = useState<readonly KnownPair[]>();
  const draw = useMutation({ mutationFn: () => drawPairs(client), onSuccess: setPairs });
  return (
    <Page
      title={t('practice.title')}
      state={t('practice.state')}
      action={<Action Icon={IconArrowLeft} mirrored label={t('examinations.back')} to="/examinations" />}
    >
      <div className="page-scroll">
        {pairs === undefined ? (
          <section className="card column sample-form">
            <p>{t('practice.intro')}</p>
            <p>{t('practice.private')}</p>
            <ErrorLine error={draw.error} />
            <Action primary className="push" Icon={IconPlayerPlay} label={t('practice.start')} work={draw} />
          </section>
        ) : pairs.length === 0 ? (
          <EmptyState
            Icon={IconUsers}
            title={t('practice.few')}
            help={t('practice.fewHelp', { count: PERSONS.least })}
          />
        ) : (
          <Pairs pairs={pairs} again={() => setPairs(undefined)} />
        )}
      </div>
    </Page>
  );
}

function Pairs({ pairs, again }: { pairs: readonly KnownPair[]; again: () => void }) {
  const { t } = useWords();
  const [answers, setAnswers] = useState<readonly boolean[]>([]);
  const [shown, setShown] = useState(0);
  const pair = pairs[shown];
  if (pair === undefined) return <Result pairs={pairs} answers={answers} again={again} />;
  const right = answers[shown];
  return (
    <AskedPair
      key={shown}
      images={pair.map(({ image }, side) =>
        comparedFaceImage(image, image.imageUrl ?? '', t('duplicates.sampleFace', { side: side + 1 })),
      )}
      choices={right === undefined ? ANSWERS : []}
      done={shown}
      total={pairs.length}
      after={
        right === undefined ? null : <Solution pair={pair} right={right} next={() => setShown(shown + 1)} />
      }
      answer={(answer) => setAnswers([...answers, (answer === 'same') === isOnePerson(pair)])}
    />
  );
}

/** The answer to a pair, and what to look at. */
function Solution({ pair, right, next }: { pair: KnownPair; right: boolean; next: () => void }) {
  const { t } = useWords();
  useKeys([{ keys: ['n'], label: t('practice.next'), run: next }]);
  const Icon = right ? IconCircleCheck : IconCircleX;
  return (
    <div className="card column" role="status">
      <h3 className="row">
        <Icon size={18} aria-hidden /> {t(right ? 'practice.right' : 'practice.wrong')}
      </h3>
      <p>
        <Names pair={pair} />
      </p>
      <p className="soft">{t(isOnePerson(pair) ? 'practice.lookOne' : 'practice.lookTwo')}</p>
      <Button
        className="push"
        autoFocus
        rightSection={<Kbd size="xs">N</Kbd>}
        leftSection={<IconArrowRight size={16} className="mirrored" aria-hidden />}
        onClick={next}
      >
        {t('practice.next')}
      </Button>
    </div>
  );
}

function Names({ pair: [first, second] }: { pair: KnownPair }) {
  const { t } = useWords();
  return first.id === second.id
    ? t('practice.one', { name: first.name })
    : t('practice.two', { first: first.name, second: second.name });
}

function Result(props: { pairs: readonly KnownPair[]; answers: readonly boolean[]; again: () => void }) {
  const { pairs, answers, again } = props;
  const { t, count } = useWords();
  const counts = (of: (pair: KnownPair) => boolean) => ({
    right: count(pairs.filter((pair, index) => of(pair) && answers[index] === true).length),
    total: count(pairs.filter(of).length),
  });
  const wrong = pairs.filter((_, index) => answers[index] === false);
  return (
    <EmptyState
      Icon={IconChecks}
      title={t(
        'practice.result',
        counts(() => true),
      )}
      action={<Action label={t('practice.again')} onClick={again} />}
      help={
        <>
          <p>{t('practice.resultOne', counts(isOnePerson))}</p>
          <p>
            {t(
              'practice.resultTwo',
              counts((pair) => !isOnePerson(pair)),
            )}
          </p>
          {wrong.length === 0 ? null : (
            <>
              <p>{t('practice.records')}</p>
              <ul>
                {wrong.map((pair, index) => (
                  <li key={index}>
                    <Link to={`/persons/${pair[0].id}`}>
                      <Names pair={pair} />
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      }
    />
  );
}

function isOnePerson([first, second]: KnownPair): boolean {
  return first.id === second.id;
}

/**
 * For each drawn person two photos, and a photo beside one of the most similar other person. A person whose score reaches the
 * band of possible matches is passed over: it may be the same one, enrolled twice.
 * @returns none: fewer than {@link PERSONS}.least persons have two photos that this operator may see
 */
async function drawPairs(client: QueryClient): Promise<KnownPair[]> {
  const known: { one: KnownPair; other: Side | undefined }[] = [];
  for (const { id, name } of shuffled(await personsWithPhotos(POOL))) {
    if (known.length === PERSONS.most) break;
    const { faces } = await client.query(personQueryById(id));
    const photos = shuffled(faces.map(({ faceImage }) => ({ id, name, image: faceImage })));
    const [first] = photos.filter(isSeen);
    const second = photos.find((photo) => isSeen(photo) && photo.image.sha256 !== first?.image.sha256);
    if (first === undefined || second === undefined) continue;
    const { items } = await client.query(alikeQuery(id));
    const [other] = items
      .filter(({ reading }) => reading.band === 'none')
      .map(({ person }) => ({ id: person.id, name: person.name, image: person.cover }))
      .filter(isSeen);
    known.push({ one: [first, second], other });
  }
  if (known.length < PERSONS.least) return [];
  return shuffled(
    known.flatMap(({ one, other }, index) => [
      one,
      [one[Math.floor(Math.random() * 2)]!, other ?? known[(index + 1) % known.length]!.one[0]] as const,
    ]),
  );
}

function isSeen({ image }: Side): boolean {
  return image.imageUrl !== null;
}

function shuffled<T>(things: readonly T[]): T[] {
  return things
    .map((thing) => ({ thing, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ thing }) => thing);
}
