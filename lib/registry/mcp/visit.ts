// An address that a server wants the person to visit (elicitation in URL mode): what may be shown at all, and what to watch out for. Nothing here
// opens or fetches it.
import type { Address } from '../../tools/question';

/** As it came from the server. `id`: by which it says later that the visit is over. */
export interface VisitRequest {
  id: string;
  message: string;
  url: string;
}

const maxChars = 4000;

/** *Throws* an Error that the server may read. https only, or this machine's own; never with a name and password before the host. */
export function judgeAddress(url: string): Address {
  if (url.length > maxChars) throw new Error(`The address has more than ${maxChars} characters.`);
  if (!URL.canParse(url)) throw new Error('The address is not a URL.');
  const { protocol, hostname, host, href, username, password } = new URL(url);
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback))
    throw new Error('Only https addresses are opened for servers, and http of this machine.');
  if (username !== '' || password !== '') throw new Error('The address has a name or a password before its host.');
  const warnings = [
    ...(/(^|\.)xn--/.test(hostname)
      ? ['The name of this host is written with letters that can look like others. Is it really the one you know?']
      : []),
    ...(isLoopback ? ['This is an address of your own machine.'] : []),
    ...(/^[\d.]+$|^\[/.test(hostname) && !isLoopback ? ['This host has a number and no name.'] : []),
  ];
  return { href, host, warnings };
}
