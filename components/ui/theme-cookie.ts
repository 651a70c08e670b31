// Shared by the server, which reads it, and the browser, which writes it.

/** The cookie's name; its value is `light` or `dark`, absent means system. */
export const themeCookie = 'cloche-theme';
