/** The mark and the name: a door that stands open. `size` is the height in px. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: size * 0.3, color: 'var(--gr-text)' }}>
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="var(--gr-primary)" />
        <path
          d="M8 23V11a2 2 0 0 1 2-2h7v14m0-12 7 3v11l-7-2"
          fill="none"
          stroke="var(--gr-on-primary)"
          strokeWidth="2.4"
          strokeLinejoin="round"
        />
      </svg>
      <span
        style={{ fontSize: size * 0.62, fontWeight: 700, letterSpacing: '-0.02em', whiteSpace: 'nowrap' }}
      >
        Greenroom
      </span>
    </span>
  );
}
