/** An image that was searched with: shown from the disk, kept nowhere. */
export interface Probe {
  file: File;
  url: string;
  /** Lowercase hex SHA-256, for the report. */
  sha256: string;
}
