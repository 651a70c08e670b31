// The url_pattern binding: the browser's own URLPattern. Where the browser has none the dumped placeholder stays.
import { unsupported } from '../process/dump';
import type { Binding } from '../process/environment';

export const urlPattern: Binding = ({ browser }) => ({
  URLPattern:
    browser.URLPattern ??
    class URLPattern {
      constructor() {
        throw unsupported('URLPattern');
      }
    },
});
