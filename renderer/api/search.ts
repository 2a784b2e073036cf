import { searchAnswer } from '../../core/contracts/dashboard/search.ts';
import { ask } from './client.ts';

/** Looks up every face of an image. Nothing is enrolled and the image is kept nowhere. */
export function searchImage(image: File, signal: AbortSignal) {
  return ask('POST', '/search', searchAnswer, { body: image, signal });
}
