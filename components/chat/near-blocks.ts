// Which blocks of a long transcript are drawn: those near what is on the screen. All of them stay in the flow of the page, the far ones with the
// height that they had or may have, so that the browser's own scroll anchoring, its search and its scrollbar work; nothing is positioned here.

/** One block as the transcript's window sees it. */
export interface WatchedBlock {
  element: HTMLElement;
  /** How many parts are drawn in it: what drawing it costs. */
  parts(): number;
  /** False while it is asked to be drawn and is not yet. */
  isDrawn(): boolean;
  /** Draws it soon, or stands in for it at this height. */
  show(drawn: boolean, heightPx: number): void;
}

/** Blocks, or chapters and blocks, one below the other, which may not be in the page yet. */
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
/** Parts that are drawn at once (but always one block); the others come when these are on the screen. */
const partsPerLook = 16;
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
  /** Those whose blocks are not in the page. */
  const unfilled = new Set<WatchedChapter>();
  /** What stands in a chapter, or (by the scroller) in none, in the order of the page. What is not here is read again. */
  const within = new Map<Element, HTMLElement[]>();
  /** Something was drawn since what is far was last left: only then all have to be looked at. */
  let isMore = true;
  let frame = 0;

  function placed(around: HTMLElement): HTMLElement[] {
    let known = within.get(around);
    if (known === undefined) {
      known = [...around.querySelectorAll<HTMLElement>(':is(.stretch, .chapter, .block)')].filter(
        (element) => (watched.has(element) || chapters.has(element)) && around === (chapterOf(element) ?? scroller),
      );
      within.set(around, known);
    }
    return known;
  }

  /** Something came into the chapter, or left it. */
  function changed(chapter: Element | undefined): void {
    const around = chapter ?? scroller;
    if (around !== undefined) within.delete(around);
  }

  function look(): void {
    frame = 0;
    if (scroller === undefined) return;
    const { top, bottom, height } = scroller.getBoundingClientRect();
    if (height === 0) return;
    const nearTop = top - height * nearScreens;
    const nearBottom = bottom + height * nearScreens;
    const distanceOf = (rect: DOMRect) => Math.max(0, rect.top - bottom, top - rect.bottom);
    const wanted: { block: WatchedBlock; distance: number; heightPx: number }[] = [];
    let isReached = false;
    const seek = (elements: readonly HTMLElement[]): void => {
      for (let at = firstBelow(elements, nearTop); at < elements.length; at++) {
        const element = elements[at]!;
        const rect = element.getBoundingClientRect();
        if (rect.top > nearBottom) break;
        const chapter = chapters.get(element);
        const block = watched.get(element);
        if (chapter?.isFilled()) seek(placed(element));
        else if (chapter !== undefined) isReached = true;
        else if (block?.isDrawn() === false) wanted.push({ block, distance: distanceOf(rect), heightPx: rect.height });
      }
    };
    seek(placed(scroller));
    for (const chapter of unfilled) if (chapter.isFilled()) unfilled.delete(chapter);
    if (filling?.isFilled() !== false) {
      filling = isReached || wanted.length === 0 ? nearestUnfilled(distanceOf) : undefined;
      filling?.fill();
    }
    for (const block of drawing) {
      if (!block.isDrawn()) continue;
      drawing.delete(block);
      isMore = true;
    }
    // What is drawn changes where the others are; when it is there, it is looked again.
    if (drawing.size > 0) return;
    wanted.sort((a, b) => a.distance - b.distance);
    let parts = 0;
    for (const { block, heightPx } of wanted) {
      parts += block.parts();
      if (parts > partsPerLook && drawing.size > 0) return;
      drawing.add(block);
      block.show(true, heightPx);
    }
    if (isMore) leaveFar(top - height * farScreens, bottom + height * farScreens);
    isMore = false;
  }

  function nearestUnfilled(distanceOf: (rect: DOMRect) => number): WatchedChapter | undefined {
    let nearest: WatchedChapter | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const chapter of unfilled) {
      const distance = distanceOf(chapter.element.getBoundingClientRect());
      if (distance >= least) continue;
      least = distance;
      nearest = chapter;
    }
    return nearest;
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
      const chapter = chapterOf(element);
      changed(chapter);
      lookSoon();
      return () => {
        element.removeEventListener('click', onPress, { capture: true });
        watched.delete(element);
        drawing.delete(block);
        changed(chapter);
        lookSoon();
      };
    },
    watchChapter(chapter) {
      const around = chapterOf(chapter.element);
      chapters.set(chapter.element, chapter);
      if (!chapter.isFilled()) unfilled.add(chapter);
      changed(around);
      lookSoon();
      return () => {
        chapters.delete(chapter.element);
        unfilled.delete(chapter);
        if (filling === chapter) filling = undefined;
        within.delete(chapter.element);
        changed(around);
      };
    },
    lookSoon,
    follow(element) {
      // When the browser has laid out what is there, and it stands where it is opened.
      const observer = new ResizeObserver(() => {
        scroller = element;
        lookSoon();
      });
      observer.observe(element);
      element.addEventListener('scroll', lookSoon, { passive: true });
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

/** The chapter in which it stands, if any. */
function chapterOf(element: Element): Element | undefined {
  return element.parentElement?.closest(':is(.stretch, .chapter)') ?? undefined;
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
