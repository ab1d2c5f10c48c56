import type { MantineThemeOverride, VariantColorResolverResult } from '@mantine/core';

const TONES = ['success', 'warning', 'danger', 'info'] as const;
/** Colours that components may ask for: `color="danger"`. Anything else is the theme's primary. */
export type Tone = (typeof TONES)[number] | 'neutral';

/**
 * Mantine computes colours from its own palettes, which miss AA; these are the theme's variables instead, so a new
 * theme needs no code. Mantine's other variables are mapped in mantine.css.
 */
function resolve(variant: string, color: string | undefined): VariantColorResolverResult {
  const tone = TONES.find(name => name === color);
  const text = tone ? `var(--gr-${tone})` : color === 'neutral' ? 'var(--gr-muted)' : 'var(--gr-link)';
  const tint = tone ? `var(--gr-${tone}-tint)` : 'var(--gr-neutral-tint)';
  const none = '1px solid transparent';
  switch (variant) {
    case 'filled':
      return tone === 'danger'
        ? {
            background: 'var(--gr-danger-fill)',
            hover: 'var(--gr-danger-fill-hover)',
            color: 'var(--gr-on-danger)',
            border: none,
          }
        : {
            background: 'var(--gr-primary)',
            hover: 'var(--gr-primary-hover)',
            color: 'var(--gr-on-primary)',
            border: none,
          };
    case 'light':
      return { background: tint, hover: tint, color: text, border: none };
    case 'outline':
      return { background: 'transparent', hover: tint, color: text, border: `1px solid ${text}` };
    case 'default':
      return {
        background: 'var(--gr-surface)',
        hover: 'var(--gr-raised)',
        color: 'var(--gr-text)',
        border: '1px solid var(--gr-control-border)',
      };
    default:
      return {
        background: 'transparent',
        hover: 'var(--gr-raised)',
        color: tone ? text : 'var(--gr-text)',
        border: none,
      };
  }
}

export const mantineTheme: MantineThemeOverride = {
  variantColorResolver: ({ variant, color }) => resolve(variant, color),
  components: {
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
};
