// Git runs programs in many ways: aliases, hooks, filters, remote helpers, `--exec`. A subcommand that is none of git's own is an alias or a program.

const known = new Set(
  'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-ref-format checkout cherry cherry-pick clean clone commit commit-tree config count-objects describe diff diff-files diff-index diff-tree difftool fetch for-each-ref format-patch fsck gc grep hash-object help init log ls-files ls-remote ls-tree merge merge-base merge-tree mktree mv name-rev notes prune pull push range-diff read-tree rebase reflog remote repack replace rerere reset restore rev-list rev-parse revert rm shortlog show show-branch show-ref sparse-checkout stash status submodule switch symbolic-ref tag update-index update-ref var verify-commit verify-tag version whatchanged worktree write-tree'.split(
    ' ',
  ),
);
/** Options in front of the subcommand whose value is the next word. */
const takesValue = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;
const mayRun = /^(?:rebase|difftool|clone|fetch|pull|push|ls-remote|archive|grep|submodule|remote)$/;
const runs = /^(?:-x|--exec\b|--extcmd|--upload-p|--receive-p|--open-files-in-pager|-O|ext::)/;
/** Settings whose value is a program, or a file of further settings. */
const programSetting =
  /^(?:alias\.|include|core\.(?:pager|editor|fsmonitor|hookspath|sshcommand|askpass|gitproxy|alternaterefscommand)|.*\.(?:cmd|command|program|textconv|driver|clean|smudge|process|helper|external|pager|editor|tool|uploadpack|receivepack|proxy|vcs)(?:=|$))/i;

/** Why nobody can tell what this line of git runs. */
export function gitProblem(name: string, texts: readonly string[]): string | undefined {
  if (name !== 'git') return undefined;
  let at = 1;
  while (texts[at]?.startsWith('-')) at += takesValue.test(texts[at]!) ? 2 : 1;
  const [subcommand, ...args] = texts.slice(at);
  if (subcommand === undefined) return undefined;
  if (!known.has(subcommand)) return `git ${subcommand} is an alias or a program of its own`;
  if (subcommand === 'submodule' && args.includes('foreach')) return 'git submodule foreach runs a command';
  if (subcommand === 'bisect' && args[0] === 'run') return 'git bisect run runs a command';
  if (subcommand === 'config' && args.some((text) => programSetting.test(text)))
    return 'it changes a setting of git that names a program';
  if (mayRun.test(subcommand) && args.some((text) => runs.test(text) || (subcommand === 'clone' && /^-u/.test(text))))
    return `an option of git ${subcommand} can run programs`;
  return undefined;
}
