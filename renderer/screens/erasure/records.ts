import type { ErasureCandidate, ErasurePlan, ErasureSelection } from '../../../core/contracts/erasure.ts';

/** One thing in the list of an erasure: it is selected or not, and keeps its place. */
export interface ErasureRecord extends Pick<ErasureCandidate, 'kind' | 'id' | 'name' | 'face'> {
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
