/** The bounds with which the window opens: those of the last close, if a display still shows them. */
import { z } from 'zod';

const savedBounds = z.object({
  width: z.number(),
  height: z.number(),
  x: z.number().optional(),
  y: z.number().optional(),
  /** The window was maximised; the other values are its bounds before that. */
  maximised: z.boolean().optional(),
});
type WindowBounds = z.infer<typeof savedBounds>;

interface Size {
  width: number;
  height: number;
}
interface Area extends Size {
  x: number;
  y: number;
}

const DEFAULT_BOUNDS: WindowBounds = { width: 1440, height: 900 };

/** Width and height of the title bar, in pixels, that a display must show so that the pointer can reach it. */
const GRIP = 80;

/** @param kept the stored value, which can be anything. @returns the default bounds where it is invalid */
export function restoredBounds(kept: unknown): WindowBounds {
  return savedBounds.safeParse(kept).data ?? DEFAULT_BOUNDS;
}

/** @param kept bounds at the last close. @param screens work areas of the present displays. @returns without a position where no display shows it */
export function boundsOnDisplays(kept: WindowBounds, screens: readonly Area[]): Size | Area {
  const { width, height, x, y } = kept;
  if (x === undefined || y === undefined) return { width, height };
  const reachable = screens.some(
    (screen) =>
      x + width - GRIP >= screen.x &&
      x + GRIP <= screen.x + screen.width &&
      y >= screen.y &&
      y + GRIP <= screen.y + screen.height,
  );
  return reachable ? { width, height, x, y } : { width, height };
}
