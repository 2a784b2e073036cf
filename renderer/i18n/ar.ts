import type { en } from './en.ts';
export const ar: Partial<typeof en> = {};
