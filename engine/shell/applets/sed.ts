// sed: a stream editor over lines, with GNU's -E, -n, -i, -s, -z and command set.
import fs from 'node:fs';
import { encodeText } from '../io/text';
import { lastValue, parseOptions } from './options';
import { Editor } from './sed-editor';
import { parseScript } from './sed-script';
import { type Applet, complain, readText, resolvePath } from './tool';

/** sed [-nEisz] [-e script] [-f file] [script] [files]. */
export const sed: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'nErszui?e:f:l:', {
    quiet: 'n',
    silent: 'n',
    'regexp-extended': 'E',
    'in-place=?': 'i',
    separate: 's',
    'null-data': 'z',
    'expression=': 'e',
    'file=': 'f',
    unbuffered: 'u',
    posix: 'posix',
    debug: 'debug',
  });
  const scripts: string[] = [];
  for (const [name, value] of parsed.order) {
    if (name === 'e') scripts.push(value!);
    if (name === 'f') scripts.push((await readText(tool, value!)).replace(/\n$/, ''));
  }
  let files = parsed.operands;
  if (scripts.length === 0) {
    if (files[0] === undefined) {
      await tool.stderr.write('Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...\n');
      return 1;
    }
    scripts.push(files[0]);
    files = files.slice(1);
  }
  const source = scripts.join('\n');
  const quiet = parsed.flags.has('n') || /^#n\n/.test(source);
  const commands = parseScript(source, parsed.flags.has('E') || parsed.flags.has('r'));
  const inPlace = lastValue(parsed, 'i');
  const editor = new Editor(tool, commands, quiet, parsed.flags.has('z') ? '\0' : '\n');
  if (inPlace === undefined)
    return editor.run(files.length > 0 ? files : ['-'], parsed.flags.has('s'), (text) => tool.stdout.write(text));
  let status = 0;
  for (const name of files) {
    const target = resolvePath(tool, name);
    let text = '';
    try {
      if (!fs.statSync(target).isFile()) {
        await complain(tool, `couldn't edit ${name}: not a regular file`);
        status = 4;
        continue;
      }
    } catch {
      await complain(tool, `can't read ${name}: No such file or directory`);
      status = 2;
      continue;
    }
    status = (await editor.run([name], false, (part) => void (text += part))) || status;
    if (inPlace !== '')
      fs.copyFileSync(target, resolvePath(tool, inPlace.includes('*') ? inPlace.replace('*', name) : name + inPlace));
    fs.writeFileSync(target, encodeText(text));
  }
  return status;
};
