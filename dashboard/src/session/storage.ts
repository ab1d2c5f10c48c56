/** A value in local storage that components can subscribe to; other tabs' changes arrive too. */
export interface StoredValue {
  get: () => string | null;
  set: (value: string | null) => void;
  subscribe: (listener: () => void) => () => void;
}

function storedValue(key: string): StoredValue {
  const listeners = new Set<() => void>();
  // Kept in memory as well, so that a browser that blocks storage still works until the page is reloaded.
  let current = read(key);
  window.addEventListener('storage', event => {
    if (event.key !== key && event.key !== null) return;
    current = read(key);
    for (const listener of listeners) listener();
  });
  return {
    get: () => current,
    set: value => {
      current = value;
      write(key, value);
      for (const listener of listeners) listener();
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is full or blocked; the value in memory serves this page.
  }
}

/** Everything that the dashboard keeps in the browser. public/theme.js reads the theme's key too. */
export const stored = {
  token: storedValue('greenroom.token'),
  theme: storedValue('greenroom.theme'),
  selectedRepository: storedValue('greenroom.selected-repository'),
  defaultRepository: storedValue('greenroom.default-repository'),
};
