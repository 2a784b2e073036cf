/** Live checks of a camera's frames, and the faces of a photo. Nothing of either is stored. */
import { z } from 'zod';
import { FAILURE_CODES } from '../errors/failures.ts';

const refusals = z.array(z.enum(FAILURE_CODES));

/** Largest frame, bytes: a full-HD picture of good quality has about a tenth of it. */
export const FRAME_BYTES = 4 * 1024 * 1024;

/**
 * `POST /camera/frames`: the body is one frame, a JPEG. Answers every reason against enrolling it, the most important
 * first; none: the frame can be enrolled. 429 while a frame of the same operator is being checked, and while frames
 * occupy their share of the workers.
 */
export const frameCheck = z.object({ refusals });
