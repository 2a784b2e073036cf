import type { ReactNode } from 'react';
import type { Size } from './geometry.ts';

export interface ComparedImage {
  /** Tells one image from another while they change places. */
  key: string;
  url: string | null;
  alt: string;
  width: number;
  height: number;
  eyes: readonly [{ x: number; y: number }, { x: number; y: number }] | null;
  /** Laid over another image: shown in that one's frame, through this affine map of its pixels. */
  laid?: { frame: Size; map: readonly number[] } | undefined;
}

/** Two faces, two other images, or two images that are overlaid in one pane. */
export type ComparedKind = 'faces' | 'pair' | 'one';

export interface ComparedFact {
  label: string;
  values: readonly [ReactNode, ReactNode];
}
