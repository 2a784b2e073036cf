/**
 * Words that were replaced by the terms of docs/glossary.md, with what to write instead. Each is a regular expression; a
 * word that has an ordinary meaning too is not listed.
 */
export const RETIRED: readonly (readonly [word: string, instead: string])[] = [
  ['(Audit|Blacklist|Credential|Erasure|Flow|Lan|Operator|Pipeline)Desk', '…Service'],
  ['OperatorAtDesk', 'OperatorSummary'],
  ['[Oo]wnerDoor', 'AdminSocket'],
  ['LanDoor', 'NetworkListener'],
  ['ListExchange|OwnersExchange', 'BlacklistTransferService, BlacklistTransferCommands'],
  ['RefusalCounts', 'RejectionLogThrottle'],
  ['asOwner|byOwner', 'asLocalAdmin'],
  ['SwitchableGallery', 'GallerySwitch'],
  ['SiteRecognition', 'PipelineRegistry'],
  ['SiteCalibration', 'CompanyCalibration'],
  ['siteSettings|SiteSettings', 'installationSettings'],
  ['TrustedSite', 'TrustedInstallation'],
  ['Reembedding', 'TemplateMigration'],
  ['OfferedFolders', 'FolderGrants'],
  ['falseAlarmRate', 'falsePositiveIdentificationRate'],
  ['keepAnchored', 'anchorAndReport'],
  ['inWork', 'inProgress'],
  ['sealedStream|sealedFirst', 'age file, verifiedBeforeUse'],
  ['accepted_signature', 'replay_nonce'],
  ['template_refusal', 'extraction_failure'],
  ['site_key', 'installation_key'],
  ['wholeFile', 'atomicWrite'],
  ['givenFile', 'inputFile'],
  ['whenSomebodyLeaves', 'onSessionEnd'],
  ['speakPlainly', 'installZodMessages'],
  ['undo-import', 'revert-import'],
  [
    'vouch (lan|site|token|key|recovery-key) ',
    'vouch network, installation, api-token, signing-key, backup-key',
  ],
  ['test/(contract|hostile)/', 'test/api, test/security'],
];

/** Words that the English texts of the dashboard, the errors and the health checks do not use. */
export const RETIRED_IN_THE_INTERFACE: readonly (readonly [word: string, instead: string])[] = [
  ['the core', 'the Vouch service'],
  ['somebody|nobody|anybody', 'an operator, no operator, the actor by name'],
  ['in work', 'in progress, processing'],
  ['in force', 'active'],
  ['by itself', 'automatically'],
  ['the record', 'the audit log'],
  ['any more', 'no longer'],
  ['anew', 'again'],
  ['let in|shut out', 'network access'],
  ['taken back|put back|take it back', 'undone, restored'],
  ['strangers', 'other people, different people'],
  ['bundle', 'package'],
  ['mend', 'fix'],
  ['at the terminal', 'in a terminal'],
  ['recovery key', 'recovery code, backup key'],
  ['forged|forgery|forgeries|genuine', 'similarity only: an examiner decides'],
];
