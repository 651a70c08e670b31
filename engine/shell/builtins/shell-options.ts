// shopt: the shell's options, and with -o those of `set`.
import { ShellError } from '../execute/control';
import type { Shell } from '../state';
import { builtinOptions } from './types';

/** `shopt -o`: the options of `set`. */
async function showOptions(shell: Shell, wanted: string[], options: Map<string, string>): Promise<number> {
  let status = 0;
  for (const name of wanted.length > 0 ? wanted : Object.keys(shell.options).sort()) {
    if (!(name in shell.options)) {
      await shell.complain(`shopt: ${name}: invalid option name`);
      status = 1;
      continue;
    }
    const on = shell.options[name as keyof Shell['options']];
    if (wanted.length > 0 && !on && !options.has('p')) status = 1;
    if (options.has('q')) continue;
    await shell.write(
      1,
      options.has('p') ? `set ${on ? '-' : '+'}o ${name}\n` : `${name.padEnd(15)}\t${on ? 'on' : 'off'}\n`,
    );
  }
  return status;
}

/** `shopt`: prints and changes the options that are not those of `set`, and with -o those. */
export async function shopt(shell: Shell, args: string[]): Promise<number> {
  const { options, rest } = builtinOptions('shopt', args, 'opqsu');
  if (options.has('o')) {
    const change = options.has('s') || options.has('u');
    if (!change) return showOptions(shell, rest, options);
    for (const name of rest) {
      if (!(name in shell.options)) throw new ShellError(`shopt: ${name}: invalid option name`);
      if (options.has('s') || options.has('u')) shell.options[name as keyof Shell['options']] = options.has('s');
    }
    return 0;
  }
  let status = 0;
  for (const name of rest.length > 0 ? rest : SHOPTS) {
    if (!SHOPTS.includes(name)) {
      await shell.complain(`shopt: ${name}: invalid shell option name`);
      status = 1;
    } else if (options.has('s') && rest.length > 0) shell.shopts.add(name);
    else if (options.has('u') && rest.length > 0) shell.shopts.delete(name);
    else {
      const on = shell.shopts.has(name);
      if (rest.length > 0 && !on) status = 1;
      if (!options.has('q') && (rest.length > 0 || !options.has('s') || on))
        await shell.write(
          1,
          options.has('p') ? `shopt ${on ? '-s' : '-u'} ${name}\n` : `${name.padEnd(15)}\t${on ? 'on' : 'off'}\n`,
        );
    }
  }
  return status;
}

const SHOPTS = [
  'autocd',
  'cdspell',
  'checkjobs',
  'checkwinsize',
  'cmdhist',
  'complete_fullquote',
  'direxpand',
  'dirspell',
  'dotglob',
  'execfail',
  'expand_aliases',
  'extdebug',
  'extglob',
  'extquote',
  'failglob',
  'force_fignore',
  'globasciiranges',
  'globskipdots',
  'globstar',
  'histappend',
  'histreedit',
  'histverify',
  'hostcomplete',
  'huponexit',
  'inherit_errexit',
  'interactive_comments',
  'lastpipe',
  'lithist',
  'localvar_inherit',
  'login_shell',
  'nocaseglob',
  'nocasematch',
  'nullglob',
  'patsub_replacement',
  'progcomp',
  'promptvars',
  'sourcepath',
  'varredir_close',
  'xpg_echo',
];
