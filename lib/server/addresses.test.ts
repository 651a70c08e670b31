import { expect, test } from 'vitest';
import { isPublicAddress } from './addresses';

test.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '11.0.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is on the internet',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:1.1.1.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'localhost',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '',
])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));
