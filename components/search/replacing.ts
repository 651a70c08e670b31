// Whether the panel shows the field for the replacement; the command for it opens both.
import { createStore } from '../ui/store';

/** For as long as the page lives. */
export const replacing = createStore(false);
