/** The installation: network access, recognition, places of files, backups, the audit log and the operating system. */
import { errors, errorsWith, type ErrorEntry } from './entries.ts';

export const INSTALLATION_ERRORS = {
  ...errors({
    // Why the service does not listen to other machines as asked.
    NETWORK_CERTIFICATE_UNREADABLE:
      'The certificate is not readable. Use a PEM file that starts with -----BEGIN CERTIFICATE----- and has the certificate of this machine first.',
    NETWORK_KEY_UNREADABLE:
      'The private key is not readable. Use a PEM file without a passphrase (openssl pkey -in KEY -out PLAIN removes it).',
    NETWORK_KEY_FOREIGN: 'The private key does not belong to the certificate. Use a matching pair.',
    NETWORK_CERTIFICATE_NAMES:
      'The certificate does not cover {{missing}}. It covers {{names}}. Use these names, or get a certificate for the missing ones.',
    NETWORK_CERTIFICATE_EXPIRED:
      'The certificate is valid from {{from}} to {{to}}, not now. Check the clock of this machine, or get another certificate.',
    NETWORK_OFF: 'Network access is off. Turn it on with: vouch network enable NAME',
    NETWORK_CERTIFICATE_OF_SITE:
      'The certificate was issued by your own certificate authority. Get a new one there, and use it with: vouch network enable {{names}} --certificate FILE --key FILE',
    NETWORK_PORT_TAKEN: 'Another program uses port {{port}}. Choose another port, or stop that program.',
    NETWORK_ADDRESS_FOREIGN:
      '{{address}} is not an address of this machine. Use one of its addresses (ip address), or 0.0.0.0 for all.',
    NETWORK_PORT_FORBIDDEN:
      'The service has no permission to listen on port {{port}}. Ports below 1024 are reserved for the system. Choose a higher port, such as 4611.',
    NETWORK_NOT_LISTENING: 'The service cannot listen at {{address}}, port {{port}}. {{cause}}',
    NETWORK_NOT_RESTORED:
      '{{cause}} Restoring the earlier settings also failed: {{again}} Network access is off now. Turn it on again after fixing this.',
    // The faults of a pipeline pack.
    PACK_CHANGED: 'The pack "{{name}}" was changed ({{found}} instead of {{expected}}).',
    PACK_NAME_INVALID:
      'The name of the folder must have lower-case letters, digits and hyphens only, at most 40.',
    PACK_NAME_BUILT_IN: 'This is the name of a built-in pipeline. Rename the folder.',
    PACK_NET_CHANGED:
      '{{file}} differs from the file that the manifest names: its SHA-256 is {{found}}, not {{expected}}.',
    PACK_MANIFEST_NOT_JSON: '{{file}} is not valid JSON.',
    PACK_MANIFEST_INVALID: '{{file}} lacks these entries, or their values are invalid: {{entries}}.',
    PACK_RATES_NOT_FALLING: 'The rates of the calibration must fall from one point to the next.',
    PACK_RATES_TOO_NARROW:
      'The rates of the calibration must reach from {{widest}} or more to {{rarest}} or less.',
    PACK_THRESHOLDS_NOT_STRICTER:
      'In the calibration, a lower rate of false matches must need a higher similarity (cosine) or a smaller distance (euclidean).',
    PACK_BYTES_SCALED: 'The manifest of a network that takes unchanged bytes must have no mean and no scale.',
    PACK_NET_UNREADABLE:
      '{{file}} cannot be loaded as an ONNX network. The log of the service has the cause.',
    PACK_NET_INPUT_INVALID:
      '{{file}} does not accept the input that the manifest names. The log of the service has the cause.',
    PACK_NET_WITHOUT_OUTPUT: '{{file}} has no output "{{output}}" of 32-bit floats.',
    PACK_NET_LENGTH_WRONG: '{{file}} returns {{found}} numbers per face, not {{expected}}.',
    PACK_UNKNOWN: 'There is no pipeline "{{name}}".',
    PACK_FILE_MISSING: '{{file}} is missing.',
    PACK_FILE_NOT_REGULAR:
      '{{file}} is a link, a folder or a device, or cannot be opened. Put the file itself into the folder of the pack.',
    PACK_FILE_TOO_LARGE:
      '{{file}} is larger than {{mebibytes}} MiB. Use a smaller network, or check that the file is the right one.',
    // Why a company's pipeline or thresholds are not changed as asked.
    PIPELINE_UNKNOWN: 'There is no pipeline "{{name}}". Available: {{known}}.',
    PIPELINE_SUPERSEDED: 'The pipeline was replaced by "{{successor}}". Choose that one.',
    PIPELINE_UNUSABLE:
      'The pipeline cannot be loaded. Check that it is installed, and read the log of the service.',
    THRESHOLDS_NOT_STRICT:
      'The pipeline {{pipeline}} has no strict thresholds. Calibrate on your own photos instead: vouch calibration measure',
    CALIBRATION_FULL: 'A calibration takes at most {{most}} photos.',
    CALIBRATION_MISLABELLED:
      'One photo is filed under two people. Nothing was changed. Correct the labels first.',
    CALIBRATION_TOO_FEW: 'There are too few photos for a calibration. Nothing was changed.',
    CALIBRATION_RUN_UNKNOWN: 'This calibration does not exist or has expired. Start again.',
    SIGNATURE_CALIBRATION_FULL:
      'A signature calibration takes at most {{most}} files and {{megabytes}} MiB. Choose fewer signatures for each writer.',
    SIGNATURE_CALIBRATION_CLOSED:
      'The signatures of this calibration are being compared already. Start a new calibration to add files.',
    SIGNATURE_CALIBRATION_MISLABELLED:
      'One file has two labels. Nothing was changed. Remove the wrong copy and start again.',
    SIGNATURE_CALIBRATION_UNFINISHED:
      'The signatures of this calibration are still being compared. Wait until all pairs are compared.',
    SIGNATURE_CALIBRATION_TOO_FEW: 'There are too few signatures for a calibration. Nothing was changed.',
    COMPANY_GONE: 'This company no longer exists.',
    // Why a folder cannot keep the images of a company.
    STORAGE_FOLDER_RELATIVE: 'Give the folder with its whole path.',
    STORAGE_FOLDER_UNUSABLE: 'The folder cannot be used. {{cause}} Choose another folder.',
    STORAGE_FOLDER_OF_SYSTEM:
      'The folder overlaps {{folder}}, which belongs to the operating system. Choose another folder.',
    STORAGE_FOLDER_OF_HOME:
      "The folder overlaps the data directory of Vouch ({{folder}}). Choose a folder outside it, or this company's own place: {{own}}",
    STORAGE_FOLDER_OF_IMAGES:
      "The folder overlaps the folder of all images ({{folder}}). Choose a folder outside it, or this company's own place: {{own}}",
    STORAGE_FOLDER_OF_COMPANY:
      'The folder overlaps {{folder}}, the storage folder of another company. Choose another folder.',
    STORAGE_FOLDER_OTHER_PLACE:
      'In the image store, the images of this company are kept in {{own}}. Give that place, or a folder.',
    STORAGE_FOLDER_NO_STORE:
      'This installation keeps images in folders. To keep them in an image store, start the service with --images and its address.',
    STORAGE_FOLDER_MARKED:
      'The folder belongs to another company or another installation of Vouch ({{marker}}). Choose another folder.',
    STORAGE_FOLDER_FOREIGN_IMAGES:
      'The folder holds images that this company does not know. Choose another folder.',
    STORAGE_FOLDER_ABSENT:
      'The storage folder {{folder}} is not in place: its marker file {{marker}} is missing. Mount its disk, or check the bucket and the prefix of --images. If the folder was moved, or the marker was lost, attach it: vouch company update "{{company}}" --storage FOLDER',
    STORAGE_FOLDER_EXCHANGED:
      'The folder {{folder}} belongs to another company or another installation of Vouch. Mount its disk, or check the bucket and the prefix of --images. Or attach the right folder: vouch company update "{{company}}" --storage FOLDER',
    STORAGE_FOLDER_AWAY: 'The storage folder cannot be used now. {{cause}}',
    STORAGE_MARKER_UNREADABLE: 'The marker file {{file}} cannot be read. {{cause}}',
    STORAGE_MARKER_DAMAGED:
      'The marker file {{marker}} in {{folder}} is damaged. Remove it, then attach the folder again: vouch company update NAME --storage FOLDER',
    IMAGES_ELSEWHERE:
      '{{location}} is not in the image store of this installation. Start the service with --images and the address of that store.',
    IMAGES_STORE_FAILED: 'The image store {{location}} did not carry out a request. It reports {{code}}.',
    IMAGES_BUCKET_KEEPS:
      'The bucket of {{location}} keeps old versions or locks objects, or did so before: an erased photo would stay in it. Nothing was changed. Create a bucket without versioning and without object lock.',
    // Why a backup of the dashboard failed.
    BACKUP_NOT_VERIFIED:
      'The written backup could not be read back, so it was removed. Check the drive, then start the backup again.',
    BACKUP_INTERRUPTED:
      'The service ended during the backup. The unfinished file was removed. Start the backup again.',
    BACKUP_FAILED: 'The backup failed. The log of the service has the details.',
    // How the first invalid entry of an audit log differs from what was written.
    AUDIT_MISSING: 'The entry is missing.',
    AUDIT_BEFORE_FIRST: 'The log has an entry before its first one.',
    AUDIT_CHANGED: 'The entry, or its hash, was changed.',
    AUDIT_NOT_AS_ANCHORED: 'This entry or an earlier one differs from the anchored copy.',
    AUDIT_ANCHOR_UNREADABLE:
      'The anchor that covers the entry cannot be read: line {{line}} of {{file}} is damaged.',
    AUDIT_ANCHORS_FALL:
      '{{file}} has an anchor of entry {{sequence}} behind one of entry {{before}}. The log was rolled back, or the file was rearranged.',
    AUDIT_TRUNCATED:
      'This entry and every later one are missing, although the log was anchored at entry {{anchored}}. The log was truncated or rolled back.',
    AUDIT_HEAD_MISSING: 'The head of the log is missing.',
    AUDIT_END_MISSING: 'The entry is missing: the log had {{entries}} entries.',
    AUDIT_UNSIGNED: 'The entry was added without a signature.',
    AUDIT_NOT_THE_HEAD: 'The head of the log names a different entry.',
    AUDIT_KEY_MISSING: 'The key that signs the head is missing.',
    AUDIT_HEAD_UNSIGNED: 'The head of the log is not signed with its key.',
    AUDIT_ANCHOR_FOREIGN:
      "The anchor is signed with a different key than this log's. Either the key or the anchor was replaced.",
    AUDIT_UNGUARDED: 'The triggers that refuse changes are gone.',
    // Causes that the operating system reports, each as one sentence after the sentence of what failed.
    SYSTEM_NOT_FOUND: 'There is no such file or folder.',
    SYSTEM_NOT_FOLDER: 'Part of the path is a file, not a folder.',
    SYSTEM_EXISTS: 'A file of that name exists already.',
    SYSTEM_IS_FOLDER: 'The path is a folder, not a file.',
    SYSTEM_FORBIDDEN: 'The account of the service has no permission.',
    SYSTEM_READ_ONLY: 'That disk can only be read.',
    SYSTEM_DISK_FULL: 'That disk is full.',
    SYSTEM_QUOTA_USED: 'The account of the service has used up its disk quota.',
    SYSTEM_DEVICE_FAILED: 'That disk or its network connection reports an error.',
    SYSTEM_DEVICE_GONE: 'That disk is not connected.',
    SYSTEM_FILES_EXHAUSTED: 'Too many files are open on this machine.',
    SYSTEM_CONNECTION_REFUSED: 'No program accepts the connection.',
    SYSTEM_CONNECTION_LOST: 'The connection was closed.',
    SYSTEM_NO_ANSWER: 'No answer came in time.',
    SYSTEM_UNREACHABLE: 'The network does not reach that address.',
    ANSWER_UNEXPECTED: 'The answer has the HTTP status {{status}}.',
    SYSTEM_OTHER: 'The operating system reports the error {{code}}.',
    CAUSE_IN_LOG: 'The log of the service has the cause.',
  }),
  ...errorsWith({ status: 409 })({
    // Why the dashboard makes no backup, or changes no key that opens them.
    BACKUP_NO_KEY: 'There is no backup key. Create the backup key first.',
    BACKUP_KEY_CHANGED:
      'Another backup key was created in the meantime. Check the fingerprint of the present key, then try again.',
    BACKUP_RUNNING: 'Another backup is in progress. Wait until it has finished, or cancel it.',
    BACKUP_OF_SERVER:
      'The rows of this installation are in a PostgreSQL database, which Vouch cannot copy. Back up that database with pg_dump or pgBackRest, the folder {{folder}}, which contains the store key, and the place of the photos: that folder, or what --images names.',
    BACKUP_PLACE_GONE: '{{place}} is not available. Connect the drive, or choose another place.',
    BACKUP_PLACE_UNWRITABLE:
      'The account that runs Vouch cannot write to {{place}}. Change the permissions, or choose another place.',
    BACKUP_PLACE_FULL:
      '{{place}} has {{free}} MiB free, and the backup needs about {{needed}} MiB. Free some space, or choose another place.',
  }),
  BACKUP_SEVERAL_COMPANIES: {
    text: 'This installation has several companies, and a backup contains all of them. The local administrator makes backups in a terminal: vouch backup FILE',
    status: 403,
  },
} as const satisfies Record<string, ErrorEntry>;
