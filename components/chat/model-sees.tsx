// "What the model sees": every tool of the next step with its final text and schema, and for each that is not there the rule that removed it.
'use client';

import { Sheet } from '../ui/sheet';
import { useCurrent } from './chat-context';

interface ModelSeesProps {
  open: boolean;
  close: () => void;
}

/** Computed when it is opened, as for the next step. */
export function ModelSees({ open, close }: ModelSeesProps) {
  return (
    <Sheet title="What the model sees" open={open} close={close}>
      {open && <Offer />}
    </Sheet>
  );
}

function Offer() {
  const { session, state } = useCurrent();
  const { tools, absent, traits } = session.offer();
  return (
    <div className="model-sees">
      <p>{`Model ${state.model} (${traits.family}), agent ${state.agent}: ${tools.length} tools in the next step.`}</p>
      {tools.map(({ tool, source, definition }) => (
        <details key={tool.name}>
          <summary>
            <code>{definition.name}</code> <small>{source}</small>
          </summary>
          <pre>{definition.description}</pre>
          <pre>{JSON.stringify(definition.inputSchema, null, 2)}</pre>
        </details>
      ))}
      {absent.length > 0 && <h4>Not there</h4>}
      <ul>
        {absent.map((one) => (
          <li key={`${one.source} ${one.name}`}>
            <code>{one.name}</code> {one.why}
          </li>
        ))}
      </ul>
    </div>
  );
}
