// What is shown when a page itself breaks, most of all when its code can't be loaded: without this the page would be white.
'use client';

import { FailurePage } from '../components/ui/failure';

/** Called by Next with what was thrown. */
export default function PageError({ error }: { error: Error }) {
  return (
    <FailurePage
      what="This page stopped working"
      hint="What was saved is still in this browser."
      error={error}
      retry={() => location.reload()}
    />
  );
}
