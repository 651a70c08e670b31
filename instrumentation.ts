// What Next runs once, before its server takes requests: from then on routes know who asks (lib/server/peer-address.ts), and what neither Next nor Node
// can answer well is answered (lib/server/first-look.ts).

/** Called by Next in each of its runtimes; only Node's has connections. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { tellPeers } = await import('./lib/server/peer-address');
  const { answerTooLong, nameForbiddenMethods } = await import('./lib/server/first-look');
  tellPeers();
  nameForbiddenMethods();
  answerTooLong();
}
