/** The groups of the people in labelled photos, from a table beside their folders. */
import { csvRows } from '../contracts/csv.ts';

/** The table, directly in the chosen folder. */
export const GROUPS_FILE = 'groups.csv';

/**
 * @param table its text; undefined: it is in an older code page
 * @returns the group of each person, by the name in NFC: systems differ in how they spell accents; a row without a group is left
 *   out. Undefined: the table lacks a column `person` or `group`, gives a person two groups, or is no table
 */
export function groupsOfTable(table: string | undefined): Record<string, string> | undefined {
  const [header, ...rows] = (table === undefined ? undefined : csvRows(table)) ?? [];
  const names = header?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const [person, group] = [names.indexOf('person'), names.indexOf('group')];
  if (person < 0 || group < 0) return undefined;
  const groups = new Map<string, string>();
  for (const { cells } of rows) {
    const [name = '', its = ''] = [person, group].map((column) => cells[column]?.normalize('NFC'));
    if (name === '' || its === '') continue;
    if ((groups.get(name) ?? its) !== its) return undefined;
    groups.set(name, its);
  }
  return Object.fromEntries(groups);
}
