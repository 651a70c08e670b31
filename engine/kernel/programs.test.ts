// Program resolution on a real tree, as execve(2) and env(1) would decide.
import { describe, expect, it } from 'vitest';
import { EACCES, ELOOP, ENOENT, ENOEXEC, ENOTDIR } from '../memory/errno';
import { createSharedMemory } from '../memory/memory';
import { formatTree, openTree } from '../tree/tree';
import { writeBaseFiles } from './base-files';
import { createFiles } from './files';
import { PROGRAMS } from './program-list';
import { findOnPath, resolveProgram } from './programs';

function machine() {
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory);
  writeBaseFiles(tree, PROGRAMS);
  const files = createFiles(tree);
  const script = (path: string, text: string, mode = 0o755) => {
    files.write(path, new TextEncoder().encode(text));
    files.setMode(path, mode);
  };
  return { tree, files, script };
}

const PATH = '/usr/local/bin:/usr/bin:/bin';

describe('resolveProgram', () => {
  it('reads the marker of builtin programs, through links too', () => {
    const { tree } = machine();
    tree.symlink('/usr/local/bin/node', '/tmp/link');
    expect(resolveProgram(tree, '/usr/local/bin/node', ['node', 'x'], PATH)).toEqual({
      program: 'node',
      file: '/usr/local/bin/node',
      argv: ['node', 'x'],
    });
    expect(resolveProgram(tree, '/tmp/link', ['link'], PATH)).toMatchObject({ program: 'node', argv: ['link'] });
    expect(resolveProgram(tree, '/bin/bash', ['bash'], PATH)).toMatchObject({ program: 'bash' });
  });

  it.each([
    ['#!/bin/sh\n', ['/bin/sh', '/tmp/s', 'a']],
    ['#!/bin/sh -eu\necho', ['/bin/sh', '-eu', '/tmp/s', 'a']],
    ['#! /usr/local/bin/node  --title=a b\r\n', ['/usr/local/bin/node', '--title=a b', '/tmp/s', 'a']],
    ['#!/usr/bin/env node', ['node', '/tmp/s', 'a']],
    ['#!/usr/bin/env -S node --no-warnings\n', ['node', '--no-warnings', '/tmp/s', 'a']],
  ])('follows %j', (line, argv) => {
    const { tree, script } = machine();
    script('/tmp/s', line);
    expect(resolveProgram(tree, '/tmp/s', ['s', 'a'], PATH)).toMatchObject({ argv });
  });

  it('answers as execve does when nothing can run', () => {
    const { tree, script, files } = machine();
    script('/tmp/plain', 'echo hi\n');
    script('/tmp/locked', '#!/bin/sh\n', 0o644);
    script('/tmp/missing', '#!/nope\n');
    script('/tmp/noenv', '#!/usr/bin/env nope\n');
    script('/tmp/loop', '#!/tmp/loop\n');
    files.makeDirectory('/tmp/directory');
    const errno = (path: string) => resolveProgram(tree, path, ['x'], PATH);
    expect(
      ['plain', 'locked', 'missing', 'noenv', 'loop', 'directory', 'absent', 'plain/x'].map((name) =>
        errno(`/tmp/${name}`),
      ),
    ).toEqual([ENOEXEC, EACCES, ENOENT, ENOENT, ELOOP, EACCES, ENOENT, ENOTDIR]);
  });
});

describe('findOnPath', () => {
  it('takes the first executable, skips what is none, and leaves names with a slash alone', () => {
    const { tree, script } = machine();
    script('/tmp/a/tool', '#!/bin/sh\n', 0o644);
    script('/tmp/b/tool', '#!/bin/sh\n');
    expect(findOnPath(tree, 'tool', '/tmp/a:/tmp/b', '/')).toBe('/tmp/b/tool');
    expect(findOnPath(tree, 'tool', '/tmp/a', '/')).toBe(EACCES);
    expect(findOnPath(tree, 'tool', '/nope', '/')).toBe(ENOENT);
    expect(findOnPath(tree, 'tool', '', '/tmp/b')).toBe('/tmp/b/tool');
    expect(findOnPath(tree, './tool', PATH, '/tmp/b')).toBe('/tmp/b/./tool');
  });
});
