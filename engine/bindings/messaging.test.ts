// Message ports, the clone protocol and ports between threads (two realms here, joined by a real channel).
import { describe, expect, it } from 'vitest';
import { blob } from './blob';
import { messaging, threadPortsOf } from './messaging';
import { PortMailbox } from './port-mailbox';
import { PortQueue } from './port-queue';
import { testEnvironment } from './testing/environment';
import { settleArrivals } from './thread-links';

function thread() {
  const environment = testEnvironment({
    perContext: {
      DOMException,
      emitMessage(this: any, data: unknown, ports: unknown[], type: string) {
        this.onmessage?.({ data, ports, type });
      },
    },
  });
  const binding = messaging(environment);
  return { environment, binding, ports: threadPortsOf(environment) };
}

const turn = async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  // On a busy machine the time is over before the loop has turned.
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
};
const failure = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    const { name, code, message } = error as any;
    return `${name}|${code}|${message}`;
  }
  return 'no error';
};

describe('messaging in one process', () => {
  const { binding, environment } = thread();
  const { symbols, privateSymbols } = environment;

  it('delivers in order, synchronously or in turns, and closes both ends', async () => {
    const { port1, port2 } = new binding.MessageChannel();
    port1.postMessage({ a: [1, new Map([[1, 2n]])] });
    expect(binding.receiveMessageOnPort(port2)).toEqual({ a: [1, new Map([[1, 2n]])] });
    expect(binding.receiveMessageOnPort(port2)).toBe(symbols.no_message_symbol);
    const seen: unknown[] = [];
    port2.onmessage = ({ data }: any) => seen.push(data);
    port2[symbols.handle_onclose] = () => seen.push('closed 2');
    port1[symbols.handle_onclose] = () => seen.push('closed 1');
    for (const value of [1, 2, 3]) port1.postMessage(value);
    port2.start();
    port2.ref();
    expect(environment.loop.handles.has(port2)).toBe(true);
    port1.close();
    await turn();
    expect(seen.filter((item) => typeof item === 'number')).toEqual([1, 2, 3]);
    expect(seen.at(-1)).toBe('closed 2');
    expect(seen).toContain('closed 1');
    expect(environment.loop.handles.size).toBe(0);
    expect(port2.hasRef()).toBe(undefined);
    expect(port1.postMessage(1)).toBe(undefined);
  });

  it('has the errors of node', () => {
    const { port1, port2 } = new binding.MessageChannel();
    const buffer = new ArrayBuffer(4);
    const clone = (value: unknown, transfer: unknown[] = []) => binding.structuredClone(value, { transfer });
    expect(failure(() => clone(() => 1))).toBe('DataCloneError|25|() => 1 could not be cloned.');
    expect(failure(() => clone(buffer, [buffer, buffer]))).toBe(
      'DataCloneError|25|Transfer list contains duplicate ArrayBuffer',
    );
    expect(clone(buffer, [buffer]).byteLength).toBe(4);
    expect(buffer.byteLength).toBe(0);
    expect(failure(() => port1.postMessage(port2))).toBe(
      'DataCloneError|25|Object that needs transfer was found in message but not listed in transferList',
    );
    expect(failure(() => port1.postMessage(1, [port1]))).toBe('DataCloneError|25|Transfer list contains source port');
    expect(failure(() => port1.postMessage(1, [port2, port2]))).toBe(
      'DataCloneError|25|Transfer list contains duplicate MessagePort',
    );
    expect(failure(() => port1.postMessage())).toBe(
      'TypeError|ERR_MISSING_ARGS|Not enough arguments to MessagePort.postMessage',
    );
    expect(failure(() => port1.postMessage(1, 1))).toBe(
      'TypeError|ERR_INVALID_ARG_TYPE|Optional transferList argument must be an iterable',
    );
    expect(failure(() => port1.postMessage(1, { transfer: null }))).toBe(
      'TypeError|ERR_INVALID_ARG_TYPE|Optional options.transfer argument must be an iterable',
    );
    expect(failure(() => port1.postMessage(1, [{}]))).toBe(
      'TypeError|ERR_INVALID_TRANSFER_OBJECT|Found invalid object in transferList',
    );
    expect(failure(() => new binding.MessagePort())).toBe(
      'TypeError|ERR_CONSTRUCT_CALL_INVALID|Constructor cannot be called',
    );
    expect(failure(() => binding.receiveMessageOnPort({}))).toBe(
      'TypeError|ERR_INVALID_ARG_TYPE|The "port" argument must be a MessagePort instance',
    );
    const locked = {};
    (locked as any)[privateSymbols.transfer_mode_private_symbol] = 0;
    expect(failure(() => clone(locked))).toBe('DataCloneError|25|Cannot clone object of unsupported type.');
    const buffer2 = new ArrayBuffer(1);
    (buffer2 as any)[privateSymbols.untransferable_object_private_symbol] = true;
    expect(failure(() => clone(1, [buffer2]))).toBe('DataCloneError|25|Cannot transfer object of unsupported type.');
    expect(buffer2.byteLength).toBe(1);
  });

  it("follows Node's protocol for objects of lib", () => {
    class Point {
      x = 0;
      [symbols.messaging_clone_symbol]() {
        return { data: { x: this.x }, deserializeInfo: 'internal/point:Point' };
      }
      [symbols.messaging_deserialize_symbol]({ x }: { x: number }) {
        this.x = x;
      }
    }
    binding.setDeserializerCreateObjectFunction(() => new Point());
    const point = new Point();
    point.x = 5;
    (point as any)[privateSymbols.transfer_mode_private_symbol] = 2;
    const copy = binding.structuredClone([point, point]);
    expect(copy[0]).toBeInstanceOf(Point);
    expect(copy[0]).not.toBe(point);
    expect(copy[0].x).toBe(5);
    expect(copy[1]).toBe(copy[0]);
    const handle = blob(environment).createBlob([Uint8Array.of(1, 2, 3)], 3);
    let bytes: unknown;
    binding
      .structuredClone({ handle })
      .handle.getReader()
      .pull((_: number, buffer: unknown) => (bytes = buffer));
    expect(new Uint8Array(bytes as ArrayBuffer)).toEqual(Uint8Array.of(1, 2, 3));
    const shared = new SharedArrayBuffer(4);
    expect(binding.structuredClone([shared])[0]).toBe(shared);
  });

  it('moves ports with what waits in them', () => {
    const outer = new binding.MessageChannel();
    const inner = new binding.MessageChannel();
    inner.port1.postMessage('before');
    outer.port1.postMessage({ port: inner.port2 }, [inner.port2]);
    inner.port1.postMessage('after');
    expect(inner.port2.postMessage('gone')).toBe(undefined);
    const { port } = binding.receiveMessageOnPort(outer.port2);
    expect(binding.receiveMessageOnPort(port)).toBe('before');
    expect(binding.receiveMessageOnPort(port)).toBe('after');
    port.postMessage('back');
    expect(binding.receiveMessageOnPort(inner.port1)).toBe('back');
  });

  it('broadcasts by name', () => {
    const [first, second, other] = ['n', 'n', 'o'].map((name) => binding.broadcastChannel(name));
    expect(first.postMessage({ x: 1 })).toBe(true);
    expect(binding.receiveMessageOnPort(second)).toEqual({ x: 1 });
    expect(binding.receiveMessageOnPort(first)).toBe(symbols.no_message_symbol);
    expect(binding.receiveMessageOnPort(other)).toBe(symbols.no_message_symbol);
    second.close();
  });
});

describe('messaging between threads', () => {
  it('carries values, buffers and ports, and reads synchronously what was sent', async () => {
    const [here, there] = [thread(), thread()];
    // A worker's private port: one end here, the other sent through a browser's channel.
    const [near, far] = PortQueue.pair();
    const end = far.toRemoteEnd([]);
    const parent: any = here.ports.attach(near);
    const wire = new MessageChannel();
    const arrived = new Promise<any>((resolve) => {
      wire.port2.onmessage = ({ data }) => {
        const child: any = there.ports.attach(PortQueue.fromRemoteEnd(data));
        child.onmessage = (event: any) => resolve(event.data);
        child.start();
      };
    });
    const { port1, port2 } = new here.binding.MessageChannel();
    port1.postMessage('early');
    const buffer = Uint8Array.of(7, 8).buffer;
    parent.postMessage({ port: port2, buffer, text: 'é\u1234' }, [port2, buffer]);
    wire.port1.postMessage(end, [end.port as unknown as MessagePort]);
    const received = await arrived;
    expect(received.text).toBe('é\u1234');
    expect(new Uint8Array(received.buffer)).toEqual(Uint8Array.of(7, 8));
    const none = there.environment.symbols.no_message_symbol;
    const read = () => there.binding.receiveMessageOnPort(received.port);
    // No turn of any event loop from here on: this is what a blocked worker sees.
    port1.postMessage({ n: 1 });
    port1.postMessage('x'.repeat(100_000));
    expect([read(), read(), read(), read()]).toEqual(['early', { n: 1 }, 'x'.repeat(100_000), none]);
    for (let count = 0; count < 500; count++) {
      port1.postMessage('y'.repeat(count * 137));
      expect(read()).toBe('y'.repeat(count * 137));
    }
    const moved = Uint8Array.of(1, 2, 3);
    const sentBlob = blob(here.environment).createBlob([Uint8Array.of(4, 5)], 2);
    port1.postMessage({ moved, again: moved.subarray(1), blob: sentBlob }, [moved.buffer]);
    expect(moved.byteLength).toBe(0);
    const whole = read();
    expect(whole.moved).toEqual(Uint8Array.of(1, 2, 3));
    expect(whole.again.buffer).toBe(whole.moved.buffer);
    let bytes: unknown;
    whole.blob.getReader().pull((_: number, buffer: unknown) => (bytes = buffer));
    expect(new Uint8Array(bytes as ArrayBuffer)).toEqual(Uint8Array.of(4, 5));
    const growing = new ArrayBuffer(2, { maxByteLength: 8 } as never);
    port1.postMessage(growing, [growing]);
    await turn();
    expect(read().maxByteLength).toBe(8);
    port1.postMessage(new SharedArrayBuffer(4));
    port1.postMessage('last');
    expect(failure(read)).toContain('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM');
    await turn();
    expect(read()).toBeInstanceOf(SharedArrayBuffer);
    expect(read()).toBe('last');
    const seen: unknown[] = [];
    port1.onmessage = ({ data }: any) => seen.push(data);
    port1.start();
    received.port.postMessage([1]);
    received.port[there.environment.symbols.handle_onclose] = () => seen.push('closed there');
    port1[here.environment.symbols.handle_onclose] = () => seen.push('closed here');
    received.port.close();
    await turn();
    expect(seen.filter((item) => item !== 'closed there')).toEqual([[1], 'closed here']);
    expect(seen).toContain('closed there');
    wire.port1.close();
    parent.close();
  });

  it('waits for what is under way when a thread has ended', async () => {
    const [here, there] = [thread(), thread()];
    const [near, far] = PortQueue.pair();
    const parent: any = here.ports.attach(near);
    const child: any = there.ports.attach(PortQueue.fromRemoteEnd(far.toRemoteEnd([])));
    child.postMessage('plain');
    child.postMessage(new SharedArrayBuffer(4));
    await new Promise<void>((resolve) => settleArrivals(setTimeout, resolve));
    expect(here.binding.receiveMessageOnPort(parent)).toBe('plain');
    expect(here.binding.receiveMessageOnPort(parent)).toBeInstanceOf(SharedArrayBuffer);
    parent.close();
  });

  it('wraps its ring and says when it is full', () => {
    const writer = new PortMailbox();
    const reader = new PortMailbox(writer.memory);
    const megabyte = new Uint8Array(1 << 20).fill(5);
    for (let round = 0; round < 10; round++) {
      for (let count = 0; count < 3; count++)
        expect(writer.put({ sequence: count, isPacked: false, bytes: megabyte })).toBe(true);
      expect(writer.put({ sequence: 9, isPacked: false, bytes: megabyte })).toBe(false);
      for (let count = 0; count < 3; count++) {
        const mail = reader.take()!;
        expect([mail.sequence, mail.bytes.length, mail.bytes.every((byte) => byte === 5)]).toEqual([
          count,
          1 << 20,
          true,
        ]);
      }
      expect(reader.take()).toBe(undefined);
    }
  });
});
