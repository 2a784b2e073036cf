/** The installation: network access, recognition, places of files, backups, the audit log and the operating system. */
import type { ErrorEntry } from './api.ts';

export const INSTALLATION_ERRORS = {
  // Why the service does not listen to other machines as asked.
  NETWORK_CERTIFICATE_UNREADABLE: {
    text: 'The certificate is not readable. Use a PEM file that starts with -----BEGIN CERTIFICATE----- and has the certificate of this machine first.',
  },
  NETWORK_KEY_UNREADABLE: {
    text: 'The private key is not readable. Use a PEM file without a passphrase (openssl pkey -in KEY -out PLAIN removes it).',
  },
  NETWORK_KEY_FOREIGN: {
    text: 'The private key does not belong to the certificate. Use a matching pair.',
  },
  NETWORK_CERTIFICATE_NAMES: {
    text: 'The certificate does not cover {{missing}}. It covers {{names}}. Use these names, or get a certificate for the missing ones.',
  },
  NETWORK_CERTIFICATE_EXPIRED: {
    text: 'The certificate is valid from {{from}} to {{to}}, not now. Check the clock of this machine, or get another certificate.',
  },
  NETWORK_OFF: { text: 'Network access is off. Turn it on with: vouch network enable NAME' },
  NETWORK_CERTIFICATE_OF_SITE: {
    text: 'The certificate was issued by your own certificate authority. Get a new one there, and use it with: vouch network enable {{names}} --certificate FILE --key FILE',
  },
  NETWORK_PORT_TAKEN: {
    text: 'Another program uses port {{port}}. Choose another port, or stop that program.',
  },
  NETWORK_ADDRESS_FOREIGN: {
    text: '{{address}} is not an address of this machine. Use one of its addresses (ip address), or 0.0.0.0 for all.',
  },
  NETWORK_PORT_FORBIDDEN: {
    text: 'The service has no permission to listen on port {{port}}. Ports below 1024 are reserved for the system. Choose a higher port, such as 4611.',
  },
  NETWORK_NOT_LISTENING: {
    text: 'The service cannot listen at {{address}}, port {{port}}. {{cause}}',
  },
  NETWORK_NOT_RESTORED: {
    text: '{{cause}} Restoring the earlier settings also failed: {{again}} Network access is off now. Turn it on again after fixing this.',
  },
  // The faults of a pipeline pack.
  PACK_CHANGED: { text: 'The pack "{{name}}" was changed ({{found}} instead of {{expected}}).' },
  PACK_NAME_INVALID: {
    text: 'The name of the folder must have lower-case letters, digits and hyphens only, at most 40.',
  },
  PACK_NAME_BUILT_IN: { text: 'This is the name of a built-in pipeline. Rename the folder.' },
  PACK_NET_CHANGED: {
    text: '{{file}} differs from the file that the manifest names: its SHA-256 is {{found}}, not {{expected}}.',
  },
  PACK_MANIFEST_NOT_JSON: { text: '{{file}} is not valid JSON.' },
  PACK_MANIFEST_INVALID: { text: '{{file}} lacks these entries, or their values are invalid: {{entries}}.' },
  PACK_RATES_NOT_FALLING: { text: 'The rates of the calibration must fall from one point to the next.' },
  PACK_RATES_TOO_NARROW: {
    text: 'The rates of the calibration must reach from {{widest}} or more to {{rarest}} or less.',
  },
  PACK_THRESHOLDS_NOT_STRICTER: {
    text: 'In the calibration, a lower rate of false matches must need a higher similarity (cosine) or a smaller distance (euclidean).',
  },
  PACK_BYTES_SCALED: {
    text: 'The manifest of a network that takes unchanged bytes must have no mean and no scale.',
  },
  PACK_NET_UNREADABLE: {
    text: '{{file}} cannot be loaded as an ONNX network. The log of the service has the cause.',
  },
  PACK_NET_INPUT_INVALID: {
    text: '{{file}} does not accept the input that the manifest names. The log of the service has the cause.',
  },
  PACK_NET_WITHOUT_OUTPUT: { text: '{{file}} has no output "{{output}}" of 32-bit floats.' },
  PACK_NET_LENGTH_WRONG: { text: '{{file}} returns {{found}} numbers per face, not {{expected}}.' },
  PACK_UNKNOWN: { text: 'There is no pipeline "{{name}}".' },
  PACK_FILE_MISSING: { text: '{{file}} is missing.' },
  PACK_FILE_NOT_REGULAR: {
    text: '{{file}} is a link, a folder or a device, or cannot be opened. Put the file itself into the folder of the pack.',
  },
  PACK_FILE_TOO_LARGE: {
    text: '{{file}} is larger than {{mebibytes}} MiB. Use a smaller network, or check that the file is the right one.',
  },
  // Why a company's pipeline or thresholds are not changed as asked.
  PIPELINE_UNKNOWN: { text: 'There is no pipeline "{{name}}". Available: {{known}}.' },
  PIPELINE_SUPERSEDED: { text: 'The pipeline was replaced by "{{successor}}". Choose that one.' },
  PIPELINE_UNUSABLE: {
    text: 'The pipeline cannot be loaded. Check that it is installed, and read the log of the service.',
  },
  THRESHOLDS_NOT_STRICT: {
    text: 'The pipeline {{pipeline}} has no strict thresholds. Calibrate on your own photos instead: vouch calibration measure',
  },
  CALIBRATION_FULL: { text: 'A calibration takes at most {{most}} photos.' },
  CALIBRATION_MISLABELLED: {
    text: 'One photo is filed under two people. Nothing was changed. Correct the labels first.',
  },
  CALIBRATION_TOO_FEW: { text: 'There are too few photos for a calibration. Nothing was changed.' },
  CALIBRATION_RUN_UNKNOWN: { text: 'This calibration does not exist or has expired. Start again.' },
  SIGNATURE_CALIBRATION_FULL: {
    text: 'A signature calibration takes at most {{most}} files and {{megabytes}} MiB. Choose fewer signatures for each writer.',
  },
  SIGNATURE_CALIBRATION_CLOSED: {
    text: 'The signatures of this calibration are being compared already. Start a new calibration to add files.',
  },
  SIGNATURE_CALIBRATION_MISLABELLED: {
    text: 'One file has two labels. Nothing was changed. Remove the wrong copy and start again.',
  },
  SIGNATURE_CALIBRATION_UNFINISHED: {
    text: 'The signatures of this calibration are still being compared. Wait until all pairs are compared.',
  },
  SIGNATURE_CALIBRATION_TOO_FEW: {
    text: 'There are too few signatures for a calibration. Nothing was changed.',
  },
  COMPANY_GONE: { text: 'This company no longer exists.' },
  // Why a folder cannot keep the images of a company.
  STORAGE_FOLDER_RELATIVE: { text: 'Give the folder with its whole path.' },
  STORAGE_FOLDER_UNUSABLE: { text: 'The folder cannot be used. {{cause}} Choose another folder.' },
  STORAGE_FOLDER_OF_SYSTEM: {
    text: 'The folder overlaps {{folder}}, which belongs to the operating system. Choose another folder.',
  },
  STORAGE_FOLDER_OF_HOME: {
    text: "The folder overlaps the data directory of Vouch ({{folder}}). Choose a folder outside it, or this company's own place: {{own}}",
  },
  STORAGE_FOLDER_OF_IMAGES: {
    text: "The folder overlaps the folder of all images ({{folder}}). Choose a folder outside it, or this company's own place: {{own}}",
  },
  STORAGE_FOLDER_OF_COMPANY: {
    text: 'The folder overlaps {{folder}}, the storage folder of another company. Choose another folder.',
  },
  STORAGE_FOLDER_OTHER_PLACE: {
    text: 'In the image store, the images of this company are kept in {{own}}. Give that place, or a folder.',
  },
  STORAGE_FOLDER_NO_STORE: {
    text: 'This installation keeps images in folders. To keep them in an image store, start the service with --images and its address.',
  },
  STORAGE_FOLDER_MARKED: {
    text: 'The folder belongs to another company or another installation of Vouch ({{marker}}). Choose another folder.',
  },
  STORAGE_FOLDER_FOREIGN_IMAGES: {
    text: 'The folder holds images that this company does not know. Choose another folder.',
  },
  STORAGE_FOLDER_ABSENT: {
    text: 'The storage folder {{folder}} is not in place: its marker file {{marker}} is missing. Mount its disk, or check the bucket and the prefix of --images. If the folder was moved, or the marker was lost, attach it: vouch company update "{{company}}" --storage FOLDER',
  },
  STORAGE_FOLDER_EXCHANGED: {
    text: 'The folder {{folder}} belongs to another company or another installation of Vouch. Mount its disk, or check the bucket and the prefix of --images. Or attach the right folder: vouch company update "{{company}}" --storage FOLDER',
  },
  STORAGE_FOLDER_AWAY: { text: 'The storage folder cannot be used now. {{cause}}' },
  STORAGE_MARKER_UNREADABLE: { text: 'The marker file {{file}} cannot be read. {{cause}}' },
  STORAGE_MARKER_DAMAGED: {
    text: 'The marker file {{marker}} in {{folder}} is damaged. Remove it, then attach the folder again: vouch company update NAME --storage FOLDER',
  },
  IMAGES_ELSEWHERE: {
    text: '{{location}} is not in the image store of this installation. Start the service with --images and the address of that store.',
  },
  IMAGES_STORE_FAILED: {
    text: 'The image store {{location}} did not carry out a request. It reports {{code}}.',
  },
  IMAGES_BUCKET_KEEPS: {
    text: 'The bucket of {{location}} keeps old versions or locks objects, or did so before: an erased photo would stay in it. Nothing was changed. Create a bucket without versioning and without object lock.',
  },
  // Backups that the dashboard makes, and the key that opens them.
  BACKUP_NO_KEY: { text: 'There is no backup key. Create the backup key first.', status: 409 },
  BACKUP_KEY_CHANGED: {
    text: 'Another backup key was created in the meantime. Check the fingerprint of the present key, then try again.',
    status: 409,
  },
  BACKUP_RUNNING: {
    text: 'Another backup is in progress. Wait until it has finished, or cancel it.',
    status: 409,
  },
  BACKUP_SEVERAL_COMPANIES: {
    text: 'This installation has several companies, and a backup contains all of them. The local administrator makes backups in a terminal: vouch backup FILE',
    status: 403,
  },
  BACKUP_OF_SERVER: {
    text: 'The rows of this installation are in a PostgreSQL database, which Vouch cannot copy. Back up that database with pg_dump or pgBackRest, the folder {{folder}}, which contains the store key, and the place of the photos: that folder, or what --images names.',
    status: 409,
  },
  BACKUP_PLACE_GONE: {
    text: '{{place}} is not available. Connect the drive, or choose another place.',
    status: 409,
  },
  BACKUP_PLACE_UNWRITABLE: {
    text: 'The account that runs Vouch cannot write to {{place}}. Change the permissions, or choose another place.',
    status: 409,
  },
  BACKUP_PLACE_FULL: {
    text: '{{place}} has {{free}} MiB free, and the backup needs about {{needed}} MiB. Free some space, or choose another place.',
    status: 409,
  },
  BACKUP_NOT_VERIFIED: {
    text: 'The written backup could not be read back, so it was removed. Check the drive, then start the backup again.',
  },
  BACKUP_INTERRUPTED: {
    text: 'The service ended during the backup. The unfinished file was removed. Start the backup again.',
  },
  BACKUP_FAILED: { text: 'The backup failed. The log of the service has the details.' },
  // How the first invalid entry of an audit log differs from what was written.
  AUDIT_MISSING: { text: 'The entry is missing.' },
  AUDIT_BEFORE_FIRST: { text: 'The log has an entry before its first one.' },
  AUDIT_CHANGED: { text: 'The entry, or its hash, was changed.' },
  AUDIT_NOT_AS_ANCHORED: { text: 'This entry or an earlier one differs from the anchored copy.' },
  AUDIT_ANCHOR_UNREADABLE: {
    text: 'The anchor that covers the entry cannot be read: line {{line}} of {{file}} is damaged.',
  },
  AUDIT_ANCHORS_FALL: {
    text: '{{file}} has an anchor of entry {{sequence}} behind one of entry {{before}}. The log was rolled back, or the file was rearranged.',
  },
  AUDIT_TRUNCATED: {
    text: 'This entry and every later one are missing, although the log was anchored at entry {{anchored}}. The log was truncated or rolled back.',
  },
  AUDIT_HEAD_MISSING: { text: 'The head of the log is missing.' },
  AUDIT_END_MISSING: { text: 'The entry is missing: the log had {{entries}} entries.' },
  AUDIT_UNSIGNED: { text: 'The entry was added without a signature.' },
  AUDIT_NOT_THE_HEAD: { text: 'The head of the log names a different entry.' },
  AUDIT_KEY_MISSING: { text: 'The key that signs the head is missing.' },
  AUDIT_HEAD_UNSIGNED: { text: 'The head of the log is not signed with its key.' },
  AUDIT_ANCHOR_FOREIGN: {
    text: "The anchor is signed with a different key than this log's. Either the key or the anchor was replaced.",
  },
  AUDIT_UNGUARDED: { text: 'The triggers that refuse changes are gone.' },
  // Causes that the operating system reports, each as one sentence after the sentence of what failed.
  SYSTEM_NOT_FOUND: { text: 'There is no such file or folder.' },
  SYSTEM_NOT_FOLDER: { text: 'Part of the path is a file, not a folder.' },
  SYSTEM_EXISTS: { text: 'A file of that name exists already.' },
  SYSTEM_IS_FOLDER: { text: 'The path is a folder, not a file.' },
  SYSTEM_FORBIDDEN: { text: 'The account of the service has no permission.' },
  SYSTEM_READ_ONLY: { text: 'That disk can only be read.' },
  SYSTEM_DISK_FULL: { text: 'That disk is full.' },
  SYSTEM_QUOTA_USED: { text: 'The account of the service has used up its disk quota.' },
  SYSTEM_DEVICE_FAILED: { text: 'That disk or its network connection reports an error.' },
  SYSTEM_DEVICE_GONE: { text: 'That disk is not connected.' },
  SYSTEM_FILES_EXHAUSTED: { text: 'Too many files are open on this machine.' },
  SYSTEM_CONNECTION_REFUSED: { text: 'No program accepts the connection.' },
  SYSTEM_CONNECTION_LOST: { text: 'The connection was closed.' },
  SYSTEM_NO_ANSWER: { text: 'No answer came in time.' },
  SYSTEM_UNREACHABLE: { text: 'The network does not reach that address.' },
  ANSWER_UNEXPECTED: { text: 'The answer has the HTTP status {{status}}.' },
  SYSTEM_OTHER: { text: 'The operating system reports the error {{code}}.' },
  CAUSE_IN_LOG: { text: 'The log of the service has the cause.' },
} as const satisfies Record<string, ErrorEntry>;
