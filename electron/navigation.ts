/** Restricts navigation of the window to its own service. */

/** @param address of the running service, e.g. http://127.0.0.1:4610 */
export function mayNavigate(target: string, address: string | undefined): boolean {
  if (address === undefined || !URL.canParse(target)) return false;
  const url = new URL(target);
  return url.origin === new URL(address).origin && url.username === '' && url.password === '';
}
