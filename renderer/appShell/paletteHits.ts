/** The hits of a search in the command palette, as plain functions. */
import type { z } from 'zod';
import type { findAnswer } from '../../core/contracts/dashboard/paletteSearch.ts';

export type PaletteAnswer = z.infer<typeof findAnswer>;

/** A search of the palette at one moment. */
export interface PaletteSearch {
  /** As typed. */
  query: string;
  /** The text that was sent to the service: the query once no key came for a moment. */
  sent: string;
  /** The newest answer; it may be that of an earlier text. */
  answer: PaletteAnswer | undefined;
  /** The answer is that of an earlier text. */
  isEarlier: boolean;
  failed: boolean;
}

/**
 * - `idle`: nothing was typed.
 * - `failed`: the service did not answer.
 * - `searching`: no answer yet.
 * - `stale`: the answer of the letters before. Hits that also hold the letters typed since stay in sight.
 * - `partial`: the service searched its newest entries only.
 */
export type PalettePhase = 'idle' | 'failed' | 'searching' | 'stale' | 'partial' | 'complete';

export function palettePhase({ query, sent, answer, isEarlier, failed }: PaletteSearch): PalettePhase {
  const text = query.trim();
  if (text === '') return 'idle';
  if (failed) return 'failed';
  if (answer === undefined) return 'searching';
  if (text !== sent || isEarlier) return 'stale';
  return answer.partial ? 'partial' : 'complete';
}

/** A hit and where it leads. `kind` decides how it is drawn. */
export type PaletteHit = { id: string; path: string } & (
  | { kind: 'validation'; of: PaletteAnswer['validations'][number] }
  | { kind: 'person'; of: PaletteAnswer['persons'][number] }
  | { kind: 'face'; of: PaletteAnswer['faces'][number] }
  | { kind: 'upload'; of: PaletteAnswer['uploads'][number] }
  | { kind: 'comparison'; of: PaletteAnswer['comparisons'][number] }
);

/** The hits of a search that are shown, by kind, in the order of the groups. */
export function paletteHits(search: PaletteSearch): PaletteHit[][] {
  const { answer } = search;
  const phase = palettePhase(search);
  if (answer === undefined || phase === 'idle' || phase === 'failed') return [];
  return [
    answer.validations.map((of) => ({
      kind: 'validation',
      id: `validation-${of.id}`,
      path: `/validations/${of.id}`,
      of,
    })),
    answer.persons.map((of) => ({ kind: 'person', id: `person-${of.id}`, path: `/persons/${of.id}`, of })),
    answer.faces.map((of) => ({
      kind: 'face',
      id: `face-${of.id}`,
      path: `/company/internal-biometrics/${of.blacklistId}?face=${of.id}`,
      of,
    })),
    answer.uploads.map((of) => ({
      kind: 'upload',
      id: `upload-${of.uploadId}`,
      path: `/enrol/uploads/${of.uploadId}`,
      of,
    })),
    answer.comparisons.map((of) => ({
      kind: 'comparison',
      id: `comparison-${of.id}`,
      path: `/signatures/history/${of.id}`,
      of,
    })),
  ];
}
