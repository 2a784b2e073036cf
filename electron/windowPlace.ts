/** Where the window opens: where it was, if that place is still on a screen. */

export interface Place {
  width: number;
  height: number;
  x?: number;
  y?: number;
}
type Area = Required<Place>;

/** So much of the title bar must be on a screen that it can be taken hold of, pixels. */
const GRIP = 80;

/** @param kept as it was at the last close. @param screens work areas of the screens there are now */
export function placeOn(kept: Place, screens: readonly Area[]): Place {
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
