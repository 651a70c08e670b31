// The page in which a program of the model runs (code mode). Its answer's policy gives it an origin of its own that owns nothing and lets
// nothing be loaded (lib/server/page-headers.ts), and its worker inherits that. The IDE removes the frame to end the program.
import { programReady } from './words';

/** The worker's script, written by engine/build. */
declare const GUEST: string;

addEventListener(
  'message',
  (event) => {
    if (event.source !== parent) return;
    const url = URL.createObjectURL(new Blob([GUEST], { type: 'text/javascript' }));
    new Worker(url, { name: 'program' }).postMessage(event.data, [...event.ports]);
  },
  { once: true },
);
// Its origin can't be named, and there is nothing in it that could not be told to anybody.
parent.postMessage(programReady, '*');
