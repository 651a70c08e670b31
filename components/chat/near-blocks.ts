// Which blocks of a long transcript are drawn: those near what is on the screen. All of them stay in the flow of the page, the far ones with the
// height that they had or may have, so that the browser's own scroll anchoring, its search and its scrollbar work; nothing is positioned here.

/** One block as the transcript's window sees it. */
export interface WatchedBlock {
  element: HTMLElement;
  isDrawn(): boolean;
  /** Draws it, or stands in for it at this height. */
  show(drawn: boolean, heightPx: number): void;
}

export interface NearBlocks {
  /** Returns how to forget it. */
  watch(block: WatchedBlock): () => void;
  /** Something was drawn, or may have to be. */
  lookSoon(): void;
  /** Looks whenever the scroller moves or changes its size; returns how to stop. */
  follow(scroller: HTMLElement): () => void;
}

/** So many blocks stay drawn wherever they are: a conversation of usual length is drawn whole. */
const keptBlocks = 48;
/** Drawn at once; the others come with the next frames. */
const blocksPerLook = 3;
/** In heights of the scroller. */
const nearScreens = 1;
const farScreens = 4;

/** Of one transcript. */
export function createNearBlocks(): NearBlocks {
  const watched = new Map<Element, WatchedBlock>();
  /** Blocks in which the person pressed something keep what was opened there. */
  const touched = new WeakSet<Element>();
  let scroller: HTMLElement | undefined;
  /** In the order of the page; undefined: to be read again. */
  let order: HTMLElement[] | undefined;
  let frame = 0;

  function look(): void {
    frame = 0;
    if (scroller === undefined) return;
    order ??= [...scroller.querySelectorAll<HTMLElement>('.block')].filter((element) => watched.has(element));
    const { top, bottom, height } = scroller.getBoundingClientRect();
    if (height === 0) return;
    const nearTop = top - height * nearScreens;
    const nearBottom = bottom + height * nearScreens;
    const wanted: { block: WatchedBlock; distance: number; heightPx: number }[] = [];
    for (let at = firstBelow(order, nearTop); at < order.length; at++) {
      const rect = order[at]!.getBoundingClientRect();
      if (rect.top > nearBottom) break;
      const block = watched.get(order[at]!)!;
      const distance = Math.max(0, rect.top - bottom, top - rect.bottom);
      if (!block.isDrawn()) wanted.push({ block, distance, heightPx: rect.height });
    }
    wanted.sort((a, b) => a.distance - b.distance);
    for (const { block, heightPx } of wanted.slice(0, blocksPerLook)) block.show(true, heightPx);
    // What was drawn now changes where the others are.
    if (wanted.length > blocksPerLook) lookSoon();
    else leaveFar(top - height * farScreens, bottom + height * farScreens);
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
      order = undefined;
      lookSoon();
      return () => {
        element.removeEventListener('click', onPress, { capture: true });
        watched.delete(element);
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
