// "What the model sees": every tool of the next step with its final text and schema, and for each that is not there the rule that removed it.
'use client';

import { useEffect, useState } from 'react';
import { instructionSizes, instructionTokens, rootInstructions } from '../../lib/config/instructions';
import { Sheet } from '../ui/sheet';
import { useConversations, useCurrent } from './chat-context';
import { extensionLines } from './extension-words';
import { showTokens } from './usage-line';
import { useCustoms } from './use-customs';
import { useExtensions } from './use-extensions';

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
  const { hooks } = useConversations().extensions;
  const programs = useExtensions();
  const [, drawAgain] = useState(0);

  // What hooks make of definitions is asked before a step; here it is asked for the person.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a program that was loaded or changed has another word.
  useEffect(() => {
    hooks
      .defineTools(() => session.offer().tools.map(({ tool }) => tool))
      .then(
        () => drawAgain((count) => count + 1),
        () => {},
      );
  }, [hooks, session, programs]);

  const { tools: all, absent, traits } = session.offer();
  const tools = all.filter((one) => one.programsOnly === undefined);
  const inPrograms = Map.groupBy(
    all.filter((one) => one.programsOnly !== undefined),
    (one) => one.source,
  );
  return (
    <div className="model-sees">
      <p>{`Model ${state.model} (${traits.family}), agent ${state.agent}: ${tools.length} tools in the next step.`}</p>
      <Instructions />
      {tools.map(({ tool, source, definition }) => (
        <details key={tool.name}>
          <summary>
            <code>{definition.name}</code> <small>{source}</small>
          </summary>
          <pre>{definition.description}</pre>
          <pre>{JSON.stringify(definition.inputSchema, null, 2)}</pre>
        </details>
      ))}
      {inPrograms.size > 0 && <h3>Only in programs</h3>}
      {[...inPrograms].map(([source, ofSource]) => (
        <details key={source}>
          <summary>
            {source} <small>{`${ofSource.length} tools. ${ofSource[0]!.programsOnly}`}</small>
          </summary>
          <p>
            The model is not told of these one by one: it finds them in the programs that it writes (
            <code>execute</code>). Each call asks you as ever.
          </p>
          <ul>
            {ofSource.map(({ tool }) => (
              <li key={tool.name}>
                <code>{tool.name}</code> {tool.description.split('\n')[0]}
              </li>
            ))}
          </ul>
        </details>
      ))}
      <Hooked />
      {absent.length > 0 && <h3>Not there</h3>}
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

/** What the project's instructions take of their room in every step. */
function Instructions() {
  const { used } = useCustoms();
  const sizes = instructionSizes(rootInstructions(used));
  if (sizes.length === 0) return null;
  const taken = sizes.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <details>
      <summary>
        {`Instructions of the project `}
        <small>{`about ${showTokens(taken)} of ${showTokens(instructionTokens.root)} tokens in every step`}</small>
      </summary>
      <ul>
        {sizes.map(({ path, tokens, isCut }) => (
          <li key={path}>
            <code>{path}</code>{' '}
            {`${showTokens(tokens)} tokens${isCut ? '; the rest does not fit and is left out' : ''}`}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The plugins that have a say in every call, and those that should have and can't. */
function Hooked() {
  const plugins = useExtensions().filter(({ file }) => file.kind === 'plugin');
  if (plugins.length === 0) return null;
  return (
    <>
      <h3>Plugins of this project</h3>
      <ul>
        {plugins.map((state) => (
          <li key={state.file.path}>
            <code>{state.file.path}</code> {extensionLines(state).join(' ')}
          </li>
        ))}
      </ul>
    </>
  );
}
