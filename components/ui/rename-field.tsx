// The field that takes a name's place in a list while it is changed: Enter or leaving it gives the new name, Escape the old one.
interface RenameFieldProps {
  /** What it is called now; selected at first. */
  name: string;
  /** For screen readers. */
  label: string;
  /** As typed, with blanks and all. */
  finish(typed: string): void;
  cancel(): void;
  /** Before either of the two, when it was done by a key. */
  onKey?(): void;
}

/** Has the focus from the start. */
export function RenameField({ name, label, finish, cancel, onKey }: RenameFieldProps) {
  return (
    <input
      className="field"
      aria-label={label}
      data-records-keys
      defaultValue={name}
      ref={(input) => input?.select()}
      onBlur={(event) => finish(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        // The same key would press what takes the focus.
        event.preventDefault();
        onKey?.();
        if (event.key === 'Enter') finish(event.currentTarget.value);
        else cancel();
      }}
    />
  );
}
