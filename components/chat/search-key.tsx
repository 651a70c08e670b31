// The person's own key for searches of the web, in the settings: without one (theirs or the host's) the agent has no websearch.
'use client';

import { useEffect } from 'react';
import { useStore } from '../ui/store';
import { KeyForm } from './key-form';
import { loadSearchProvider, searchProvider } from './search-provider';

/** Nothing where the site takes no own keys. */
export function SearchKey() {
  const provider = useStore(searchProvider);
  useEffect(() => void loadSearchProvider(), []);
  if (provider === undefined || !provider.acceptsOwnKey) return null;
  return (
    <section aria-label="Web search" className="setting-form">
      <h4>Web search</h4>
      <p>
        {provider.hasServerKey
          ? 'The agent can search the web with this site’s key. Your own is used instead when you enter it.'
          : 'With a key the agent can search the web and public code; without one it can only fetch pages.'}
      </p>
      <KeyForm provider={provider} done={() => {}} />
    </section>
  );
}
