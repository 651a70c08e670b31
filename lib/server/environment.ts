// How every part of the server reads its settings: one schema, one way to say that a variable is wrong. Values are never shown: some are keys.
import { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A whole number, 0 or more. */
export const count = (byDefault: number) => z.coerce.number().int().min(0).default(byDefault);

/** Names or addresses between commas, without blanks; empty when unset. */
export const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  );

/** Host names between commas, in lower case; `*.example.org` is every name below it. */
export const hostList = list
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))
  .refine((hosts) => hosts.every((host) => /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(host)), {
    error: 'must list names like "example.org" or "*.example.org"',
  });

/** Origins between commas: no path, no slash at the end. */
export const originList = list.refine((origins) => origins.every(isOrigin), {
  error: 'must list origins like "https://example.org" or "http://10.0.0.5:8080", without a path or wildcard',
});

/** Whether the text is an http or https origin and nothing more. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url?.origin === text && /^https?:$/.test(url.protocol) && !text.includes('*');
}

/** JSON that `schema` takes, such as `example`. */
export function json<Values>(schema: z.ZodType<Values>, example: string) {
  return z.string().transform((text, context): Values => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: 'custom', message: `must be JSON like ${example}` });
      return z.NEVER;
    }
  });
}

/** Checks `env`; throws an Error that names each wrong variable and what it must be. Blank strings count as unset. */
export function readEnvironment<Values>(schema: z.ZodType<Values>, env: Environment): Values {
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim())));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path[0]?.toString()} ${wanted(issue)}`);
  throw new Error(`The environment is not right: ${problems.join('; ')}`);
}

/** Whether the list lets this host name through; an empty list is every host. */
export function isListedHost(hostname: string, hosts: readonly string[]): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return (
    hosts.length === 0 || hosts.some((host) => (host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host))
  );
}

function wanted(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'must be an http or https URL' : 'has characters that it may not have';
    case 'too_small':
    case 'invalid_type':
      return 'must be a whole number, 0 or more';
    default:
      return 'has a value that it may not have';
  }
}
