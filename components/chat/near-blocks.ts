// Which blocks of a long transcript are drawn: those near what is on the screen. All of them stay in the flow of the page, the far ones with the
// height that they had or may have, so that the browser's own scroll anchoring, its search and its scrollbar work; nothing is positioned here.

/** One block as the transcript's window sees it. */
export interface WatchedBlock {
  element: HTMLElement;
  /** False while it is asked to be drawn and is not yet. */
  isDrawn(): boolean;
  /** Draws it soon, or stands in for it at this height. */
  show(drawn: boolean, heightPx: number): void;
}

/** Blocks one below the other, which may not be in the page yet. */
export interface WatchedChapter {
  element: HTMLElement;
  isFilled(): boolean;
  /** Puts its blocks into the page, soon. */
  fill(): void;
}

export interface NearBlocks {
  /** Returns how to forget it. */
  watch(block: WatchedBlock): () => void;
  /** Returns how to forget it. One after the other is filled, what is near the screen first. */
  watchChapter(chapter: WatchedChapter): () => void;
  /** Something was drawn, or may have to be. */
  lookSoon(): void;
  /** Looks whenever the scroller moves or changes its size; returns how to stop. */
  follow(scroller: HTMLElement): () => void;
}

/** So many blocks stay drawn wherever they are: a conversation of usual length is drawn whole. */
const keptBlocks = 48;
/** Drawn at once; the others come when these are on the screen. */
const blocksPerLook = 2;
/** In heights of the scroller. */
const nearScreens = 1;
const farScreens = 4;

/** Of one transcript. */
export function createNearBlocks(): NearBlocks {
  const watched = new Map<Element, WatchedBlock>();
  /** Blocks in which the person pressed something keep what was opened there. */
  const touched = new WeakSet<Element>();
  const chapters = new Map<Element, WatchedChapter>();
  /** Being drawn: what is asked for meanwhile would come into the page in one task with these. */
  const drawing = new Set<WatchedBlock>();
  /** The one that is being filled: React would put several at once into the page. */
  let filling: WatchedChapter | undefined;
  let scroller: HTMLElement | undefined;
  /** Chapters, and blocks that are in none, in the order of the page; undefined: to be read again. */
  let order: HTMLElement[] | undefined;
  let frame = 0;

  function look(): void {
    frame = 0;
    if (scroller === undefined) return;
    order ??= [...scroller.querySelectorAll<HTMLElement>(':is(.chapter, .block):not(.chapter > *)')].filter(
      (element) => watched.has(element) || chapters.has(element),
    );
    const { top, bottom, height } = scroller.getBoundingClientRect();
    if (height === 0) return;
    const nearTop = top - height * nearScreens;
    const nearBottom = bottom + height * nearScreens;
    const wanted: { block: WatchedBlock; distance: number; heightPx: number }[] = [];
    const seek = (element: HTMLElement, rect: DOMRect): void => {
      const block = watched.get(element);
      const distance = Math.max(0, rect.top - bottom, top - rect.bottom);
      if (block?.isDrawn() === false) wanted.push({ block, distance, heightPx: rect.height });
    };
    const first = firstBelow(order, nearTop);
    let unfilled: WatchedChapter | undefined;
    let at = first;
    for (; at < order.length; at++) {
      const rect = order[at]!.getBoundingClientRect();
      if (rect.top > nearBottom) break;
      const chapter = chapters.get(order[at]!);
      if (chapter === undefined) seek(order[at]!, rect);
      else if (!chapter.isFilled()) unfilled ??= chapter;
      else
        for (const element of chapter.element.children as Iterable<HTMLElement>) {
          const inner = element.getBoundingClientRect();
          if (inner.top > nearBottom) break;
          if (inner.bottom >= nearTop) seek(element, inner);
        }
    }
    if (filling?.isFilled() !== false) {
      filling = unfilled ?? (wanted.length === 0 ? nextUnfilled(order, first, at) : undefined);
      filling?.fill();
    }
    for (const block of drawing) if (block.isDrawn()) drawing.delete(block);
    // What is drawn changes where the others are; when it is there, it is looked again.
    if (drawing.size > 0) return;
    wanted.sort((a, b) => a.distance - b.distance);
    for (const { block, heightPx } of wanted.slice(0, blocksPerLook)) {
      drawing.add(block);
      block.show(true, heightPx);
    }
    if (wanted.length <= blocksPerLook) leaveFar(top - height * farScreens, bottom + height * farScreens);
  }

  /** The closest above index `first`, else below `end`. */
  function nextUnfilled(order: readonly HTMLElement[], first: number, end: number): WatchedChapter | undefined {
    const isUnfilled = (element: HTMLElement) => chapters.get(element)?.isFilled() === false;
    const next = order.slice(0, first).findLast(isUnfilled) ?? order.slice(end).find(isUnfilled);
    return next && chapters.get(next);
  }

  function leaveFar(farTop: number, farBottom: number): void {
    let drawn = 0;
    for (const block of watched.values()) if (block.isDrawn()) drawn++;
    if (drawn <= keptBlocks) return;
    for (const block of watched.values()) {
      if (!block.isDrawn() || isHeld(block.element)) continue;
      const rect = block.element.getBoundingClientRect();
      if (rect.bottom >= farTop && rect.top <= farBottom) continue;
      block.show(false, rect.height);
      if (--drawn <= keptBlocks) return;
    }
  }

  function isHeld(element: Element): boolean {
    if (touched.has(element) || element.contains(document.activeElement)) return true;
    const selection = document.getSelection();
    return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
  }

  function lookSoon(): void {
    frame ||= requestAnimationFrame(look);
  }

  return {
    watch(block) {
      const { element } = block;
      const onPress = () => touched.add(element);
      element.addEventListener('click', onPress, { capture: true });
      watched.set(element, block);
      if (!element.parentElement?.matches('.chapter')) order = undefined;
      lookSoon();
      return () => {
        element.removeEventListener('click', onPress, { capture: true });
        watched.delete(element);
        drawing.delete(block);
        order = undefined;
        lookSoon();
      };
    },
    watchChapter(chapter) {
      chapters.set(chapter.element, chapter);
      order = undefined;
      lookSoon();
      return () => {
        chapters.delete(chapter.element);
        if (filling === chapter) filling = undefined;
        order = undefined;
      };
    },
    lookSoon,
    follow(element) {
      scroller = element;
      const observer = new ResizeObserver(lookSoon);
      observer.observe(element);
      element.addEventListener('scroll', lookSoon, { passive: true });
      lookSoon();
      return () => {
        observer.disconnect();
        element.removeEventListener('scroll', lookSoon);
        cancelAnimationFrame(frame);
        frame = 0;
        scroller = undefined;
      };
    },
  };
}

/** The index of the first element that ends below `y`. *Contract:* they stand one below the other. */
function firstBelow(elements: readonly HTMLElement[], y: number): number {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elements[middle]!.getBoundingClientRect().bottom < y) low = middle + 1;
    else high = middle;
  }
  return low;
}
