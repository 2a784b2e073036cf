import { useQuery } from '@tanstack/react-query';
import type { chosenAppearance } from '../../../core/contracts/dashboard/session.ts';
import type { z } from 'zod';
import { appearanceQuery } from '../../api/session.ts';
import { DEFAULT_LISTS, type ListChoice } from '../../../core/contracts/dashboard/lists.ts';

const listsOf = ({ appearance }: z.infer<typeof chosenAppearance>): ListChoice =>
  appearance?.lists ?? DEFAULT_LISTS;

/** The operator's own columns and saved views; those of a new operator until they are loaded. */
export function useListChoice(): ListChoice {
  return useQuery({ ...appearanceQuery, select: listsOf }).data ?? DEFAULT_LISTS;
}
