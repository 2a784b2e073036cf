/** Blacklists of other installations, and folders of photos. */
import { errors } from './entries.ts';

export const COMPANY_ERRORS = errors({
  // Refusals of blacklists between installations, at the terminal and in the dashboard.
  CASE_FOLDER_CHANGED:
    'Entry {{position}} of the case folder is not as it was written, or it is missing. Nothing was exported or stored. Check the case folder where it was exported, and restore a backup there.',
  CASE_PACKAGE_TOO_LARGE:
    'The contents of the case folder have more than {{mib}} MiB. Nothing was exported or opened. Divide it into several case folders, or let an administrator raise the setting maxCasePackageBytes.',
  BLACKLIST_UNKNOWN: 'There is no blacklist {{blacklist}} in this company.',
  INSTALLATION_NOT_TRUSTED:
    'The company does not trust the other installation. Add its installation certificate first: vouch installation trust',
  BLACKLIST_EMPTY: 'The blacklist "{{name}}" has no faces to export.',
  BLACKLIST_TOO_LARGE: 'The blacklist has {{faces}} faces. A package holds at most {{most}}. Split the list.',
  PACKAGE_TEMPLATES_DIFFER:
    'The package has templates of different lengths. Nothing was imported. Ask the sending installation for a new package.',
  PACKAGE_SENDER_UNKNOWN:
    'The package comes from an installation that this company does not trust. It calls itself "{{name}}". Nothing was changed. Ask for its installation certificate, compare the fingerprint, and trust it: vouch installation trust',
  PACKAGE_OLDER:
    'This package was exported at {{exported}}. A newer package of the same list ({{newer}}) was already imported, as import {{import}}. Nothing was changed. To import the older one, undo that import first.',
  PACKAGE_IMPORTED:
    'This package was already imported into blacklist {{blacklist}}, as import {{import}}. Nothing was changed. To import it into another list, undo that import first: vouch blacklist revert-import {{undo}}',
  PACKAGE_LIST_NAME_INVALID:
    'The name of the list is not allowed here. Import it into a list of this installation with --into.',
  PACKAGE_LIST_INACTIVE: 'Blacklist is inactive and accepts no new faces: "{{name}}". Activate it first.',
  PACKAGE_TOO_MANY_FACES:
    'The package has more than {{most}} faces. Nothing was changed. Ask for the list in parts.',
  PACKAGE_OTHER_PIPELINE:
    'The templates of {{faces}} faces come from another recognition pipeline than the active one ({{pipeline}}), and the package has no photos to re-create them from. Nothing was changed. Ask for the list with photos (vouch blacklist export --photos), or use the same pipeline on both installations (vouch pipeline use).',
  PACKAGE_SIGNATURE_WRONG:
    'The signature of the package does not belong to the installation that it names. Nothing was changed. Ask that installation for a new package.',
  PACKAGE_FACE_INVALID:
    'The {{part}} of face {{face}} in the package cannot be used: {{fault}}. Nothing was imported. Ask the sending installation for a new package.',
  PACKAGE_NOT_ONE:
    'This file is not a package made by Vouch of the kind that is opened here. Nothing was changed.',
  PACKAGE_FORMAT_NEWER:
    'This package has format {{format}}. This version of Vouch reads format {{known}}. Nothing was changed. Use a newer version.',
  PACKAGE_FOR_OTHER_INSTALLATION:
    'The package is encrypted for another installation. Nothing was changed. Send your installation certificate (vouch installation show) to the sender, and ask for a new package.',
  INSTALLATION_CERTIFICATE_OWN:
    'This installation certificate is your own. Use the certificate of the other installation.',
  INSTALLATION_NAME_TAKEN: 'Another installation is already named "{{name}}". Choose another name (--name).',
  PACKAGE_TOO_LARGE: 'The package is larger than {{gib}} GiB. Ask for the list in parts, or without photos.',
  PACKAGE_IMPORTING_ALREADY: 'This package is already being imported.',
  PACKAGE_IMPORTING: 'This package is being imported.',
  IMPORT_UNDONE: 'Import {{import}} was already undone.',
  INSTALLATION_CERTIFICATE_NOT_ONE:
    'This file is not an installation certificate. Create one at the other installation with: vouch installation show',
  INSTALLATION_CERTIFICATE_CHANGED:
    'The installation certificate was changed after it was created. Ask for the certificate again.',
  INSTALLATION_CERTIFICATE_FINGERPRINT_WRONG:
    'The installation certificate has the fingerprint {{fingerprint}}, which differs from the one you entered. Do not trust this certificate: it does not come from the installation that read the fingerprint out.',
  PACKAGE_FORM_UNKNOWN:
    'This version of Vouch does not support the format of the package. Nothing was changed. Update Vouch, or ask for a new package.',
  PACKAGE_MANIFEST_TOO_LARGE:
    'The manifest of the package is larger than {{kib}} KiB, and no version of Vouch writes such a package. Nothing was changed. Do not use this package; ask for a new one.',
  PACKAGE_DAMAGED:
    'The package is damaged: it was changed, truncated or not copied completely. Nothing was changed here. Copy it again.',
  PACKAGE_LIST_NAME_TAKEN:
    'A blacklist named "{{name}}" already exists. Nothing was changed. Import into it with --into, or rename it first.',
  PACKAGE_LIST_NAMED:
    'A blacklist named "{{name}}" already exists. Nothing was changed. Import into it with --into {{blacklist}}, or rename it first.',
  PACKAGE_OVERTAKEN:
    'The faces of the company changed while the package was read. Nothing was changed by the import. Import it again.',
  // Folders that the desktop offers and the service does not take.
  FOLDER_SIGNED_OUT: 'You are not signed in in this window. Sign in, then choose the folder again.',
  FOLDER_NOT_ALLOWED: 'Your role does not include enrolling photos. An administrator can change your role.',
  FOLDER_COMPANY_GONE: 'The company of this session no longer exists.',
  FOLDER_OF_VOUCH: 'This folder belongs to Vouch itself. Choose the folder that contains the photos.',
  FOLDER_TOO_LARGE:
    'This folder contains more than {{most}} files. Enrol its subfolders one by one, or use: vouch enroll',
  FOLDER_RELATIVE: 'The desktop window did not name a folder of this machine. Choose the folder again.',
  FOLDER_ABSENT: 'This folder no longer exists. Choose a folder again.',
  FOLDER_IS_FILE: 'This is a file, not a folder. Drop it as a photo, or choose the folder that contains it.',
  FOLDER_UNREADABLE:
    'The account that runs Vouch cannot read the folder. Change its permissions, or copy the folder.',
  FOLDER_SERVICE_SILENT: 'The Vouch service does not respond. Try again later.',
  // Why `vouch watch` sends no files.
  WATCH_SILENT: 'The service does not answer. vouch watch tries again.',
  WATCH_BATCH_RUNNING: 'The same batch is still being received. vouch watch tries again in {{seconds}} s.',
  WATCH_TOO_MANY: 'Too many requests. vouch watch tries again in {{seconds}} s.',
  WATCH_QUEUE: 'The enrolment queue is full or paused. vouch watch tries again in {{seconds}} s.',
  WATCH_ENDED:
    'vouch watch ended with an error. Read its message in the terminal, or in the log of its system service.',
});
