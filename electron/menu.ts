/** The menu as data: labels, shortcuts and actions. */

import type { MenuItemConstructorOptions } from 'electron';

export type MenuAct = { screen: string } | { command: 'reload' | 'quit' | 'keys' };

export interface MenuEntry {
  label: string;
  accelerator: string;
  act: MenuAct;
}

export interface MenuGroup {
  label: string;
  entries: readonly MenuEntry[];
}

/** Each screen has the shortcut of its position. The page handles the shortcuts within a screen (`?` shows them). */
export const MENU: readonly MenuGroup[] = [
  {
    label: 'Vouch',
    entries: [
      { label: 'Reload', accelerator: 'CmdOrCtrl+R', act: { command: 'reload' } },
      { label: 'Quit', accelerator: 'CmdOrCtrl+Q', act: { command: 'quit' } },
    ],
  },
  {
    label: 'Go',
    entries: [
      { label: 'Overview', accelerator: 'CmdOrCtrl+0', act: { screen: '/' } },
      { label: 'Enrol photos', accelerator: 'CmdOrCtrl+1', act: { screen: '/enrol' } },
      { label: 'Review', accelerator: 'CmdOrCtrl+2', act: { screen: '/review' } },
      { label: 'Validations', accelerator: 'CmdOrCtrl+3', act: { screen: '/validations' } },
      { label: 'Search', accelerator: 'CmdOrCtrl+4', act: { screen: '/search' } },
      { label: 'Blacklists', accelerator: 'CmdOrCtrl+5', act: { screen: '/company/internal-biometrics' } },
      { label: 'Signatures', accelerator: 'CmdOrCtrl+6', act: { screen: '/signatures' } },
      { label: 'Audit log', accelerator: 'CmdOrCtrl+7', act: { screen: '/audit' } },
      { label: 'Share blacklists', accelerator: 'CmdOrCtrl+8', act: { screen: '/exchange' } },
      { label: 'System', accelerator: 'CmdOrCtrl+9', act: { screen: '/system' } },
    ],
  },
  {
    label: 'Help',
    entries: [{ label: 'Shortcuts of this screen', accelerator: 'CmdOrCtrl+/', act: { command: 'keys' } }],
  },
];

/** The menu for Electron, followed by the menus of the system. */
export function menuTemplate(carryOut: (act: MenuAct) => void): MenuItemConstructorOptions[] {
  const groups = MENU.map(({ label, entries }) => ({
    label,
    submenu: entries.map(({ act, ...entry }) => ({
      ...entry,
      click: () => {
        carryOut(act);
      },
    })),
  }));
  return [...groups, { role: 'editMenu' }, { role: 'windowMenu' }];
}
