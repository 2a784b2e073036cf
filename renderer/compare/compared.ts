import type { ReactNode } from 'react';

export interface ComparedImage {
  /** Tells one image from another while they change places. */
  key: string;
  url: string | null;
  alt: string;
  width: number;
  height: number;
  eyes: readonly [{ x: number; y: number }, { x: number; y: number }] | null;
}

export interface ComparedFact {
  label: string;
  values: readonly [ReactNode, ReactNode];
}
