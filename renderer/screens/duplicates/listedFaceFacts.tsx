import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ListedFace } from '../../../core/contracts/dashboard/duplicates.ts';
import type { ComparedFact } from '../../compare/compared.ts';

/** Where each of two enrolled faces is from, and the person that it belongs to. */
export function useListedFaceFacts(): (pair: readonly [ListedFace, ListedFace]) => ComparedFact[] {
  const { t } = useTranslation();
  const list = ({ blacklist }: ListedFace) => blacklist?.name ?? t('duplicates.mainList');
  const source = ({ source: from, runName }: ListedFace) =>
    runName === null
      ? t(`duplicates.source_${from}`)
      : t('duplicates.sourceFolder', { source: t(`duplicates.source_${from}`), folder: runName });
  const validation = ({ trustValidationId: id }: ListedFace) =>
    id === null ? '–' : <Link to={`/validations/${id}`}>{id}</Link>;
  const person = ({ person: of }: ListedFace) =>
    of === null ? '–' : <Link to={`/persons/${of.id}`}>{of.name}</Link>;
  return ([first, second]) => [
    { label: t('facts.name'), values: [first.name, second.name] },
    { label: t('duplicates.inList'), values: [list(first), list(second)] },
    { label: t('duplicates.source'), values: [source(first), source(second)] },
    { label: t('validations.validationId'), values: [validation(first), validation(second)] },
    ...(first.person === null && second.person === null
      ? []
      : [{ label: t('facts.person'), values: [person(first), person(second)] as const }]),
  ];
}
