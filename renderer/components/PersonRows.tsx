import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useMay } from '../api/session.ts';
import { useWords } from '../i18n/words.tsx';

/** A match with its key, and with the list and the person that it is grouped by. */
export interface PersonMatch {
  key: string;
  /** Name of the blacklist; null: the main gallery. */
  list: string | null;
  /** Null: the face belongs to no person. */
  personId: number | null;
  /** How many photos of the person the list has, and how many of them match by themselves. */
  photos: number;
  agreeing: number;
  /** Score of this photo alone. */
  photoScore: number;
  /** Probably a copy of this photo was presented. */
  samePicture: boolean;
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
    const { key, list, personId } = of(match);
    return personId === null ? key : JSON.stringify([personId, list]);
  });
  return (
    <ol className={className} aria-label={label}>
      {[...groups].flatMap(([group, all]) => {
        const isOpen = open.has(group) || all.slice(1).some((match) => of(match).key === chosen);
        return (isOpen ? all : all.slice(0, 1)).map((match, index) => (
          <li key={of(match).key}>
            {row(match)}
            <Agreement {...of(match)} isFirst={index === 0} isOpen={isOpen} />
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

/**
 * How many photos of the person match by themselves, where the photos are unfolded the score of each, the remark that the
 * same picture was presented again, and the way to the page of the person.
 */
function Agreement(props: Omit<PersonMatch, 'key' | 'list'> & { isFirst: boolean; isOpen: boolean }) {
  const { personId, photos, agreeing, photoScore, samePicture, isFirst, isOpen } = props;
  const { t, count, decimal } = useWords();
  const leads = useMay()('persons:read') && isFirst && personId !== null;
  const words = [
    ...(isFirst && photos > 1
      ? [t('face.photosMatch', { agreeing: count(agreeing), photos: count(photos) })]
      : []),
    ...(isOpen && photos > 1 ? [t('face.photoAlone', { score: decimal(photoScore) })] : []),
  ];
  if (words.length === 0 && !samePicture && !leads) return null;
  return (
    <p className="choice-note soft">
      {samePicture ? <strong>{t('face.samePicture')}</strong> : null} {words.join(' ')}{' '}
      {leads ? <Link to={`/persons/${personId}`}>{t('face.openPerson')}</Link> : null}
    </p>
  );
}
