import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_THEME, THEMES, themeById } from './themes.ts';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** Tokens of each block, by theme. */
const blocks = new Map(
  [...css.matchAll(/\[data-theme=["']([\w-]+)["']\]\s*\{([^}]*)\}/g)].map(([, id = '', body = '']) => [
    id,
    {
      scheme: /color-scheme:\s*(\w+)/.exec(body)?.[1],
      tokens: new Map(
        [...body.matchAll(/--gr-([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name = '', value = '']) => [
          name,
          value,
        ]),
      ),
    },
  ]),
);

/** WCAG 2 contrast of two colours, each `#rrggbb`. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

const SURFACES = ['bg', 'surface', 'raised'];
const TONES = ['success', 'warning', 'danger', 'info'];
/** Foreground and background that meet on some screen. */
const TEXT_PAIRS: [string, string][] = [
  ...['text', 'muted', 'link', ...TONES].flatMap(text => SURFACES.map((on): [string, string] => [text, on])),
  ...TONES.map((tone): [string, string] => [tone, `${tone}-tint`]),
  ...TONES.flatMap((tone): [string, string][] => [['text', `${tone}-tint`]]),
  ['muted', 'neutral-tint'],
  ['link', 'neutral-tint'],
  ['text', 'neutral-tint'],
  ['muted', 'danger-tint'],
  ['on-primary', 'primary'],
  ['on-primary', 'primary-hover'],
  ['on-danger', 'danger-fill'],
  ['on-danger', 'danger-fill-hover'],
];
const CONTROL_PAIRS: [string, string][] = [
  ['control-border', 'bg'],
  ['control-border', 'surface'],
  ...SURFACES.map((on): [string, string] => ['focus', on]),
];

describe('themes', () => {
  it('each have a block of tokens, and no block is without a theme', () => {
    expect([...blocks.keys()]).toEqual(THEMES.map(({ id }) => id));
  });

  it('fall back to the default', () => {
    expect(themeById('no-such-theme')).toBe(DEFAULT_THEME);
    expect(themeById(null)).toBe(DEFAULT_THEME);
  });

  const names = [...(blocks.get(DEFAULT_THEME.id)?.tokens.keys() ?? [])];
  for (const { id, scheme } of THEMES) {
    const block = blocks.get(id);
    const color = (name: string) => {
      const value = block?.tokens.get(name);
      if (!value) throw new Error(`${id} does not define --gr-${name}`);
      return value;
    };

    it(`${id} defines every token and its colour scheme`, () => {
      expect([...(block?.tokens.keys() ?? [])]).toEqual(names);
      expect(block?.scheme).toBe(scheme);
    });

    it.each(TEXT_PAIRS)(`${id}: %s on %s reaches 4.5:1`, (text, background) => {
      expect(contrast(color(text), color(background))).toBeGreaterThanOrEqual(4.5);
    });

    it.each(CONTROL_PAIRS)(`${id}: %s on %s reaches 3:1`, (line, background) => {
      expect(contrast(color(line), color(background))).toBeGreaterThanOrEqual(3);
    });
  }
});
