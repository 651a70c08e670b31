// A text with the typed letters marked.

/** `positions` are ascending indices into the text. */
export function Highlighted({ text, positions }: { text: string; positions: readonly number[] }) {
  const marked = new Set(positions);
  const runs: { text: string; marked: boolean; at: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const last = runs.at(-1);
    if (last && last.marked === marked.has(at)) last.text += text[at];
    else runs.push({ text: text[at]!, marked: marked.has(at), at });
  }
  return (
    <span className="highlighted">{runs.map((run) => (run.marked ? <b key={run.at}>{run.text}</b> : run.text))}</span>
  );
}
