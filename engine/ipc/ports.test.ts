// The table of ports: conflicts as Linux has them, ephemeral ports, and what the end of a process frees.
import { describe, expect, it } from 'vitest';
import { EADDRINUSE } from '../memory/errno';
import { createSharedMemory } from '../memory/memory';
import { createParty } from './party';
import { openPorts, PORT_HOST } from './ports';

const { v4, v6, unix } = PORT_HOST;
const table = () => openPorts(createParty(createSharedMemory(4096), 0, 1));

describe('ports', () => {
  it('refuses what overlaps and allows what does not', () => {
    const ports = table();
    expect(ports.bind(1, 80, v4)).toBeGreaterThanOrEqual(0);
    expect(ports.bind(2, 80, v4 | v6)).toBe(EADDRINUSE);
    expect(ports.bind(2, 80, v6)).toBeGreaterThanOrEqual(0);
    expect(ports.bind(2, 80, unix)).toBeGreaterThanOrEqual(0);
    expect(ports.bind(2, 81, v4)).toBeGreaterThanOrEqual(0);
  });

  it('finds a listener only once it listens, and frees by entry and by process', () => {
    const ports = table();
    const first = ports.bind(1, 80, v4);
    expect(ports.find(80, v4)).toBeUndefined();
    ports.listen(first, 7);
    ports.listen(ports.bind(1, 5000, unix), 8);
    expect(ports.find(80, v4 | v6)).toEqual({ index: first, port: 80, hosts: v4, slot: 1, listener: 7 });
    expect(ports.find(80, v6)).toBeUndefined();
    expect(ports.listening()).toEqual([80]);
    ports.release(first);
    expect(ports.listening()).toEqual([]);
    expect(ports.releaseAll(1)).toBe(true);
    expect(ports.releaseAll(1)).toBe(false);
    expect(ports.find(5000, unix)).toBeUndefined();
  });

  it('keeps UDP apart from TCP, and counts what waits for a socket', () => {
    const ports = table();
    const index = ports.bind(1, 80, PORT_HOST.udp4);
    expect(ports.bind(2, 80, v4)).toBeGreaterThanOrEqual(0);
    expect(ports.bind(2, 80, PORT_HOST.udp4 | PORT_HOST.udp6)).toBe(EADDRINUSE);
    ports.listen(index, 3);
    expect(ports.listening()).toEqual([]);
    expect([1, 2, 3, 4].map(() => ports.charge(index, 60_000))).toEqual([true, true, true, false]);
    ports.discharge(index, 60_000);
    expect(ports.charge(index, 60_000)).toBe(true);
    expect(ports.releaseAll(1)).toBe(false);
    expect(ports.find(80, PORT_HOST.udp4)).toBeUndefined();
  });

  it('hands out ephemeral ports that are free', () => {
    const ports = table();
    const given = Array.from({ length: 200 }, () => ports.portAt(ports.bind(1, 0, v4)));
    expect(new Set(given).size).toBe(200);
    expect(given.every((port) => port >= 32768 && port < 61000)).toBe(true);
  });
});
