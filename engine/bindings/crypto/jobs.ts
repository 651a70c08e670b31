// Crypto jobs: `run()` returns [error, result] at once (sync), calls ondone later (async), or returns a promise (Web Crypto).
import type { ProcessEnvironment } from '../../process/environment';
import { type AsyncIds, AsyncScopes } from '../async-scopes';

/** The provider's name of each kind of job, by what its class is called. */
const PROVIDERS: [RegExp, string][] = [
  [/^(?:RandomBytes|RandomPrime|CheckPrime|PBKDF2|Scrypt|Argon2|Hash|Sign|Verify)/i, ''],
  [/KeyPairGen/, 'KEYPAIRGENREQUEST'],
  [/KeyGen|SecretKeyGenerate/, 'KEYGENREQUEST'],
  [/Export/, 'KEYEXPORTREQUEST'],
  [/Cipher/, 'CIPHERREQUEST'],
  [/Hmac|Sign/i, 'SIGNREQUEST'],
];

function providerOf(name: string): string {
  const [, provider] = PROVIDERS.find(([kind]) => kind.test(name)) ?? [undefined, 'DERIVEBITSREQUEST'];
  return provider || `${name.replace(/Job$/, '').toUpperCase()}REQUEST`;
}

/** The base class of every job; a subclass computes in `compute`. */
export function jobClass(environment: ProcessEnvironment, modes: { async: number; webCrypto: number }) {
  const scopes = AsyncScopes.of(environment);
  return class Job {
    protected readonly mode: number;
    readonly #ids: AsyncIds;
    ondone: ((error: unknown, result?: unknown) => void) | undefined;

    constructor(mode: number) {
      this.mode = mode;
      this.#ids = scopes.begin(this, providerOf(new.target.name));
    }

    protected compute(): unknown {
      throw new Error('a crypto job without a computation');
    }

    run(): unknown {
      if (this.mode === modes.webCrypto) {
        return new Promise((resolve, reject) =>
          environment.loop.enqueue(() =>
            scopes.finish(this.#ids, () => {
              try {
                resolve(this.compute());
              } catch (cause) {
                const { DOMException } = environment.perContext;
                const message = 'The operation failed for an operation-specific reason';
                reject(new DOMException(message, { name: 'OperationError', cause }));
              }
            }),
          ),
        );
      }
      if (this.mode === modes.async) {
        environment.loop.enqueue(() => {
          let result: unknown;
          try {
            result = this.compute();
          } catch (error) {
            scopes.finish(this.#ids, () => this.ondone?.(error));
            return;
          }
          scopes.finish(this.#ids, () => this.ondone?.(undefined, result));
        });
        return undefined;
      }
      try {
        return [undefined, this.compute()];
      } catch (error) {
        return [error, undefined];
      }
    }
  };
}

/** The jobs of a binding, each under its own name: they are classes made by functions. */
export function nameJobs<Made extends object>(binding: Made): Made {
  for (const [name, value] of Object.entries(binding))
    if (name.endsWith('Job') && typeof value === 'function') Object.defineProperty(value, 'name', { value: name });
  return binding;
}
