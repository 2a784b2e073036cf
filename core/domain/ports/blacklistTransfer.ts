/** The parts of the store that the exchange between installations uses. */
import type { BlacklistFields } from '../../contracts/blacklists.ts';
import type { FaceListing } from '../../contracts/faceListing.ts';
import type { Box, ImageFacts, ImageFormat, Point, Quality, Template } from '../../contracts/faces.ts';
import type { InstallationCertificate, InstallationView } from '../../contracts/blacklistTransfer.ts';
import type { BlacklistId, FaceId, ImageId, PipelineId } from '../../contracts/ids.ts';
import type { CasePackage, OpenedCase } from './casePackages.ts';
import type { AuditContext } from './auditContext.ts';
import type { WrittenImage } from './images.ts';

/** Another installation whose certificate was compared by people: lists are sealed for it and taken from it. */
export interface TrustedInstallation {
  id: number;
  name: string;
  /** 32 raw bytes each. */
  signingKey: Uint8Array;
  receivingKey: Uint8Array;
  trustedAt: Date;
}

/** The same face at every installation that it comes to, whichever way. */
export interface FaceOrigin {
  /** SHA-256 of the signing key of the installation that enrolled it, hex. */
  installation: string;
  /** The face's number there, and the beginning of its photo's SHA-256. */
  face: string;
}

/** Where the face is in its picture, as it is stored with it. */
export interface FacePlace {
  box: Box;
  eyes: readonly [Point, Point];
  confidence: number;
}

/** A face of a blacklist, with all that another installation needs to match it. */
export interface ListedFace {
  faceId: FaceId;
  /** null: it was enrolled here. */
  origin: FaceOrigin | null;
  name: string;
  place: FacePlace;
  quality: Quality;
  imageId: ImageId;
  /** Lowercase hex of the stored picture. */
  sha256: string;
  size: Pick<ImageFacts, 'width' | 'height'> | null;
  /** Those that can be compared; none where all are damaged. */
  templates: Template[];
  thumbnail: Uint8Array;
  listing: FaceListing;
}

/** A face of the company that came from another installation. */
export interface KnownFace {
  faceId: FaceId;
  blacklistId: BlacklistId;
  name: string;
  listing: FaceListing;
}

/** The change that an import makes to one face. */
export type IncomingFace =
  | {
      change: 'added';
      origin: FaceOrigin;
      name: string;
      place: FacePlace;
      quality: Quality;
      /** Of the stored picture, in which `place` is measured. */
      size: Pick<ImageFacts, 'width' | 'height'>;
      image: WrittenImage;
      template: Template;
      thumbnail: Uint8Array;
      listing: FaceListing;
    }
  | { change: 'renamed'; faceId: FaceId; name: string; before: string }
  | { change: 'held'; faceId: FaceId };

/** Names a list of an installation: what one import of it follows another by. */
export interface ListOrigin {
  /** SHA-256 of the sender's signing key, hex. */
  sender: string;
  /** The list's number there. */
  list: number;
}

export interface NewImport {
  origin: ListOrigin;
  /** The sender's name of the list. */
  originName: string;
  senderName: string;
  packageId: string;
  exportedAt: Date;
  target: { id: BlacklistId } | { fields: BlacklistFields };
  /** How many faces are added. */
  added: number;
  /** Read inside the transaction, once. */
  faces: AsyncIterable<IncomingFace>;
  pipeline: PipelineId;
}

/** This installation, as others know it. Both keys are raw: 32 bytes. */
export interface InstallationIdentity {
  name: string;
  /** Ed25519. */
  signingKey: Uint8Array;
  /** X25519. */
  receivingKey: Uint8Array;
}

/** The list of a package, as its sender has it. */
interface PackagedList {
  id: number;
  name: string;
  description: string | null;
}

interface PackagedPhoto {
  content: Uint8Array;
  format: ImageFormat;
  size: { width: number; height: number };
}

/** A face as it travels. */
export interface PackagedFace {
  origin: FaceOrigin;
  name: string;
  /** In the photo where there is one, else in the small picture. */
  place: FacePlace;
  quality: Quality;
  templates: Template[];
  /** A JPEG of the aligned face. */
  thumbnail: Uint8Array;
  photo: PackagedPhoto | null;
  /** As its sender lists it. */
  listing: FaceListing;
}

/** A transfer package that opens with the key of this installation. */
export interface OpenedPackage {
  /** As it is written there: true only after {@link faces} came to its end. */
  head: {
    packageId: string;
    exportedAt: string;
    sender: { name: string; signingKey: Uint8Array };
    list: PackagedList;
  };
  /**
   * Every face, one at a time, from the start.
   * @throws {CodedError} at the first byte that is not as the sender made it; the signature is checked at the end
   */
  faces(): AsyncIterable<PackagedFace>;
}

/** Transfer packages, and the keys of this installation that sign and open them. The keys are made at first use. */
export interface TransferPackages {
  identity(act: AuditContext): Promise<InstallationIdentity>;
  /** The signed certificate by which other installations come to know this one. */
  certificate(act: AuditContext): Promise<InstallationView>;
  /** @throws {CodedError} its signature is not that of its installation */
  readCertificate(certificate: InstallationCertificate): InstallationIdentity & { fingerprint: string };
  /** @param receiver X25519, 32 raw bytes. @param faces read once, one at a time */
  write(
    act: AuditContext,
    receiver: Uint8Array,
    list: PackagedList,
    faces: AsyncIterable<PackagedFace>,
  ): Promise<AsyncIterable<Uint8Array>>;
  /**
   * @param read the package from its first byte, as often as it is called
   * @throws {CodedError} no transfer package, for another installation, of a later format, or damaged
   */
  open(act: AuditContext, read: () => AsyncIterable<Uint8Array>): Promise<OpenedPackage>;
  /**
   * Checks the folder at once and encrypts it as it is read.
   * @param most bytes of its contents
   * @throws {CodedError} CASE_FOLDER_CHANGED: it is not as it was written; CASE_PACKAGE_TOO_LARGE
   */
  sealCase(
    act: AuditContext,
    receiver: Uint8Array,
    folder: CasePackage,
    most: number,
  ): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Reads a sealed case folder to its signature, and checks its chain and all that it holds.
   * @param most bytes of its contents
   * @throws {CodedError} no sealed case folder, for another installation, of a later format, damaged, too large, or not as it was written
   */
  openCase(act: AuditContext, source: AsyncIterable<Uint8Array>, most: number): Promise<OpenedCase>;
}

export interface SpooledPackage {
  id: string;
  read(): AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}
