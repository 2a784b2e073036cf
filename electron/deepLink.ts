/** `vouch://validation/7` opens that validation. Every other link of the scheme is ignored. */

const LINK = /^vouch:\/\/(validation|review)\/(\d{1,15})\/?$/;
const SCREENS = { validation: 'validations', review: 'review' } as const;

/** The scheme for which the desktop program registers. */
export const SCHEME = 'vouch';

/** @returns the path of the screen, e.g. `/validations/7`; undefined where the link names none */
export function screenOf(link: string): string | undefined {
  const match = LINK.exec(link);
  if (match === null) return undefined;
  return `/${SCREENS[match[1] as keyof typeof SCREENS]}/${Number(match[2])}`;
}

/** The link among the arguments that a second start was given. */
export function linkIn(parameters: readonly string[]): string | undefined {
  return parameters.find((one) => one.startsWith(`${SCHEME}:`));
}
