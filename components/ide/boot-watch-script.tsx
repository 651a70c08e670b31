// The script that shows how far a page is while its code is still on its way.
import { headers } from 'next/headers';
import { EARLY_FRAME_ID } from './early-frame';
import { PAGE_SHARE, watchBoot } from './watch-boot';

/** On the server only; right behind the cover. */
export async function BootWatchScript() {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  const given = JSON.stringify({ pageShare: PAGE_SHARE, frameId: EARLY_FRAME_ID });
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own function and two constants.
      dangerouslySetInnerHTML={{ __html: `(${watchBoot})(${given})` }}
    />
  );
}
