/** The browser's cameras: opened without sound, and what keeps one from being opened. */

/** Why there is no live picture. */
export type CameraProblem = 'insecure' | 'denied' | 'none' | 'busy' | 'lost';

/** The size that is asked for; a camera gives the nearest that it has. More pixels cost time and improve no template. */
const WANTED = { width: { ideal: 1280 }, height: { ideal: 720 } };

/** @param deviceId of one of several cameras; null: the one that the browser prefers. @throws {DOMException} */
export function openCamera(deviceId: string | null): Promise<MediaStream> {
  const video = { ...WANTED, ...(deviceId !== null && { deviceId: { exact: deviceId } }) };
  return navigator.mediaDevices.getUserMedia({ audio: false, video });
}

/** A page that was not loaded over HTTPS or from this computer has no cameras. */
export function hasCameras(): boolean {
  return window.isSecureContext && 'mediaDevices' in navigator;
}

/** The cameras of this machine; they have names only while one is open. */
export async function listCameras(): Promise<{ id: string; name: string }[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, name: label }));
}

export function problemOf(error: unknown): CameraProblem {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'none';
    default:
      return 'busy';
  }
}

export function stopCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/**
 * The present picture as the camera takes it, never mirrored.
 * @param quality of the JPEG, 0 to 1
 * @returns null while the camera shows no picture yet
 */
export async function takeFrame(video: HTMLVideoElement, quality: number): Promise<Blob | null> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0) return null;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw a camera frame.');
  context.drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}
