// Block lists and socket addresses against node: one random script of calls on both sides.
import { expect, it } from 'vitest';
import { blockList } from './block-list';
import { testEnvironment } from './testing/environment';
import { runNative } from './testing/native';
import { random } from './testing/random';

const IPV4 = ['1.2.3.4', '1.2.3.9', '10.0.0.0', '10.255.0.1', '0.0.0.0', '255.255.255.255', '8.8.8.8'];
const IPV6 = [
  '::',
  '::1',
  '1::',
  'fe80::1',
  '::ffff:1.2.3.4',
  '::ffff:10.0.0.7',
  '8000::',
  '1:0:2:0:0:3:0:4',
  '::2:3',
  '1:2:3:4:5:6:7::',
  '64:ff9b::1.2.3.4',
  'ABCD::',
  '::0.0.0.5',
  '1:2:3:4:5:6:7:8',
  '0:0:1::',
  '::1.2.3.4',
];
const BAD = [
  '',
  'x',
  '1.2.3',
  '01.2.3.4',
  '256.1.1.1',
  '1::2::3',
  '1:2:3',
  '::12345',
  '1:2:3:4:5:6:7:8:9',
  '::1.2.3',
  '1.2.3.4::',
  ':1',
  '1:',
  ':::',
];

type Address = [text: string, family: number];
type Step = [method: string, ...args: (Address | number | string)[]];

/** The order of rules depends on node's memory after removals, so it is not compared. Written so that both sides can run it: results of every step and the rules afterwards. */
const RUN = `(binding, steps, addresses) => {
  const make = ([text, family]) => new binding.SocketAddress(text, 80, family, 7);
  const list = new binding.BlockList();
  const attempt = (run) => { try { return run(); } catch (error) { return [error.name, error.code, error.message]; } };
  return [
    addresses.map((address) => attempt(() => { const made = make(address); return [made.detail({}), made.legacyDetail(), made.flowlabel()]; })),
    steps.map(([method, ...args]) => [list[method](...args.map((arg) => (Array.isArray(arg) ? make(arg) : arg))), list.getRules().sort(), list.getSize()]),
  ];
}`;

it('block lists answer as node', () => {
  const address = (): Address => (random(2) ? [IPV4[random(IPV4.length)], 2] : [IPV6[random(IPV6.length)], 10]);
  const steps: Step[] = Array.from({ length: 400 }, () => {
    const [network, other] = [address(), address()];
    const prefix = random(network[1] === 2 ? 33 : 129);
    const pair: Step[] = [
      ['addAddress', network],
      ['addAddress', other],
      ['addRange', network, network[1] === other[1] ? other : network],
      ['addSubnet', network, prefix],
      ['removeAddress', network],
      ['removeSubnet', network, prefix],
      ['removeRange', network, network],
      ['check', network],
      ['check', other],
      ['check', network],
      ['checkString', network[0], network[1]],
      ['checkString', 'zz', 2],
    ];
    return random(60) === 0 ? (['clear'] as Step) : pair[random(pair.length)];
  });
  const addresses: Address[] = [...IPV4, ...IPV6, ...BAD].flatMap(
    (text) =>
      [
        [text, 2],
        [text, 10],
      ] as Address[],
  );
  const there = runNative(`answer((${RUN})(internalBinding('block_list'), input.steps, input.addresses));`, {
    steps,
    addresses,
  });
  const here = globalThis.eval(RUN)(blockList(testEnvironment()), steps, addresses);
  expect(here).toEqual(there);
});
