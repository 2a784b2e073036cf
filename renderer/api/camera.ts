import { frameCheck } from '../../core/contracts/dashboard/camera.ts';
import { requestJson } from './client.ts';

/** Checks a frame of the camera as enrolment would. The service stores nothing of it. */
export const checkFrame = (frame: Blob, signal: AbortSignal) =>
  requestJson('POST', '/camera/frames', frameCheck, { body: frame, signal });
