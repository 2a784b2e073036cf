/** One error of the catalogue. */
export interface ErrorEntry {
  /** What happened and what to do, in English; `{{name}}` stands for a parameter. */
  text: string;
  /** The HTTP status of an answer with this code; absent: 422 where a route answers with it. */
  status?: number;
  /** What to do, where `text` does not say it. */
  remedy?: string;
  /** The text is part of the public interface and clients may compare it: do not reword. */
  frozen?: true;
}
