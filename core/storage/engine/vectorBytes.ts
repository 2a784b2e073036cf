/** Templates as the database has them: float32 components, one after the other. */

/** Every platform the product ships for is little-endian, so the bytes are the vector. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/**
 * Copies, because the driver's buffer need not be aligned for floats. Bytes that are no whole number of components give
 * an empty vector, which no check accepts.
 */
export function toVector(bytes: Uint8Array): Float32Array {
  const whole = bytes.length % Float32Array.BYTES_PER_ELEMENT === 0;
  return whole ? new Float32Array(new Uint8Array(bytes).buffer) : new Float32Array();
}
