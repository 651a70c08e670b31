// Names outside the sandbox get an address from the benchmarking range 198.18.0.0/15, which maps back to the name at connect: the browser
// resolves names itself, and the gateway needs the name.
import type { ProcessEnvironment } from '../process/environment';

const tables = new WeakMap<ProcessEnvironment, { byName: Map<string, string>; byAddress: Map<string, string> }>();

function tableOf(environment: ProcessEnvironment) {
  let table = tables.get(environment);
  if (!table) tables.set(environment, (table = { byName: new Map(), byAddress: new Map() }));
  return table;
}

/** The stand-in address of an outside name. */
export function outsideAddress(environment: ProcessEnvironment, name: string): string {
  const { byName, byAddress } = tableOf(environment);
  let address = byName.get(name);
  if (!address) {
    const number = byName.size + 1;
    address = `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
    byName.set(name, address);
    byAddress.set(address, name);
  }
  return address;
}

/** Whether an address is this machine. */
export function isLocalAddress(address: string): boolean {
  return /^(?:127\.|0\.0\.0\.0$|::1?$|::ffff:127\.)/.test(address);
}

/** The name or literal to ask the gateway for, or undefined when the address is this machine. */
export function outsideHost(environment: ProcessEnvironment, address: string): string | undefined {
  return isLocalAddress(address) ? undefined : (tableOf(environment).byAddress.get(address) ?? address);
}
