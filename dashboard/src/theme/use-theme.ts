import { useSyncExternalStore } from 'react';
import { stored } from '../session/storage.ts';
import { type Theme, themeById } from './themes.ts';

/** The chosen theme. public/theme.js sets the same attribute before the first paint; this keeps it in step afterwards. */
export function useTheme(): Theme {
  return themeById(useSyncExternalStore(stored.theme.subscribe, stored.theme.get));
}

export function chooseTheme(id: string): void {
  document.documentElement.dataset.theme = id;
  stored.theme.set(id);
}
