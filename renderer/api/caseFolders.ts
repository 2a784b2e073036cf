import { caseFolderApi, type NewCaseItem } from '../../core/contracts/dashboard/caseFolders.ts';
import { ask, readQuery, requestFile } from './client.ts';

/** The keys begin with the topic that the service reports changes of case folders by. */
const CASE_FOLDERS = ['duplicates', 'caseFolders'];
export const caseFoldersQuery = readQuery([...CASE_FOLDERS, 'list'], caseFolderApi.list);
export const caseFolderQuery = (id: number) =>
  readQuery([...CASE_FOLDERS, id], caseFolderApi.read, { params: { id } });

export const openCaseFolder = (body: { reference: string; title: string; note: string }) =>
  ask(caseFolderApi.open, { body });

export const addToCaseFolder = (id: number, body: NewCaseItem) =>
  ask(caseFolderApi.add, { params: { id }, body });

export const removeFromCaseFolder = (id: number, body: { position: number; reason: string }) =>
  ask(caseFolderApi.remove, { params: { id }, body });

export const setCaseFolderState = (id: number, state: 'open' | 'closed') =>
  ask(caseFolderApi.setState, { params: { id }, body: { state } });

export const deleteCaseFolder = (id: number) => ask(caseFolderApi.delete, { params: { id } });

/** A PDF of a case folder. */
export const caseFolderReport = (id: number, language: 'en' | 'ar') =>
  requestFile(caseFolderApi.report, { params: { id }, body: { language } });

/** A case folder, encrypted for an installation that the company trusts. */
export const exportCaseFolder = (id: number, installation: number) =>
  requestFile(caseFolderApi.export, { params: { id }, body: { installation } });
/** The PDF of a case folder that another installation sealed. */
export const openSealedCaseFolder = (file: Blob, language: 'en' | 'ar') =>
  requestFile(caseFolderApi.receive, {
    query: { language },
    body: file.slice(0, file.size, 'application/octet-stream'),
  });

/** A file of a case folder. */
export const caseFile = (id: number, position: number) =>
  requestFile(caseFolderApi.file, { params: { id }, body: { position } });
