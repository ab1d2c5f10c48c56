const heading = 'Good things, close by';

/** The shop's page. `stock` is the API's answer, undefined without one. */
export function renderPage({ name, version, stock }) {
  const database = stock?.visits === undefined ? 'not reached' : `reached, ${stock.visits} visits`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<style>
  :root { color-scheme: light dark; --ink: #1c2b24; --paper: #f6f4ee; --card: #fff; --accent: #1f6f50; --line: #dcd8cc; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e9efe9; --paper: #14201a; --card: #1d2b24; --accent: #7fd1ae; --line: #31443a; } }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.5 system-ui, sans-serif; }
  main { max-width: 56rem; margin: 0 auto; padding: 3rem 1.25rem; }
  h1 { font-size: 2.6rem; line-height: 1.1; margin: .25rem 0 2rem; }
  .name { color: var(--accent); font-weight: 600; }
  ul { list-style: none; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); }
  li { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem; }
  li span { font-size: 2.2rem; } li h2 { font-size: 1.05rem; margin: .5rem 0 0; } li p { margin: 0; color: var(--accent); }
  footer { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 2.5rem; font-size: .9rem; }
  footer p { margin: 0; padding: .25rem .9rem; border: 1px solid var(--line); border-radius: 1rem; }
</style>
</head>
<body>
<main>
<div class="name">${escapeHtml(name)}</div>
<h1>${escapeHtml(heading)}</h1>
<ul>${(stock?.products ?? []).map(renderProduct).join('')}</ul>
<footer>
<p>API: ${stock ? 'reached' : 'not reached'}</p>
<p>Database: ${database}</p>
<p>Version ${escapeHtml(version)}</p>
</footer>
</main>
</body>
</html>
`;
}

const renderProduct = ({ icon, name, price }) =>
  `<li><span>${escapeHtml(icon)}</span><h2>${escapeHtml(name)}</h2><p>${escapeHtml(price)}</p></li>`;

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = text => String(text).replace(/[&<>"']/g, character => entities[character]);
