import type { ErrorEntry } from './entry.ts';

/** Refusals of blacklists between sites, at the terminal and in the dashboard. */
export const TRANSFER_ERRORS = {
  BLACKLIST_UNKNOWN: { text: 'There is no blacklist {{blacklist}} in this company.' },
  SITE_NOT_TRUSTED: {
    text: 'There is no such site among those that are trusted. Take its card first: vouch installation trust',
  },
  BLACKLIST_EMPTY: { text: 'The blacklist "{{name}}" has no faces to export.' },
  BLACKLIST_TOO_LARGE: {
    text: 'The blacklist has {{faces}} faces, and a bundle takes at most {{most}}. Split the list.',
  },
  BUNDLE_TEMPLATES_DIFFER: {
    text: 'The bundle has templates of different lengths. Nothing was imported. Tell the site that sent it, and ask for a new bundle. ({{cause}})',
  },
  BUNDLE_SENDER_UNKNOWN: {
    text: 'The bundle comes from a site that this company does not trust; it calls itself "{{name}}". Nothing was touched. Ask it for its card, compare the fingerprint, and take it: vouch installation trust',
  },
  BUNDLE_OLDER: {
    text: 'This bundle was exported at {{exported}}, and a newer one of the same list ({{newer}}) was imported already, as import {{import}}. Nothing was touched; an older one is taken only after that import was taken back.',
  },
  BUNDLE_IMPORTED: {
    text: 'This bundle was imported already into blacklist {{blacklist}}, as import {{import}}. Nothing was changed. To import it into another list, take that import back first: vouch blacklist revert-import {{undo}}',
  },
  BUNDLE_LIST_NAME_INVALID: {
    text: 'The list has a name that cannot be used here. Import it into a list of this site with --into.',
  },
  BUNDLE_LIST_INACTIVE: {
    text: 'Blacklist is inactive and accepts no new faces: "{{name}}". Activate it first.',
  },
  BUNDLE_TOO_MANY_FACES: {
    text: 'The bundle has more than {{most}} faces. Nothing was touched; ask for the list in parts.',
  },
  BUNDLE_OTHER_PIPELINE: {
    text: '{{faces}} faces were described by another recognition pipeline than the one that serves this company ({{pipeline}}), and the bundle has no photos from which they could be described again. Nothing was touched. Ask for the list with photos (vouch blacklist export --photos), or use the same pipeline on both sites (vouch pipeline use).',
  },
  BUNDLE_SIGNATURE_WRONG: {
    text: 'The signature of the bundle is not that of the site it names. Nothing was touched; ask that site for a new one.',
  },
  BUNDLE_FACE_INVALID: {
    text: 'The {{part}} of face {{face}} in the bundle cannot be used: {{fault}}. Nothing was imported. Tell the site that sent it, and ask for a new bundle.',
  },
  BUNDLE_NOT_ONE: {
    text: 'This file is not a blacklist made by `vouch blacklist export`. Nothing was touched.',
  },
  BUNDLE_FORMAT_NEWER: {
    text: 'This bundle has format {{format}}, and this program reads format {{known}}: use a newer version. Nothing was touched.',
  },
  BUNDLE_FOR_OTHER_SITE: {
    text: 'The bundle is sealed for another site. Nothing was touched; send the other site the card of this one (vouch installation show) and ask for a new bundle.',
  },
  CARD_OWN: { text: 'This is the card of this site itself. Give the card of the other site.' },
  SITE_NAME_TAKEN: {
    text: 'Another site is called "{{name}}" already. Give this one another name (--name).',
  },
  BUNDLE_TOO_LARGE: {
    text: 'The bundle is larger than {{gib}} GiB. Ask for the list in parts, or without photos.',
  },
  BUNDLE_IMPORTING_ALREADY: { text: 'This bundle is being imported already.' },
  BUNDLE_IMPORTING: { text: 'This bundle is being imported.' },
  IMPORT_UNDONE: { text: 'Import {{import}} was taken back before.' },
  CARD_NOT_ONE: { text: 'This file is not the card of a site. Make one there with: vouch installation show' },
  CARD_CHANGED: { text: 'The card was changed since its site made it. Ask for it again.' },
  CARD_FINGERPRINT_WRONG: {
    text: 'The card has the fingerprint {{fingerprint}}, and not the one that was given. Whoever made this card is not the site that read it out: do not trust it.',
  },
  BUNDLE_FORM_UNKNOWN: {
    text: 'The bundle is of a form that this program does not know: update it, or ask for a new bundle. Nothing was touched.',
  },
  BUNDLE_DAMAGED: {
    text: 'The bundle is damaged: it is not as it was made (changed, cut off, or not wholly copied). Nothing was touched; copy it again.',
  },
  BUNDLE_LIST_NAME_TAKEN: {
    text: 'There is a blacklist named "{{name}}" here already. Nothing was touched. Import into it with --into, or rename it first.',
  },
  BUNDLE_LIST_NAMED: {
    text: 'There is a blacklist named "{{name}}" here already. Nothing was touched. Import into it with --into {{blacklist}}, or rename it first.',
  },
  BUNDLE_OVERTAKEN: {
    text: 'The faces of the company changed while the bundle was read. Nothing was touched; import it again.',
  },
} as const satisfies Record<string, ErrorEntry>;
