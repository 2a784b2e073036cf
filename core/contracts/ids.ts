/**
 * Identifiers, branded so that the id of a company cannot be passed where the id of a blacklist is meant. At run time they
 * are plain numbers and strings; only the type system distinguishes them. The schemas brand the ids of requests, the declarations of
 * `core/storage/engine/migrations` those of rows, and the functions at the end those that the program keeps by itself.
 */
import { z } from 'zod';

export const companyId = z.number().int().brand<'CompanyId'>();
export const trustFlowId = z.number().int().brand<'TrustFlowId'>();
export const trustValidationId = z.number().int().brand<'TrustValidationId'>();
export const blacklistId = z.number().int().brand<'BlacklistId'>();
export const faceId = z.number().int().brand<'FaceId'>();
export const uploadId = z.uuid().brand<'UploadId'>();
export const runId = z.uuid().toLowerCase().brand<'RunId'>();
export const imageId = z.string().brand<'ImageId'>();
export const pipelineId = z.string().brand<'PipelineId'>();

export type CompanyId = z.infer<typeof companyId>;
export type TrustFlowId = z.infer<typeof trustFlowId>;
export type TrustValidationId = z.infer<typeof trustValidationId>;
export type BlacklistId = z.infer<typeof blacklistId>;
/** One enrolled photo. In a blacklist the public interface calls it "Blacklist Face Upload ID". */
export type FaceId = z.infer<typeof faceId>;
/** A batch of images; a UUID on the wire. */
export type UploadId = z.infer<typeof uploadId>;
/** The uploads of one folder; a UUID on the wire. An upload that declares no run is a run of its own id. */
export type RunId = z.infer<typeof runId>;
/** An encrypted image file. Internal; random, so that file names on disk disclose nothing. */
export type ImageId = z.infer<typeof imageId>;
/** Names the networks, their alignment, resampling and fusion. Templates compare only within one pipeline. */
export type PipelineId = z.infer<typeof pipelineId>;

/** The ids of records in a path or a query: decimal digits on the wire. `1.0`, `1e0`, `0x1` and `01` are the id of nothing. */
const fromText = z.preprocess(
  (sent) => (typeof sent === 'string' && !/^[1-9]\d{0,14}$/.test(sent) ? undefined : sent),
  z.coerce.number().int().min(1),
);
export const pathId = {
  trustFlow: fromText.brand<'TrustFlowId'>(),
  trustValidation: fromText.brand<'TrustValidationId'>(),
  blacklist: fromText.brand<'BlacklistId'>(),
  face: fromText.brand<'FaceId'>(),
  uploadItem: fromText.brand<'UploadItemId'>(),
  operator: fromText.brand<'OperatorId'>(),
  duplicateRun: fromText.brand<'DuplicateRunId'>(),
  duplicateGroup: fromText.brand<'DuplicateGroupId'>(),
  person: fromText.brand<'PersonId'>(),
  personDecision: fromText.brand<'PersonDecisionId'>(),
  signatureSpecimen: fromText.brand<'SignatureSpecimenId'>(),
  examination: fromText.brand<'ExaminationId'>(),
  caseFolder: fromText.brand<'CaseFolderId'>(),
};
/** One image of a batch. Internal: on the wire its index names it. */
export type UploadItemId = z.infer<typeof pathId.uploadItem>;
/** A person who signs in to the dashboard. */
export type OperatorId = z.infer<typeof pathId.operator>;
/** A run that looks for near pairs among the enrolled faces. */
export type DuplicateRunId = z.infer<typeof pathId.duplicateRun>;
/** Enrolled faces that may show one person. */
export type DuplicateGroupId = z.infer<typeof pathId.duplicateGroup>;
/** Enrolled faces that operators decided to be of one human being. */
export type PersonId = z.infer<typeof pathId.person>;
/** A decision of an operator about such faces, or its undo. */
export type PersonDecisionId = z.infer<typeof pathId.personDecision>;
/** A known signature of a person, stored for later comparisons. */
export type SignatureSpecimenId = z.infer<typeof pathId.signatureSpecimen>;
/** The examination of two faces by one or two operators. */
export type ExaminationId = z.infer<typeof pathId.examination>;
/** A case folder, with what was put into it. */
export type CaseFolderId = z.infer<typeof pathId.caseFolder>;

/** An id that the program stored, bounds a range with, or has just created. Checks nothing: not for the input of a request. */
export const trusted = {
  company: (id: number) => id as CompanyId,
  operator: (id: number) => id as OperatorId,
  trustValidation: (id: number) => id as TrustValidationId,
  trustFlow: (id: number) => id as TrustFlowId,
  blacklist: (id: number) => id as BlacklistId,
  face: (id: number) => id as FaceId,
  person: (id: number) => id as PersonId,
  personDecision: (id: number) => id as PersonDecisionId,
  examination: (id: number) => id as ExaminationId,
  caseFolder: (id: number) => id as CaseFolderId,
  upload: (id: string) => id as UploadId,
  run: (id: string) => id as RunId,
  image: (id: string) => id as ImageId,
  pipeline: (id: string) => id as PipelineId,
};
