// What Next runs once, before its server takes requests: from then on routes know who asks (lib/server/peer-address.ts), and what neither Next nor Node
// can answer well is answered (lib/server/first-look.ts), and a built file goes out in its smaller form (lib/server/brotli-files.ts).

/** Called by Next in each of its runtimes; only Node's has connections. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { tellPeers } = await import('./lib/server/peer-address');
  const { answerTooLong, nameForbiddenMethods } = await import('./lib/server/first-look');
  tellPeers();
  nameForbiddenMethods();
  answerTooLong();
  // Development writes none, and may find those of an older build.
  if (process.env.NODE_ENV === 'development') {
    const [{ readHostConfig }, { warmPages }] = await Promise.all([
      import('./lib/server/hosts'),
      import('./lib/server/warm-pages'),
    ]);
    void warmPages(readHostConfig(process.env).ide, Number(process.env.PORT));
    return;
  }
  const { brotliFiles, giveBrotli } = await import('./lib/server/brotli-files');
  giveBrotli(brotliFiles());
}
