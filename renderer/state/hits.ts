import { create } from 'zustand';
import type { NewHit } from '../../core/contracts/dashboard/validations.ts';

interface Hits {
  /** Hits that the operator has neither opened nor dismissed; oldest first. */
  pending: readonly NewHit[];
  add: (hits: readonly NewHit[]) => void;
  /** Removes the hit of a validation that the operator opened. */
  opened: (validation: number) => void;
  dismiss: () => void;
}

/** Hits on blacklists that arrived while this window was open. */
export const hitStore = create<Hits>()((set) => ({
  pending: [],
  add: (hits) => set(({ pending }) => ({ pending: [...pending, ...hits] })),
  opened: (validation) =>
    set(({ pending }) =>
      pending.some((hit) => hit.validation === validation)
        ? { pending: pending.filter((hit) => hit.validation !== validation) }
        : { pending },
    ),
  dismiss: () => set({ pending: [] }),
}));
