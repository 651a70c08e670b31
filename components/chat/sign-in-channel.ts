// How the window of a sign-in speaks to the page that began it. It went through other sites, so the two have no handle of each other; a channel of
// this origin is all that they share, and the unguessable state says whose answer it is.

/** `back`: what the window came back with. `taken`: the page that waited has it. */
export type SignInWord = { kind: 'back'; query: string } | { kind: 'taken'; state: string };

/** A channel to all pages of this origin. */
export function signInChannel(): BroadcastChannel {
  return new BroadcastChannel('cloche:mcp-sign-in');
}
