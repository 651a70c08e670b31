// What can be clicked in a terminal: addresses, what a program made a link (OSC 8), and files of the project with a line.
import { WebLinksAddon } from '@xterm/addon-web-links';
import type { Terminal } from '@xterm/xterm';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { resolvePath } from '../../lib/std/paths';
import { type FileLink, fileLinkProvider } from './file-links';
import { followLink } from './follow-link';

export interface LinkTargets {
  sandbox: Sandbox;
  /** A link to a port of the sandbox was clicked. */
  openPort: (port: number, path: string) => void;
  /** A file of the sandbox with a line was clicked; its path is absolute. */
  openFile: (path: string, at: { line: number; column: number }) => void;
}

/** `element` tells by its title where a link leads whose text says something else. */
export function addLinks(xterm: Terminal, element: HTMLElement, { sandbox, openPort, openFile }: LinkTargets): void {
  const follow = (event: MouseEvent, link: string, read: string) => {
    if (event.button === 0) followLink(link, read, openPort);
  };
  // The program chose what is read there.
  xterm.options.linkHandler = {
    activate: (event, link) => follow(event, link, ''),
    hover: (_event, link) => element.setAttribute('title', link),
    leave: () => element.removeAttribute('title'),
  };
  xterm.loadAddon(new WebLinksAddon((event, link) => follow(event, link, link)));
  const pathOf = (link: FileLink) => resolvePath(sandbox.workdir, link.path);
  xterm.registerLinkProvider(
    fileLinkProvider(
      xterm,
      (link) => sandbox.fs.exists(pathOf(link)),
      (link, event) => event.button === 0 && openFile(pathOf(link), link),
    ),
  );
}
