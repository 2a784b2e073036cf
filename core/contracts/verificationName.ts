/**
 * The name of a verification whose client sent none.
 * @param id number of the Trust Validation
 */
export function verificationName(id: number): string {
  return `Verification ${id}`;
}
