import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { compareFaces, FACE_COMPARISONS } from '../../api/faceComparisons.ts';
import { readableImage } from '../../components/readableImage.ts';
import { dataUriOf } from '../../components/dataUri.ts';
import { imageKind } from '../../components/imageKind.ts';

export type Which = 0 | 1;
type Both<T> = readonly [T, T];
/** Positions of the chosen faces; null: the service chooses the only face. */
type ChosenFaces = Both<number | null>;

const NO_PHOTOS: Both<File | null> = [null, null];
const NO_FACES: ChosenFaces = [null, null];

/** The group under which comparisons of this screen are kept. */
const GROUP = 'faces';

/** Two photos, the faces that were chosen in them, and the request that compares them. */
export function useFacePair() {
  const client = useQueryClient();
  const [photos, setPhotos] = useState(NO_PHOTOS);
  const [reference, setReference] = useState('');
  const work = useMutation({
    mutationFn: async ({ pair, chosen }: { pair: Both<File>; chosen: ChosenFaces }) => {
      return compareFaces({
        ...(await imagesOf(pair)),
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
export type FacePair = ReturnType<typeof useFacePair>;

/** Both photos as the interface takes them. */
export async function imagesOf([first, second]: Both<File>): Promise<{ image1: string; image2: string }> {
  const [image1, image2] = await Promise.all([asDataUri(first), asDataUri(second)]);
  return { image1, image2 };
}

async function asDataUri(photo: File): Promise<string> {
  const { file } = await readableImage(photo);
  return dataUriOf({ file, kind: (await imageKind(file)) ?? 'image/jpeg' });
}
