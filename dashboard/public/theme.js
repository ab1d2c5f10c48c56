// Runs before the first paint, so that nobody sees a flash of another theme. An unknown value falls back to :root.
try {
  const theme = localStorage.getItem('greenroom.theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the default theme stays.
}
