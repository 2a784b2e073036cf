import { create } from 'zustand';
import type { ErasureSelection } from '../../core/contracts/erasure.ts';
import { onSessionEnd } from './sessionReset.ts';

/** An erasure that an operator opened. */
export interface Erasing {
  /** Records of the person. */
  start: Partial<ErasureSelection>;
  /** Called after the erasure: the screen must not show the person any longer. */
  gone: () => void;
}

/** The open erasure. It is outside the screen, because the panel that opened it closes before the receipt is read. */
export const erasing = create<{ open: Erasing | null }>()(() => ({ open: null }));

onSessionEnd(() => erasing.setState({ open: null }));
