// Ids that sort by time of creation and are safe in file names, URLs and IndexedDB keys. The clock may be set back while a tab runs or between two of
// them, and what is kept under ids would come back in another order: an id's time is never before that of one that is known.

/** So many ids have the same time; then it goes on by a millisecond. */
const perMs = 36 ** 2;
const timeChars = 9;
const latestMs = 36 ** timeChars - 1;

let lastMs = 0;
let sequence = 0;

/** `<prefix>_<9 characters of time><2 of sequence><13 of randomness>`: ascending within this tab, unguessable (62 bits). */
export function newId(prefix: string, nowMs = Date.now()): string {
  if (nowMs > lastMs) startAt(nowMs);
  else if (++sequence === perMs) startAt(lastMs + 1);
  const time = lastMs.toString(36).padStart(timeChars, '0');
  const random = Array.from(crypto.getRandomValues(new Uint8Array(13)), (byte) => (byte % 36).toString(36)).join('');
  return `${prefix}_${time}${sequence.toString(36).padStart(2, '0')}${random}`;
}

/** From now on this tab's ids sort after these, whichever tab made them and whatever the clock says. What is no id of ours is passed over. */
export function newIdsAfter(ids: Iterable<string>): void {
  for (const id of ids) {
    const time = /_([0-9a-z]{9})[0-9a-z]{15}$/.exec(id)?.[1];
    const ms = time === undefined ? Number.NaN : Number.parseInt(time, 36);
    if (ms >= lastMs && ms < latestMs) startAt(ms + 1);
  }
}

function startAt(ms: number): void {
  lastMs = ms;
  sequence = 0;
}
