import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import type { FaceImage } from '../../core/contracts/dashboard/faceImages.ts';
import { useWords } from '../i18n/words.tsx';

/** A match with its key, and with the list and the person that it is grouped by. */
export interface PersonMatch {
  key: string;
  /** Name of the blacklist; null: the main gallery. */
  list: string | null;
  person: FaceImage['person'];
}

/**
 * Matches of a face as a list. Those of one person in one list are one row, which has the first of them, until the operator
 * unfolds it or chooses another one of them.
 */
export function PersonRows<M>(props: {
  label: string;
  className: string;
  matches: readonly M[];
  of: (match: M) => PersonMatch;
  /** The key of the chosen match. */
  chosen: string | undefined;
  row: (match: M) => ReactNode;
}) {
  const { label, className, matches, of, chosen, row } = props;
  const { t, count } = useWords();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const groups = Map.groupBy(matches, (match) => {
    const { key, list, person } = of(match);
    return person === null ? key : JSON.stringify([person.id, list]);
  });
  return (
    <ol className={className} aria-label={label}>
      {[...groups].flatMap(([group, all]) => {
        const isOpen = open.has(group) || all.slice(1).some((match) => of(match).key === chosen);
        return (isOpen ? all : all.slice(0, 1)).map((match) => (
          <li key={of(match).key}>
            {row(match)}
            {isOpen || all.length === 1 ? null : (
              <Button
                size="compact-xs"
                variant="subtle"
                aria-expanded={false}
                onClick={() => setOpen(new Set(open).add(group))}
              >
                {t('face.morePhotos', { photos: count(all.length - 1) })}
              </Button>
            )}
          </li>
        ));
      })}
    </ol>
  );
}
