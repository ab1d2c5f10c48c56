/** HTML that is safe to put into a page as it is. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | Html[];

/** A template whose values are escaped unless they are HTML already. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const text = parts.map((part, index) => part + (index < values.length ? show(values[index] ?? '') : ''));
  return new Html(text.join(''));
}

function show(value: Value): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(each => each.text).join('');
  return escapeText(String(value));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeText = (text: string) => text.replace(/[&<>"']/g, character => entities[character] ?? '');

/** A comment's text: escaped, with its http links to click. */
export function linked(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"')\]|`*]+)/);
  return new Html(
    parts
      .map((part, index) => (index % 2 ? html`<a href="${part}">${part}</a>`.text : escapeText(part)))
      .join(''),
  );
}

const style = new Html(`<style>
  body { max-width: 46rem; margin: 2.5rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1f2328; }
  header { color: #59636e; border-bottom: 1px solid #d1d9e0; padding-bottom: .5rem; margin-bottom: 1.5rem; }
  a { color: #0969da; } code { background: #eff1f3; padding: .1rem .3rem; border-radius: .25rem; }
  article { border: 1px solid #d1d9e0; border-radius: .5rem; margin: 1rem 0; }
  article h2 { font-size: .9rem; margin: 0; padding: .5rem 1rem; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; }
  article pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; padding: 1rem; font: inherit; }
  button { font: inherit; padding: .5rem 1rem; margin: .25rem 0; border: 1px solid #d1d9e0; border-radius: .4rem;
    background: #f6f8fa; cursor: pointer; } button.main { background: #1f883d; color: #fff; border-color: #1f883d; }
  .state { display: inline-block; padding: .1rem .75rem; border-radius: 1rem; color: #fff; background: #1f883d; }
  .state.closed { background: #cf222e; } .state.merged { background: #8250df; }
</style>`);

/** A whole page, under a line that says that this is not github.com. */
export const page = (title: string, body: Html): string =>
  `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>${style}</head><body>
<header><a href="/">GitHub stand-in</a> · on this machine, for development and tests</header>
<h1>${title}</h1>${body}</body></html>`.text
  }`;
