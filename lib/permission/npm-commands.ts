// npm's subcommands under all their names (npm 11, lib/utils/cmd-list.js): it takes aliases, misspellings, camel case and every unambiguous
// beginning, so a rule about `npm publish` has to hold for `npm publ`.

const names =
  'access adduser approve-scripts audit bugs cache ci completion config dedupe deny-scripts deprecate diff dist-tag docs doctor edit exec explain explore find-dupes fund get help help-search init install install-ci-test install-scripts install-test link ll login logout ls org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run sbom search set shrinkwrap stage star stars start stop team test token trust undeprecate uninstall unpublish unstar update version view whoami'.split(
    ' ',
  );
const aliases: Record<string, string> = Object.fromEntries(
  'author:owner home:docs issues:bugs info:view show:view find:search add:install unlink:uninstall remove:uninstall rm:uninstall r:uninstall un:uninstall rb:rebuild list:ls ln:link create:init i:install it:install-test cit:install-ci-test u:update up:update c:config s:search se:search tst:test t:test ddp:dedupe v:view run-script:run clean-install:ci clean-install-test:install-ci-test x:exec why:explain la:ll verison:version ic:ci innit:init in:install ins:install inst:install insta:install instal:install isnt:install isnta:install isntal:install isntall:install install-clean:ci isntall-clean:ci hlep:help dist-tags:dist-tag upgrade:update udpate:update rum:run sit:install-ci-test urn:run ogr:org add-user:adduser'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** The full name of what was typed after `npm`; the text itself when it is none. */
export function npmCommand(typed: string): string {
  const text = typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (names.includes(text)) return text;
  if (Object.hasOwn(aliases, text)) return aliases[text]!;
  const meant = new Set(
    [...names, ...Object.keys(aliases)]
      .filter((name) => text !== '' && name.startsWith(text))
      .map((name) => aliases[name] ?? name),
  );
  return meant.size === 1 ? [...meant][0]! : typed;
}

/** What else npm does under that name: `npm it` installs and tests. */
export function npmAlso(typed: string): string[] {
  const does: Record<string, string[]> = {
    'install-test': ['install', 'test'],
    'install-ci-test': ['ci', 'test'],
    restart: ['stop', 'start'],
  };
  const name = npmCommand(typed);
  return Object.hasOwn(does, name) ? does[name]! : [];
}
