import { expect, test } from 'vitest';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import { cleanPath, createPreview, previewUrl } from './preview-state';

test('what is typed becomes a path of this origin', () => {
  expect(cleanPath('http://localhost:3000/a?b#c')).toBe('/a?b#c');
  expect(cleanPath('localhost:3000')).toBe('/');
  expect(cleanPath(' about ')).toBe('/about');
  expect(cleanPath('//evil.example/x')).toBe('/evil.example/x');
  const port = { port: 3000, url: 'http://p-x.cloche.localhost:3000/' };
  expect(previewUrl(port, '//evil.example/')).toBe('http://p-x.cloche.localhost:3000/evil.example/');
  expect(previewUrl(port, '/\\evil.example/')).toMatch(/^http:\/\/p-x\.cloche\.localhost:3000\//);
});

test('the first server is shown, and again when it restarts; a second one does not take its place', async () => {
  const sandbox = await createMemorySandbox({
    commands: {
      serve: async (io) => {
        io.listen(Number(io.args[0]));
        await new Promise((done) => io.signal.addEventListener('abort', done));
        return 0;
      },
    },
  });
  const opened: number[] = [];
  const preview = createPreview(sandbox, (port) => opened.push(port));
  const first = await sandbox.spawn('serve', ['3000']);
  await new Promise((done) => setTimeout(done, 10));
  await sandbox.spawn('serve', ['4000']);
  await new Promise((done) => setTimeout(done, 10));
  expect(preview.state.get().port).toBe(3000);
  preview.go('about');
  const { reloads } = preview.state.get();
  first.kill();
  await first.exit;
  expect(preview.state.get()).toMatchObject({ port: 3000, path: '/about' });
  await sandbox.spawn('serve', ['3000']);
  await new Promise((done) => setTimeout(done, 10));
  expect(preview.state.get()).toMatchObject({ port: 3000, path: '/about', reloads: reloads + 1 });
  expect(opened).toEqual([3000, 4000, 3000]);
  preview.dispose();
  await sandbox.dispose();
});
