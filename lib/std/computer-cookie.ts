// Tells the server which computer the person has chosen, for the one thing that it decides by it: whom the page may frame.

/** Its value is `webcontainer` or it is absent. The prefix keeps guests' pages, which live on names below ours, from setting it. */
export const computerCookie = '__Host-cloche-computer';
