/** Numbers from 0 to 1, the same in every run on the same data: xorshift with 13, 17, 5 (Marsaglia 2003). */
export function repeatable(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
