// A link in the terminal was clicked. A program printed it, so it may say one thing and lead to another.
import { printedLink, shownTarget } from '../markdown/links';
import { showToast } from '../ui/toasts';

/**
 * A server of the sandbox goes to `openPort`, the web into a new tab. `read`: what stands there; who could not read where it leads is told before
 * anything is opened. What is neither is left alone.
 */
export function followLink(link: string, read: string, openPort: (port: number, path: string) => void): void {
  const target = printedLink(link);
  if (target === undefined) return;
  if (target.kind === 'port') return openPort(target.port, target.path);
  const run = () => void window.open(target.href, '_blank', 'noopener,noreferrer');
  if (shownTarget(target.href, read) === undefined) return run();
  showToast(`This link leads to ${target.href.slice(0, 300)}`, { action: { label: 'Open', run } });
}
