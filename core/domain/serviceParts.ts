import type { Storage } from '../storage/index.ts';
import type { CryptoPort } from './ports/crypto.ts';
import type { GalleryPort } from './ports/gallery.ts';
import type { ImageFiles } from './ports/images.ts';
import type { Clock, Logger, Timer } from './ports/machine.ts';
import type { RecognitionPort } from './ports/recognition.ts';
import type { SignaturePort } from './ports/signatures.ts';

/** The parts that services use, by name: the store, the platform and the workers. */
export interface Parts extends Omit<Storage, 'images'> {
  crypto: CryptoPort;
  clock: Clock;
  timer: Timer;
  log: Logger;
  images: ImageFiles;
  vision: RecognitionPort;
  signatures: SignaturePort;
  gallery: GalleryPort;
}

/** The operations of a capability, over the parts that it uses. */
export abstract class Service<Ports> {
  protected readonly ports: Ports;

  constructor(ports: Ports) {
    this.ports = ports;
  }
}
