// The part of the contract about processes. It speaks bash and node, so only backends with a real computer run it.

import { assert, type ContractCase, equal, rejectsWith } from './contract-assert';
import { realPath } from './real-path';
import type { Sandbox, SpawnOptions } from './sandbox';

/** Runs to the end; output as text. */
async function run(sandbox: Sandbox, command: string, args: string[], options?: SpawnOptions, input = '') {
  const child = await sandbox.spawn(command, args, options);
  const writer = child.input.getWriter();
  if (input !== '') await writer.write(new TextEncoder().encode(input));
  await writer.close().catch(() => {});
  const [out, err, end] = await Promise.all([readAll(child.output), readAll(child.stderr), child.exit]);
  return { out, err, end };
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

/** Cases for backends with bash and node. */
export const processCases: ContractCase[] = [
  {
    name: 'exit codes, output and errors are kept apart',
    needs: 'shell',
    async run(sandbox) {
      const result = await run(sandbox, 'bash', ['-c', 'echo out; echo err >&2; exit 7']);
      equal(result, { out: 'out\n', err: 'err\n', end: { kind: 'exited', code: 7 } });
    },
  },
  {
    name: 'cwd, env and stdin reach the process; the default cwd is the workdir',
    needs: 'shell',
    async run(sandbox) {
      await sandbox.fs.makeDirectory(`${sandbox.workdir}/sub`);
      const script = 'pwd; echo "$GREETING"; cat';
      const options = { cwd: `${sandbox.workdir}/sub`, env: { GREETING: 'a b' } };
      equal((await run(sandbox, 'bash', ['-c', script], options, 'input')).out, `${sandbox.workdir}/sub\na b\ninput`);
      equal((await run(sandbox, 'pwd', [])).out, `${sandbox.workdir}\n`);
      await rejectsWith('ENOENT', sandbox.spawn('pwd', [], { cwd: `${sandbox.workdir}/nope` }));
    },
  },
  {
    name: 'files written by a process are read by fs, and the other way round',
    needs: 'shell',
    async run(sandbox) {
      await sandbox.fs.write(`${sandbox.workdir}/in.txt`, 'from fs');
      await run(sandbox, 'node', ['-e', "fs.writeFileSync('out.txt', fs.readFileSync('in.txt', 'utf8') + '!')"]);
      equal(await sandbox.fs.readText(`${sandbox.workdir}/out.txt`), 'from fs!');
    },
  },
  {
    name: 'kill ends a busy process with SIGKILL, and a sleeping one with SIGTERM',
    needs: 'shell',
    async run(sandbox) {
      const busy = await sandbox.spawn('node', ['-e', "console.log('up'); for (;;);"]);
      await busy.output.getReader().read();
      busy.kill('SIGKILL');
      equal(await busy.exit, { kind: 'signalled', signal: 'SIGKILL' });
      const sleeping = await sandbox.spawn('sleep', ['60']);
      sleeping.kill();
      equal(await sleeping.exit, { kind: 'signalled', signal: 'SIGTERM' });
    },
  },
  {
    name: 'the end of a shell does not wait for what it left in the background, which goes on; what that prints at once is heard',
    needs: 'shell',
    async run(sandbox) {
      const { fs, workdir } = sandbox;
      const waiting = 'until [ -e go ]; do sleep 0.05; done; echo "$0" > gone';
      const script = `(${waiting}) & sh -c '(${waiting}-too) &' inner; echo left & exit 3`;
      const child = await sandbox.spawn('bash', ['-c', script, 'outer']);
      const output = readAll(child.output);
      equal(await child.exit, { kind: 'exited', code: 3 });
      await fs.write(`${workdir}/go`, '');
      for (const name of ['gone', 'gone-too'])
        for (let tries = 0; !(await fs.exists(`${workdir}/${name}`)); tries++) {
          assert(tries < 400, `${name} is never written`);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      equal(await output, 'left\n');
    },
  },
  {
    name: 'readlink tells what a link holds, of one that leads nowhere too; realpath follows links',
    needs: 'shell',
    async run(sandbox) {
      const { fs, workdir } = sandbox;
      await fs.write(`${workdir}/file`, '');
      await run(sandbox, 'ln', ['-s', 'file', 'link']);
      await run(sandbox, 'ln', ['-s', '/nowhere/x', 'dangling']);
      equal(await fs.readlink(`${workdir}/link`), 'file');
      equal(await fs.readlink(`${workdir}/dangling`), '/nowhere/x');
      equal(await fs.realpath(`${workdir}/link`), `${await fs.realpath(workdir)}/file`);
      await rejectsWith('EINVAL', fs.readlink(`${workdir}/file`));
      await rejectsWith('ENOENT', fs.readlink(`${workdir}/nope`));
      equal(await realPath(fs, `${workdir}/dangling/y`), '/nowhere/x/y');
    },
  },
  {
    name: 'a server opens a port, and closing it is reported',
    needs: 'shell',
    async run(sandbox) {
      const seen: number[][] = [];
      const stop = sandbox.ports.subscribe((ports) => seen.push(ports.map((port) => port.port)));
      equal(seen, [[]]);
      const code = "require('http').createServer((q, s) => s.end('hi')).listen(8123, () => console.log('up'))";
      const server = await sandbox.spawn('node', ['-e', code]);
      await server.output.getReader().read();
      for (let tries = 0; tries < 100 && !seen.at(-1)?.includes(8123); tries++)
        await new Promise((r) => setTimeout(r, 50));
      assert(seen.at(-1)?.includes(8123) ?? false, 'the port is reported');
      server.kill('SIGKILL');
      await server.exit;
      for (let tries = 0; tries < 100 && seen.at(-1)?.length !== 0; tries++)
        await new Promise((r) => setTimeout(r, 50));
      equal(seen.at(-1), []);
      stop();
    },
  },
  {
    name: 'with a terminal, isatty is true, the size is told, and stderr comes on output',
    needs: 'shell',
    async run(sandbox) {
      const code =
        'process.stdout.write([process.stdout.isTTY, process.stdout.columns, process.stdout.rows].join(" ")); console.error("err")';
      const { out, err } = await run(sandbox, 'node', ['-e', code], { terminal: { columns: 91, rows: 17 } });
      assert(out.includes('true 91 17') && out.includes('err') && err === '', JSON.stringify({ out, err }));
    },
  },
  {
    name: 'a program in a terminal that asks for raw input gets every key as it is, without echo, however long the input',
    needs: 'shell',
    async run(sandbox) {
      const code = `let text = '';
        process.stdin.setRawMode(true).on('data', (keys) => {
          text += keys;
          if (text.endsWith('q')) {
            console.log(JSON.stringify([text.slice(0, 2), text.length]));
            process.exit(0);
          }
        });
        console.log('up');`;
      const child = await sandbox.spawn('node', ['-e', code], { terminal: { columns: 80, rows: 24 } });
      const [out, again] = child.output.tee();
      await again.getReader().read();
      const keys = child.input.getWriter();
      await keys.write(new TextEncoder().encode(`\u0003\r${'x'.repeat(100_000)}q`));
      equal(await readAll(out), 'up\r\n["\\u0003\\r",100003]\r\n');
      equal(await child.exit, { kind: 'exited', code: 0 });
    },
  },
  {
    name: 'a megabyte of output arrives whole',
    needs: 'shell',
    async run(sandbox) {
      const { out } = await run(sandbox, 'node', ['-e', "process.stdout.write('x'.repeat(1 << 20) + 'end')"]);
      equal([out.length, out.endsWith('end')], [(1 << 20) + 3, true]);
    },
  },
  {
    name: 'a process under a policy can change nothing elsewhere and sees no hidden file, or it is refused by name',
    needs: 'shell',
    async run(sandbox) {
      const policy = { writable: ['/tmp'], hidden: ['.env', '.env.*', '!.env.example'] };
      if (sandbox.backend === 'webcontainer') return rejectsWith('ENOTSUP', sandbox.spawn('true', [], { policy }));
      const { fs, workdir } = sandbox;
      await fs.write(`${workdir}/kept`, 'kept');
      await fs.write(`${workdir}/.env`, 'SECRET');
      await fs.write(`${workdir}/.env.example`, 'EXAMPLE');
      const script = [
        'echo x > new; echo x > kept; echo x >> kept; rm kept; mv kept moved; mkdir made; ln -s kept link; ln kept /tmp/hard',
        'touch kept; chmod 777 kept; truncate -s 0 kept; cp kept /tmp/copy; mv /tmp/copy back',
        'ln -s "$PWD" /tmp/way; echo x > /tmp/way/through; echo x > /tmp/way/kept',
        `node -e "fs.writeFileSync('x', 'y')"; node -e "child_process.execSync('touch child')"`,
        `node -e "new worker_threads.Worker('fs.writeFileSync(\\'thread\\', \\'\\')', { eval: true }).on('error', () => {})"`,
        'cat .env; cat .e*; ln -s "$PWD/.env" /tmp/secret; cat /tmp/secret; echo x > .env; ls -a',
      ].join('\n');
      const { out } = await run(sandbox, 'bash', ['-c', `(${script}) 2> /tmp/errors; rm -rf /tmp/way /tmp/secret`], {
        policy,
      });
      equal(out, 'EXAMPLE.\n..\n.env.example\nkept\n');
      equal(
        (await fs.list(workdir)).map(({ name }) => name),
        ['.env', '.env.example', 'kept'],
      );
      equal(await fs.readText(`${workdir}/kept`), 'kept');
      equal(await fs.readText(`${workdir}/.env`), 'SECRET');
      equal(await fs.readText('/tmp/copy'), 'kept');
      equal(await fs.exists('/tmp/hard'), false);
      const errors = await fs.readText('/tmp/errors');
      assert(errors.includes('EROFS: read-only file system, open'), errors);
    },
  },
];
