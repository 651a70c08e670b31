// What a Unix mode says of an entry of a zip. Info-ZIP keeps it in the upper half of the external attributes.

/** The kind of a symbolic link, and the bits of all kinds. */
export const linkMode = 0o120000;
const kindBits = 0o170000;

/** Whether an entry of this mode is a symbolic link: its contents are what it leads to. */
export function isLinkMode(mode: number): boolean {
  return (mode & kindBits) === linkMode;
}
