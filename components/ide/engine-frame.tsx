// Starts the engine with the first bytes of a project's page: its frame is in the HTML, long before any of our code runs (docs/decisions/0018).
import { cookies, headers } from 'next/headers';
import { computerCookie } from '../../lib/std/computer-cookie';
import { engineHostUrl, parseSiteOrigins, SITE_ORIGINS_NAME } from '../../lib/std/site-origins';
import { EARLY_FRAME_ID } from './early-frame';

/** On the server only. Nothing when the person has chosen the other computer. */
export async function EngineFrame() {
  if ((await cookies()).get(computerCookie)?.value === 'webcontainer') return null;
  const origins = parseSiteOrigins((await headers()).get(SITE_ORIGINS_NAME));
  return (
    // The frame is taken out when its engine ends; this stays, for React to find.
    <div hidden suppressHydrationWarning>
      <iframe
        id={EARLY_FRAME_ID}
        title="Cloche engine"
        hidden
        sandbox="allow-scripts allow-same-origin"
        allow="cross-origin-isolated"
        src={engineHostUrl(origins)}
        suppressHydrationWarning
      />
    </div>
  );
}
