/** A theme is a block of variables in tokens.css under `[data-theme='<id>']`; `scheme` is what Mantine and form controls follow. */
export interface Theme {
  id: string;
  name: string;
  scheme: 'dark' | 'light';
}

export const DEFAULT_THEME: Theme = { id: 'evergreen-dark', name: 'Evergreen Dark', scheme: 'dark' };

export const THEMES: readonly Theme[] = [
  DEFAULT_THEME,
  { id: 'midnight-maritime', name: 'Midnight Maritime', scheme: 'dark' },
  { id: 'nord-mist', name: 'Nord Mist', scheme: 'light' },
  { id: 'desert-dusk', name: 'Desert Dusk', scheme: 'dark' },
  { id: 'neon-terminal', name: 'Neon Terminal', scheme: 'dark' },
  { id: 'solar-ink', name: 'Solar Ink', scheme: 'light' },
  { id: 'berry-noir', name: 'Berry Noir', scheme: 'dark' },
  { id: 'graphite-pro', name: 'Graphite Pro', scheme: 'dark' },
];

/** The theme of that id; the default one for an id that is missing or unknown. */
export function themeById(id: string | null): Theme {
  return THEMES.find(theme => theme.id === id) ?? DEFAULT_THEME;
}
