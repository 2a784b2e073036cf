export { openGallery, type Gallery } from './installationGallery.ts';
