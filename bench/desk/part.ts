/** One part of the measurement `desk`. */
export interface Part {
  title: string;
  /** @returns Markdown: tables, and sentences that say how to read them */
  measure(options: DeskOptions): Promise<string>;
}

export interface DeskOptions {
  /** Only every so many-th input is used. */
  every: number;
  /** A folder outside the repository for pictures of the inputs that failed, ten of each kind. */
  pictures: string;
}
