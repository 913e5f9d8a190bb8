const name = "player"

/** On the way to a video, the picture of its card becomes the player: styles give that the same name. */
export const growIntoPlayer = (): void => {
  addEventListener("pageswap", ({ activation, viewTransition }) => {
    const to = URL.parse(activation?.entry.url ?? "")
    if (viewTransition === null || to === null || !to.pathname.startsWith("/w/")) return
    const thumbs = [...document.querySelectorAll<HTMLAnchorElement>("a.thumb")]
    const thumb = thumbs.find((it) => it.pathname === to.pathname)
    if (thumb === undefined) return
    thumb.style.viewTransitionName = name
    // The page may be kept for coming back: then another card may be opened.
    const forget = () => {
      thumb.style.viewTransitionName = ""
    }
    void viewTransition.finished.then(forget, forget)
  })
}
