/** One error of the catalogue. */
export interface ErrorEntry {
  /** The event and its remedy, in English; `{{name}}` stands for a parameter. */
  text: string;
  /** The HTTP status of an answer with this code; absent: 422 where a route answers with it. */
  status?: number;
  /** The remedy, where `text` does not state it. */
  remedy?: string;
  /** The text is part of the public interface and clients may compare it: do not reword. */
  frozen?: true;
}
