/**
 * Runs before the page is shown, and makes the browser take in the styles. Chromium looks whether a page takes part in fades
 * (`@view-transition` in `transitions.css`) as it is about to show it, and finds nothing where the stylesheet came last.
 */
void getComputedStyle(document.documentElement).color

/** Whoever leaves the page again breaks its fade off: nothing went wrong. */
const accept = ({ viewTransition }: PageRevealEvent | PageSwapEvent): void => {
  for (const outcome of [viewTransition?.ready, viewTransition?.finished]) outcome?.catch(() => {})
}
addEventListener("pagereveal", accept)
addEventListener("pageswap", accept)
