// One tab per project: two computers that write the same kept files would undo each other's work. The lock is the browser's own, so a tab that
// dies lets go of it.

/** `held`: this tab has the project. `elsewhere`: another tab has it. `lost`: it was taken over by another tab. */
export type LockState = 'asking' | 'held' | 'elsewhere' | 'lost';

/** Asks for the project; with `steal` it is taken from the tab that has it. Reports every change; the returned function lets go. */
export function lockProject(projectId: string, steal: boolean, onChange: (state: LockState) => void): () => void {
  let release = () => {};
  let stopped = false;
  const until = new Promise<void>((done) => (release = done));
  const options: LockOptions = steal ? { steal: true } : { ifAvailable: true };
  navigator.locks
    .request(`cloche-project-${projectId}`, options, (lock) => {
      if (stopped) return undefined;
      onChange(lock ? 'held' : 'elsewhere');
      return lock ? until : undefined;
    })
    .catch(() => {
      // Only a theft rejects.
      if (!stopped) onChange('lost');
    });
  return () => {
    stopped = true;
    release();
  };
}
