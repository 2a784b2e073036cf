import { useRef, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readableImage } from '../../components/readableImage.ts';
import { cropAround, cropToJpeg } from '../../compare/crop.ts';
import { verificationAnswer } from '../../../core/contracts/dashboard/verifications.ts';
import { queryString, requestJson } from '../../api/client.ts';

/** The form as it is filled in. */
export interface VerificationDraft {
  flow: number | null;
  photo: File | null;
  name: string;
  reference: string;
}

/** Longest name and reference, characters. */
export const LONGEST_TEXT = 255;

const RUN = ['verification'];

/**
 * The form of a verification and the request that it makes. Each filled form has a key of its own, so that a repetition
 * of the same request, after a double click or a lost answer, makes one verification.
 */
export function useVerification(firstFlow: number | null) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<VerificationDraft>({
    flow: firstFlow,
    photo: null,
    name: '',
    reference: '',
  });
  const key = useRef('');
  const work = useMutation({
    mutationKey: RUN,
    mutationFn: async ({ flow, photo, name, reference }: VerificationDraft) => {
      if (flow === null || photo === null) throw new Error('The form has no Trust Flow or no photo.');
      if (key.current === '') key.current = crypto.randomUUID();
      const { file } = await readableImage(photo);
      return runVerification(file, { flow, name: name.trim(), reference: reference.trim() }, key.current);
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
  const found = work.data?.found ?? null;
  return {
    draft,
    change,
    ready:
      draft.flow !== null && draft.photo !== null && !work.isPending && (work.data?.refused ?? null) === null,
    run: () => {
      // A second click can arrive before the page shows that the first one has started the request.
      if (client.isMutating({ mutationKey: RUN }) === 0) work.mutate(draft);
    },
    pending: work.isPending,
    error: work.error,
    /** Why the service cannot use the photo. */
    refused: work.data?.refused ?? null,
    /** The faces of a photo that was refused; null: none were found. */
    found,
    /** Cuts the photo to one of its faces and runs the verification with that. */
    chooseFace: async (index: number) => {
      const face = found?.boxes[index];
      if (draft.photo === null || found === null || face === undefined) return;
      const { name } = draft.photo;
      const { file } = await readableImage(draft.photo);
      const others = [...found.boxes, ...found.unclear].filter((box) => box !== face);
      const cut = await cropToJpeg(file, cropAround(face, others, found), found, { face, others });
      const photo = new File([cut], name, { type: cut.type });
      change({ photo });
      work.mutate({ ...draft, photo });
    },
    validationId: work.data?.validationId ?? null,
    /** The same Trust Flow for another person. */
    next: () => change({ photo: null, name: '', reference: '' }),
  };
}
export type Verification = ReturnType<typeof useVerification>;

/**
 * Runs a verification with a photo. Repeat it with the same key after a lost answer: the service makes one verification.
 * @param key a UUID that belongs to this photo and these fields
 */
const runVerification = (
  photo: Blob,
  fields: { flow: number; name: string; reference: string },
  key: string,
) =>
  requestJson('POST', `/verifications${queryString(fields)}`, verificationAnswer, {
    body: photo,
    idempotencyKey: key,
  });
