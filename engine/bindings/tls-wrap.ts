// tls_wrap: TLS to the outside, which the browser does. A client's "handshake" tells the gateway to use https (engine/kernel/gateway.ts); from
// then on clear text goes through the ring. The browser has verified the certificate before any byte of an answer comes, and does not show it.
import { SECURE_PREFACE } from '../kernel/net/secure-preface';
import { unsupported } from '../process/dump';
import type { Binding } from '../process/environment';
import type { StreamWrap } from './stream-base';
import { viewBytes } from './strings';

/** A TCP handle whose other end is the gateway has the outside host's name. */
type OutsideStream = StreamWrap & { outsideName?: string };

/** Methods that go to the stream below as they are. */
const FORWARDED = [
  'readStart',
  'readStop',
  'shutdown',
  'useUserBuffer',
  'writev',
  'writeBuffer',
  'writeAsciiString',
  'writeLatin1String',
  'writeUtf8String',
  'writeUcs2String',
] as const;

/** Settings of a handshake that the browser makes: they change nothing and need no answer. */
const WITHOUT_EFFECT = [
  'setVerifyMode',
  'setSession',
  'enableSessionCallbacks',
  'enableKeylogCallback',
  'enableTrace',
  'requestOCSP',
  'destroySSL',
  'writesIssuedByPrevListenerDone',
] as const;

export const tlsWrap: Binding = (environment) => {
  const binding = environment.dumped('tls_wrap');

  class TLSWrap extends binding.TLSWrap {
    readonly isStreamBase = true;
    onread: ((buffer?: ArrayBuffer) => unknown) | undefined;
    onhandshakedone: (() => void) | undefined;
    onerror: ((error: Error) => void) | undefined;
    #inner: OutsideStream;
    #isServer: boolean;
    #servername = '';
    #protocols: string[] = [];

    constructor(inner: OutsideStream, isServer: boolean) {
      super();
      this.#inner = inner;
      this.#isServer = isServer;
      inner.onread = (buffer) => this.onread?.(buffer);
      for (const name of FORWARDED)
        Object.defineProperty(this, name, {
          configurable: true,
          writable: true,
          value: (...args: unknown[]) => (inner as any)[name](...args),
        });
      for (const name of WITHOUT_EFFECT)
        Object.defineProperty(this, name, { configurable: true, writable: true, value: () => undefined });
      for (const name of ['fd', 'bytesRead', 'bytesWritten', 'writeQueueSize'] as const)
        Object.defineProperty(this, name, { configurable: true, get: () => inner[name] });
    }

    start(): void {
      const inner = this.#inner;
      const reason = this.#isServer
        ? 'A TLS server'
        : inner.outsideName === undefined
          ? 'TLS to a server inside the sandbox'
          : undefined;
      if (reason) {
        environment.loop.enqueue(() => this.onerror?.(unsupported(reason)));
        return;
      }
      const errno = inner.writeLatin1String({ oncomplete() {} }, SECURE_PREFACE);
      environment.loop.enqueue(() => {
        if (errno < 0) this.onerror?.(environment.uvException(errno, 'write'));
        else this.onhandshakedone?.();
      });
    }

    getAsyncId(): number {
      return this.#inner.getAsyncId();
    }

    getProviderType(): number {
      return this.#inner.getProviderType();
    }

    setServername(name: string): void {
      this.#servername = name;
    }

    getServername(): string | false {
      return this.#servername || false;
    }

    /** Length-prefixed names (RFC 7301). */
    setALPNProtocols(list: ArrayBufferView): void {
      const bytes = viewBytes(list);
      this.#protocols = [];
      for (let at = 0; at < bytes.length; at += 1 + bytes[at])
        this.#protocols.push(String.fromCharCode(...bytes.subarray(at + 1, at + 1 + bytes[at])));
    }

    /** The gateway speaks HTTP/1.1 whatever the browser speaks behind it. */
    getALPNNegotiatedProtocol(): string | false {
      return this.#protocols.includes('http/1.1') ? 'http/1.1' : false;
    }

    /** No error: a certificate that does not fit fails the browser's fetch instead. */
    verifyError(): undefined {}

    /** True keeps lib from checking names in a certificate that the browser has checked and does not show. */
    isSessionReused(): boolean {
      return true;
    }

    // What the browser does not tell is unknown.
    getPeerCertificate(): undefined {}
    getPeerX509Certificate(): undefined {}
    getCertificate(): undefined {}
    getX509Certificate(): undefined {}
    getSession(): undefined {}
    getTLSTicket(): undefined {}
    getFinished(): undefined {}
    getPeerFinished(): undefined {}
    getProtocol(): null {
      return null;
    }
    getCipher(): Record<string, never> {
      return {};
    }
    getEphemeralKeyInfo(): Record<string, never> {
      return {};
    }
    getSharedSigalgs(): never[] {
      return [];
    }
  }

  return {
    ...binding,
    TLSWrap,
    wrap: (inner: OutsideStream, _context: unknown, isServer: boolean) => new TLSWrap(inner, isServer),
  };
};

/** Settings that may be made without effect, because the browser chooses protocol, ciphers and trust. */
const CONTEXT_SETTINGS = [
  'init',
  'setOptions',
  'addRootCerts',
  'addCACert',
  'addCRL',
  'setAllowPartialTrustChain',
  'setCiphers',
  'setCipherSuites',
  'setSigalgs',
  'setECDHCurve',
  'setDHParam',
  'setSessionIdContext',
  'setSessionTimeout',
  'setTicketKeys',
  'setCertificateCompression',
  'close',
];

/** The crypto binding with a SecureContext for clients; keys and certificates of one's own are refused by name. */
export function withSecureContext(crypto: Binding): Binding {
  return (environment) => {
    const binding = crypto(environment);
    class SecureContext extends environment.dumped('crypto').SecureContext {
      #minimum = 0;
      #maximum = 0;
      init(_protocol: string | undefined, minimum: number, maximum: number): void {
        this.#minimum = minimum;
        this.#maximum = maximum;
      }
      getMinProto(): number {
        return this.#minimum;
      }
      setMinProto(version: number): void {
        this.#minimum = version;
      }
      getMaxProto(): number {
        return this.#maximum;
      }
      setMaxProto(version: number): void {
        this.#maximum = version;
      }
    }
    for (const name of CONTEXT_SETTINGS)
      if (name !== 'init')
        Object.defineProperty(SecureContext.prototype, name, {
          configurable: true,
          writable: true,
          value: () => undefined,
        });
    for (const name of ['setKey', 'setCert', 'loadPKCS12', 'setEngineKey', 'setClientCertEngine'])
      Object.defineProperty(SecureContext.prototype, name, {
        configurable: true,
        writable: true,
        value() {
          throw unsupported('A TLS server or client certificate');
        },
      });
    return { ...binding, SecureContext };
  };
}
