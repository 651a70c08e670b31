// What a guest's TLS client sends to the gateway instead of a handshake.

/** First bytes of a connection on which the guest has "started TLS"; no HTTP request begins with a NUL. */
export const SECURE_PREFACE = '\0tls\n';
