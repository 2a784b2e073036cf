import { useId, useState } from 'react';
import { Checkbox } from '@mantine/core';
import { IconArrowLeft, IconLayoutColumns } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ErasureCandidate, ErasurePlan, ErasureSelection } from '../../../core/contracts/erasure.ts';
import { Action, Loaded } from '../../components/Page.tsx';
import { faceThumbnailUrl } from '../../api/persons.ts';
import { faceQuery } from '../../api/validations.ts';
import { useMay } from '../../api/session.ts';
import { CompareView } from '../../compare/CompareView.tsx';
import { comparedFaceImage, useFaceImageFacts } from '../../compare/faceImageFacts.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { useWords } from '../../i18n/words.tsx';

/** Pixels of a face in the list. */
const FACE = 96;

/**
 * The records of the person, and those that could be of the same person. Every record keeps its place, whether it is
 * selected or not. A face opens beside the first selected one.
 */
export function Records({ list, toggle }: { list: ErasureList; toggle: (key: string) => void }) {
  const { t } = useWords();
  const [compared, setCompared] = useState<ErasureRecord>();
  const { records, selected } = list;
  const subjectOf = (record: ErasureRecord) =>
    records.find(({ key, face }) => face !== null && key !== record.key && selected.has(key));
  const subject = compared && subjectOf(compared);
  if (compared?.face != null && subject?.face != null)
    return (
      <Comparison
        pair={[subject.face, compared.face]}
        names={[subject.name, compared.name]}
        back={() => setCompared(undefined)}
      />
    );
  return (
    <>
      {records.some(({ because }) => because !== null) ? <p>{t('erasure.candidates')}</p> : null}
      <ul className="erasure-records" aria-label={t('erasure.records')}>
        {records.map((record) => (
          <Row
            key={record.key}
            record={record}
            checked={selected.has(record.key)}
            toggle={() => toggle(record.key)}
            compare={
              record.face === null || subjectOf(record) === undefined ? undefined : () => setCompared(record)
            }
          />
        ))}
      </ul>
    </>
  );
}

function Row(props: {
  record: ErasureRecord;
  checked: boolean;
  toggle: () => void;
  compare: (() => void) | undefined;
}) {
  const { record, checked, toggle, compare } = props;
  const { kind, id, name, face, because } = record;
  const { t, decimal } = useWords();
  const may = useMay();
  const field = useId();
  const url = face === null || !may('images:read') ? null : faceThumbnailUrl(face);
  const thumbnail = <FaceThumbnail url={url} name={name} size={FACE} />;
  return (
    <li className="erasure-record">
      <Checkbox id={field} checked={checked} onChange={toggle} />
      {compare === undefined || url === null ? (
        thumbnail
      ) : (
        <button
          type="button"
          className="erasure-face"
          aria-label={t('erasure.compareWith', { name })}
          onClick={compare}
        >
          {thumbnail}
          <IconLayoutColumns size={16} aria-hidden />
        </button>
      )}
      <label htmlFor={field}>
        <strong dir="auto" className="cut">
          {name}
        </strong>
        <span className="soft">
          {t(`erasure.kind_${kind}`)} <bdi>{id}</bdi>
        </span>
        {because === null ? null : (
          <span>
            {t(`erasure.why_${because.why}`, { score: decimal(because.score ?? 0) })}
            {because.band === null ? null : ` (${t(`score.${because.band}`)})`}
          </span>
        )}
      </label>
    </li>
  );
}

/** Two faces of the list side by side, in place of the list. */
function Comparison(props: {
  pair: readonly [number, number];
  names: readonly [string, string];
  back: () => void;
}) {
  const { pair, names, back } = props;
  const { t } = useWords();
  const facts = useFaceImageFacts();
  const first = useQuery(faceQuery(pair[0]));
  const second = useQuery(faceQuery(pair[1]));
  return (
    <div className="column erasure-compare">
      <Action
        size="compact-sm"
        className="erasure-back"
        Icon={IconArrowLeft}
        mirrored
        label={t('common.backToList')}
        autoFocus
        onClick={back}
      />
      <Loaded query={first} rows={6}>
        {(one) => (
          <Loaded query={second} rows={6}>
            {(other) => (
              <CompareView
                images={[
                  comparedFaceImage(one.faceImage, String(one.id), t('face.thumbnail', { name: names[0] })),
                  comparedFaceImage(
                    other.faceImage,
                    String(other.id),
                    t('face.thumbnail', { name: names[1] }),
                  ),
                ]}
                captions={names}
                object={`face:${other.id}`}
                facts={facts([one.faceImage, other.faceImage])}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </div>
  );
}

/** One thing in the list of an erasure: it is selected or not, and keeps its place. */
interface ErasureRecord extends Pick<ErasureCandidate, 'kind' | 'id' | 'name' | 'face'> {
  key: string;
  /** Why it is shown beside the chosen person; null: the operator chose it. */
  because: Pick<ErasureCandidate, 'why' | 'score' | 'band'> | null;
}

/** The contents of the list: every record shown so far, in a fixed order, and the keys of the selected ones. */
export interface ErasureList {
  records: readonly ErasureRecord[];
  selected: ReadonlySet<string>;
}

/** The records of a plan that the operator chose, and the candidates that it found. */
function recordsOf(plan: ErasurePlan, choice: ErasureSelection): ErasureRecord[] {
  const own = (
    kind: ErasureRecord['kind'],
    id: string,
    name: string,
    face: number | null,
  ): ErasureRecord => ({
    key: `${kind} ${id}`,
    kind,
    id,
    name,
    face,
    because: null,
  });
  const validations = plan.validations.map(({ id, name }) => {
    const face = plan.faces.findLast(({ trustValidationId }) => trustValidationId === id);
    return own('validation', String(id), name, face?.id ?? null);
  });
  const faces = plan.faces
    .filter(({ trustValidationId }) => !plan.validations.some(({ id }) => id === trustValidationId))
    .map(({ id, name }) => own('face', String(id), name, id));
  const gone = plan.goneFaces
    .filter((id) => choice.faces.includes(id))
    .map((id) => own('face', String(id), String(id), null));
  const photos = plan.photos
    .filter((photo) =>
      choice.photos.some(({ uploadId, index }) => uploadId === photo.uploadId && index === photo.index),
    )
    .map(({ uploadId, index, fileName }) => own('photo', `${uploadId}:${index}`, fileName, null));
  const comparisons = choice.comparisons.map((id) => own('comparison', String(id), String(id), null));
  return [...validations, ...faces, ...gone, ...photos, ...comparisons];
}

/** The list that the first plan of a person begins. */
export function firstList(plan: ErasurePlan, choice: ErasureSelection): ErasureList {
  const chosen = recordsOf(plan, choice);
  const list = { records: chosen, selected: new Set(chosen.map(({ key }) => key)) };
  return withPlan(list, plan);
}

/** The list with the candidates of a later plan at its end. Records keep their places and stay selected or not. */
export function withPlan(list: ErasureList, plan: ErasurePlan): ErasureList {
  const known = new Set(list.records.map(({ key }) => key));
  const found = plan.candidates
    .map(({ kind, id, name, face, why, score, band }) => ({
      key: `${kind} ${id}`,
      kind,
      id,
      name,
      face,
      because: { why, score, band },
    }))
    .filter(({ key }) => !known.has(key));
  return { ...list, records: [...list.records, ...found] };
}

export function withToggled(list: ErasureList, key: string): ErasureList {
  const selected = new Set(list.selected);
  if (!selected.delete(key)) selected.add(key);
  return { ...list, selected };
}

/** The request to erase. */
export function choiceOf({ records, selected }: ErasureList): ErasureSelection {
  const ids = (kind: ErasureRecord['kind']) =>
    records.filter((record) => record.kind === kind && selected.has(record.key)).map(({ id }) => id);
  return {
    validations: ids('validation').map(Number),
    faces: ids('face').map(Number),
    comparisons: ids('comparison').map(Number),
    photos: ids('photo').map((id) => {
      const [uploadId = '', index] = id.split(':');
      return { uploadId, index: Number(index) };
    }),
  };
}

/** Equal for equal choices. */
export function keyOf({ selected }: ErasureList): string {
  return [...selected].toSorted().join('\n');
}
