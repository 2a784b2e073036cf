import { useCallback, useState, type ReactNode } from 'react';
import { Button, Kbd } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react';
import type { PersonDecision } from '../../core/contracts/dashboard/duplicates.ts';
import { useDrawn } from '../components/useDrawn.ts';
import { useWords } from '../i18n/words.tsx';
import { useKeys } from '../state/keys.ts';
import type { ComparedImage } from './geometry.ts';
import { Pane, ZoomTools } from './Pane.tsx';
import { useCompare } from './useCompare.ts';
import './compare.css';

const ICONS = { same: IconCircleCheck, different: IconCircleX, unsure: IconHelpCircle };
const LETTERS = { same: 's', different: 'd', unsure: 'u' } as const;

/** A pair of photos without names and scores, one of several. It takes no answer before both photos are on screen. */
export function AskedPair(props: {
  /** The key of each is its address. */
  images: readonly ComparedImage[];
  /** None: it is answered. */
  choices: readonly PersonDecision[];
  done: number;
  total: number;
  busy?: boolean;
  /** Below the choices. */
  after: ReactNode;
  answer: (decision: PersonDecision) => void;
}) {
  const { images, choices, done, total, busy = false, after, answer } = props;
  const { t, count } = useWords();
  const compare = useCompare('whole');
  const [drawn, setDrawn] = useState(false);
  const ready = useDrawn(
    images.flatMap(({ url }) => url ?? []),
    useCallback(() => setDrawn(true), []),
  );
  const choose = (decision: PersonDecision) => {
    if (drawn && !busy) answer(decision);
  };
  useKeys(
    choices.map((decision) => ({
      keys: [LETTERS[decision]],
      label: t(`duplicates.${decision}`),
      run: () => choose(decision),
    })),
  );
  return (
    <section className="sample" aria-label={t('duplicates.sampleAsk')}>
      <p role="status">{t('duplicates.sampleOf', { done: count(done + 1), total: count(total) })}</p>
      <h2>{t('duplicates.sampleAsk')}</h2>
      <div className="sample-faces">
        {images.map((image) => (
          <Pane
            key={image.alt}
            compare={compare}
            layers={[{ image, turn: 0, opacity: 1 }]}
            label={image.alt}
            none={t('face.noImage')}
            ready={ready}
          />
        ))}
      </div>
      <ZoomTools compare={compare} label={t('compare.tools')} />
      <div className="row wrap">
        {choices.map((decision) => {
          const Icon = ICONS[decision];
          return (
            <Button
              key={decision}
              variant="default"
              disabled={busy}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={<Kbd size="xs">{LETTERS[decision].toUpperCase()}</Kbd>}
              onClick={() => choose(decision)}
            >
              {t(`duplicates.${decision}`)}
            </Button>
          );
        })}
        {after}
      </div>
    </section>
  );
}
