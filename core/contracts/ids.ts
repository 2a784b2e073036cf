/**
 * Identifiers, branded so that a company's id cannot be passed where a blacklist's is meant.
 * At run time they are plain numbers and strings; only the type system tells them apart.
 */
declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

export type CompanyId = Branded<number, 'CompanyId'>;
export type TrustFlowId = Branded<number, 'TrustFlowId'>;
export type TrustValidationId = Branded<number, 'TrustValidationId'>;
export type BlacklistId = Branded<number, 'BlacklistId'>;
/** One enrolled photo: in a blacklist it is what the service calls the "Blacklist Face Upload ID". */
export type FaceId = Branded<number, 'FaceId'>;
/** A batch of images; a UUID on the wire. */
export type UploadId = Branded<string, 'UploadId'>;
/** One image of a batch. Internal: on the wire an image is named by its index. */
export type UploadItemId = Branded<number, 'UploadItemId'>;
/** An encrypted image file. Internal; random, so that file names on disk say nothing. */
export type ImageId = Branded<string, 'ImageId'>;
/** A person who signs in to the dashboard. */
export type OperatorId = Branded<number, 'OperatorId'>;
/** Names the networks, their alignment, resampling and fusion: templates compare only within one. */
export type PipelineId = Branded<string, 'PipelineId'>;
