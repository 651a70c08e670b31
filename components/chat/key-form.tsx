// A person's own key for a provider. It is kept in this browser, on the IDE's origin, and sent only with the steps that need it.
'use client';

import { useEffect, useId, useRef, useState } from 'react';
import type { ProviderChoice } from '../../lib/agent/model-list';
import { providerKey, setProviderKey } from '../../lib/agent/provider-keys';

/** `done` is called after the key was kept (true) or forgotten (false). `focus`: the field takes the focus when it appears. */
export function KeyForm(props: { provider: ProviderChoice; done: (kept: boolean) => void; focus?: boolean }) {
  const { provider, done, focus } = props;
  const [typed, setTyped] = useState('');
  const [kept, setKept] = useState(() => providerKey(provider.id) !== undefined);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // The dialog puts the focus on its first button; this comes after that.
  useEffect(() => {
    if (focus) requestAnimationFrame(() => field.current?.focus());
  }, [focus]);
  const save = (key: string) => {
    setProviderKey(provider.id, key);
    setTyped('');
    setKept(key.trim() !== '');
    done(key.trim() !== '');
  };
  return (
    <form
      className="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') save(typed);
      }}
    >
      <label htmlFor={id}>{`Your ${provider.name} key`}</label>
      <div className="form-row">
        <input
          id={id}
          className="field mono"
          type="password"
          ref={field}
          autoComplete="off"
          spellCheck={false}
          placeholder={kept ? 'A key is kept; type to replace it' : (provider.keyHint ?? '')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" className="button" data-tone="primary" disabled={typed.trim() === ''}>
          Keep
        </button>
        {kept && (
          <button type="button" className="button" onClick={() => save('')}>
            Forget
          </button>
        )}
      </div>
      <small>
        It stays in this browser and is sent to this site’s server only with your requests to {provider.name}.
      </small>
    </form>
  );
}
