/** Where the window opens: where it was, if that place is still on a screen. */
import { z } from 'zod';

const place = z.object({
  width: z.number(),
  height: z.number(),
  x: z.number().optional(),
  y: z.number().optional(),
  /** It filled its screen; the rest is where it was before that. */
  maximised: z.boolean().optional(),
});
type Place = z.infer<typeof place>;

interface Size {
  width: number;
  height: number;
}
interface Area extends Size {
  x: number;
  y: number;
}

const FIRST_PLACE: Place = { width: 1440, height: 900 };

/** So much of the title bar must be on a screen that it can be taken hold of, pixels. */
const GRIP = 80;

/** @param kept whatever was kept. @returns what the first window has, where that is no place */
export function keptPlace(kept: unknown): Place {
  return place.safeParse(kept).data ?? FIRST_PLACE;
}

/** @param kept as it was at the last close. @param screens work areas of the screens there are now */
export function placeOn(kept: Place, screens: readonly Area[]): Size | Area {
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
