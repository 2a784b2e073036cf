/** How an operator arranges the lists of the dashboard: it goes with the operator to every browser. */
import { z } from 'zod';

/** Views that an operator can save. */
export const MAX_VIEWS = 20;

/** A saved view of the validations: the query of its address. It holds no typed text, because that can be a name. */
const savedView = z.object({
  name: z.string().trim().min(1).max(60),
  search: z.string().max(500),
});
export type SavedView = z.infer<typeof savedView>;

export const listChoice = z.object({
  /** Columns of the validations that are left out. */
  hiddenColumns: z.array(z.string().max(40)).max(30),
  views: z.array(savedView).max(MAX_VIEWS),
});
export type ListChoice = z.infer<typeof listChoice>;

export const DEFAULT_LISTS: ListChoice = { hiddenColumns: ['finalized', 'hits'], views: [] };
