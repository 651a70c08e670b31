// The sign of Cloche: a glass bell over a line.

/** Decorative; the name stands beside it in words. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <path d="M3 15.5v-4a7 7 0 0 1 14 0v4" stroke="var(--accent)" strokeWidth="1.75" />
      <path d="M1.5 16.25h17" stroke="var(--text)" strokeWidth="1.75" strokeLinecap="round" />
      <circle cx="10" cy="2.75" r="1.25" fill="var(--accent)" />
      <path d="M6.5 11.5A3.5 3.5 0 0 1 9 8.2" stroke="var(--accent)" strokeWidth="1.25" strokeLinecap="round" />
    </svg>
  );
}
