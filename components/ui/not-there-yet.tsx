// What a page says while its code has not come: the network broke off, or is slow. It needs none of our files, neither script nor sheet: the browser
// shows it by itself after a while, unless the page has said before that it is there.
import { PageIsThere } from './page-is-there';

/** Far beyond what a slow line needs for the first part of a page. */
const afterSeconds = 15;

const sheet = `
@keyframes not-there-yet { to { visibility: visible } }
.not-there-yet {
  visibility: hidden; animation: not-there-yet 0s ${afterSeconds}s forwards;
  position: fixed; inset: auto 0 0 0; z-index: 9999; padding: 16px; text-align: center;
  color-scheme: light dark; color: CanvasText; background: Canvas; border-top: 1px solid GrayText; font: 15px/1.5 system-ui, sans-serif;
}
/* A project's page has a cover, which says it itself. */
[data-there] .not-there-yet, :root:has(#boot-cover) .not-there-yet { display: none }
`;

/** In every page's HTML. */
export function NotThereYet() {
  return (
    <>
      <style>{sheet}</style>
      <p className="not-there-yet" role="status">
        This page has not come whole yet. If the network is slow, wait a little; if it broke off, reload the page. What
        is saved in this browser stays.
      </p>
      <PageIsThere />
    </>
  );
}
