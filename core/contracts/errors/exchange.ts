import type { ErrorEntry } from './entry.ts';

/** Refusals of blacklists between sites, at the terminal and in the dashboard. */
export const TRANSFER_ERRORS = {
  BLACKLIST_UNKNOWN: { text: 'There is no blacklist {{blacklist}} in this company.' },
  SITE_NOT_TRUSTED: {
    text: 'This site is not trusted. Add its site card first: vouch installation trust',
  },
  BLACKLIST_EMPTY: { text: 'The blacklist "{{name}}" has no faces to export.' },
  BLACKLIST_TOO_LARGE: {
    text: 'The blacklist has {{faces}} faces. A package holds at most {{most}}. Split the list.',
  },
  BUNDLE_TEMPLATES_DIFFER: {
    text: 'The package has templates of different lengths. Nothing was imported. Ask the sending site for a new package. ({{cause}})',
  },
  BUNDLE_SENDER_UNKNOWN: {
    text: 'The package comes from a site that this company does not trust. It calls itself "{{name}}". Nothing was changed. Ask for its site card, compare the fingerprint, and trust it: vouch installation trust',
  },
  BUNDLE_OLDER: {
    text: 'This package was exported at {{exported}}. A newer package of the same list ({{newer}}) was already imported, as import {{import}}. Nothing was changed. To import the older one, undo that import first.',
  },
  BUNDLE_IMPORTED: {
    text: 'This package was already imported into blacklist {{blacklist}}, as import {{import}}. Nothing was changed. To import it into another list, undo that import first: vouch blacklist revert-import {{undo}}',
  },
  BUNDLE_LIST_NAME_INVALID: {
    text: 'The name of the list is not allowed here. Import it into a list of this site with --into.',
  },
  BUNDLE_LIST_INACTIVE: {
    text: 'Blacklist is inactive and accepts no new faces: "{{name}}". Activate it first.',
  },
  BUNDLE_TOO_MANY_FACES: {
    text: 'The package has more than {{most}} faces. Nothing was changed. Ask for the list in parts.',
  },
  BUNDLE_OTHER_PIPELINE: {
    text: 'The templates of {{faces}} faces come from another recognition pipeline than the active one ({{pipeline}}), and the package has no photos to re-create them from. Nothing was changed. Ask for the list with photos (vouch blacklist export --photos), or use the same pipeline on both sites (vouch pipeline use).',
  },
  BUNDLE_SIGNATURE_WRONG: {
    text: 'The signature of the package does not belong to the site that it names. Nothing was changed. Ask that site for a new package.',
  },
  BUNDLE_FACE_INVALID: {
    text: 'The {{part}} of face {{face}} in the package cannot be used: {{fault}}. Nothing was imported. Ask the sending site for a new package.',
  },
  BUNDLE_NOT_ONE: {
    text: 'This file is not a package made by `vouch blacklist export`. Nothing was changed.',
  },
  BUNDLE_FORMAT_NEWER: {
    text: 'This package has format {{format}}. This version of Vouch reads format {{known}}. Nothing was changed. Use a newer version.',
  },
  BUNDLE_FOR_OTHER_SITE: {
    text: 'The package is encrypted for another site. Nothing was changed. Send your site card (vouch installation show) to the sender, and ask for a new package.',
  },
  CARD_OWN: { text: 'This is the site card of this site. Use the card of the other site.' },
  SITE_NAME_TAKEN: {
    text: 'Another site is already named "{{name}}". Choose another name (--name).',
  },
  BUNDLE_TOO_LARGE: {
    text: 'The package is larger than {{gib}} GiB. Ask for the list in parts, or without photos.',
  },
  BUNDLE_IMPORTING_ALREADY: { text: 'This package is already being imported.' },
  BUNDLE_IMPORTING: { text: 'This package is being imported.' },
  IMPORT_UNDONE: { text: 'Import {{import}} was already undone.' },
  CARD_NOT_ONE: {
    text: 'This file is not a site card. Create one at the other site with: vouch installation show',
  },
  CARD_CHANGED: { text: 'The site card was changed after its site created it. Ask for the card again.' },
  CARD_FINGERPRINT_WRONG: {
    text: 'The site card has the fingerprint {{fingerprint}}, which differs from the one you entered. Do not trust this card: it does not come from the site that read the fingerprint out.',
  },
  BUNDLE_FORM_UNKNOWN: {
    text: 'This version of Vouch does not support the format of the package. Nothing was changed. Update Vouch, or ask for a new package.',
  },
  BUNDLE_DAMAGED: {
    text: 'The package is damaged: it was changed, truncated or not copied completely. Nothing was changed here. Copy it again.',
  },
  BUNDLE_LIST_NAME_TAKEN: {
    text: 'A blacklist named "{{name}}" already exists. Nothing was changed. Import into it with --into, or rename it first.',
  },
  BUNDLE_LIST_NAMED: {
    text: 'A blacklist named "{{name}}" already exists. Nothing was changed. Import into it with --into {{blacklist}}, or rename it first.',
  },
  BUNDLE_OVERTAKEN: {
    text: 'The faces of the company changed while the package was read. Nothing was changed by the import. Import it again.',
  },
} as const satisfies Record<string, ErrorEntry>;
