// The frame of every page. The theme comes from a cookie, so that the first paint is right without an inline script.
import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { NotThereYet } from '../components/ui/not-there-yet';
import { themeCookie } from '../components/ui/theme-cookie';
import { SITE_ORIGINS_NAME } from '../lib/std/site-origins';
import './globals.css';

export const metadata: Metadata = {
  title: 'Cloche',
  description: 'A web IDE whose computer is the browser tab: Node, a terminal, a preview and an agent.',
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  // A phone's keyboard makes the page smaller instead of covering it; where this is not known, use-seen-area.ts does it.
  interactiveWidget: 'resizes-content',
};

/** Reading the cookie makes every page dynamic, which the nonce of the Content-Security-Policy needs anyway. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = (await cookies()).get(themeCookie)?.value;
  const origins = (await headers()).get(SITE_ORIGINS_NAME);
  return (
    <html lang="en" data-theme={theme === 'light' || theme === 'dark' ? theme : undefined} suppressHydrationWarning>
      <head>{origins !== null && <meta name={SITE_ORIGINS_NAME} content={origins} />}</head>
      <body>
        {children}
        <NotThereYet />
      </body>
    </html>
  );
}
