export { openGallery, type Gallery } from './siteGallery.ts';
