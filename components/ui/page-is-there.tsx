// Says that the page's scripts and its sheet have come (not-there-yet.tsx).
'use client';

import { useEffect } from 'react';

/** Shows nothing. */
export function PageIsThere() {
  useEffect(() => {
    const { documentElement } = document;
    // A page without its sheet works, and nobody can use it.
    const isStyled = getComputedStyle(documentElement).getPropertyValue('--surface') !== '';
    if (isStyled) documentElement.dataset.there = '';
  }, []);
  return null;
}
