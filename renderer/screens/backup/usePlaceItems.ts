import { useTranslation } from 'react-i18next';
import type { BackupPlace } from '../../../core/contracts/dashboard/backups.ts';
import { useFormats } from '../../i18n/format.ts';

/** The places of a select, each with its kind and free space. @param chosen is listed although it is not available now */
export function usePlaceItems(places: readonly BackupPlace[], chosen?: string) {
  const { t } = useTranslation();
  const { bytes } = useFormats();
  const items = places.map(({ path, kind, freeBytes, writable }) => ({
    value: path,
    label:
      freeBytes === null || !writable
        ? t('backups.placeUnusable', { path })
        : t(`backups.place_${kind}`, { path, free: bytes(freeBytes) }),
  }));
  return chosen === undefined || items.some(({ value }) => value === chosen)
    ? items
    : [{ value: chosen, label: t('backups.placeUnusable', { path: chosen }) }, ...items];
}

/** The place that is offered first: one that the service can write to, if there is one. */
export function firstPlace(places: readonly BackupPlace[]): string | undefined {
  const usable = places.find(({ freeBytes, writable }) => freeBytes !== null && writable);
  return (usable ?? places[0])?.path;
}
