/** A change of order as the API takes it: places are counted from 1, place 0 is before the first. */
export interface Move {
  readonly startPosition: number
  readonly insertAfterPosition: number
}

/** What brings the item at an index to another; undefined when it stays. Indexes are counted from 0. */
export const moveOf = (from: number, to: number): Move | undefined =>
  from === to ? undefined : { startPosition: from + 1, insertAfterPosition: to > from ? to + 1 : to }

/** The place among others for something held at a height: behind all whose middle is above it. */
export const indexAt = (middles: ReadonlyArray<number>, height: number): number =>
  middles.filter((middle) => middle < height).length

interface Sorting {
  readonly list: HTMLElement
  /** Selects the handles within the items. */
  readonly handle: string
  /** An item was brought to another place; both indexes are counted from 0. */
  readonly moved: (item: HTMLElement, from: number, to: number) => void
}

const itemsOf = (list: HTMLElement): ReadonlyArray<HTMLElement> => Array.from(list.children) as Array<HTMLElement>

/** How near an edge of the window a held item scrolls it, and how far at once, in pixels. */
const edge = 70
const step = 14

/** Puts an item where the index says, and keeps what is focused in it. */
export const place = (list: HTMLElement, item: HTMLElement, index: number): void => {
  const focused = item.contains(document.activeElement) ? document.activeElement : null
  const others = itemsOf(list).filter((it) => it !== item)
  list.insertBefore(item, others[index] ?? null)
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
}

/** Lets items of a list be dragged by their handles, with a mouse, a finger or a pen. Escape lets go of them. */
export const listenToDragging = ({ handle, list, moved }: Sorting): void => {
  list.addEventListener("pointerdown", (event) => {
    if (!(event.target instanceof Element) || event.button !== 0) return
    const item = event.target.closest(handle)?.closest<HTMLElement>("li")
    if (!item) return
    event.preventDefault()
    const from = itemsOf(list).indexOf(item)
    let height = event.clientY
    item.classList.add("held")

    const follow = () => {
      const others = itemsOf(list).filter((it) => it !== item)
      const middles = others.map((it) => {
        const { height: size, top } = it.getBoundingClientRect()
        return top + size / 2
      })
      const to = indexAt(middles, height)
      if (itemsOf(list).indexOf(item) !== to) place(list, item, to)
    }
    const scroll = setInterval(() => {
      const by = height < edge ? -step : height > innerHeight - edge ? step : 0
      if (by === 0) return
      scrollBy(0, by)
      follow()
    }, 16)
    const drag = (to: PointerEvent) => {
      height = to.clientY
      follow()
    }
    const end = (isKept: boolean) => {
      clearInterval(scroll)
      item.classList.remove("held")
      document.removeEventListener("pointermove", drag)
      document.removeEventListener("pointerup", drop)
      document.removeEventListener("pointercancel", cancel)
      document.removeEventListener("keydown", escape)
      const to = itemsOf(list).indexOf(item)
      if (!isKept) return place(list, item, from)
      if (to !== from) moved(item, from, to)
    }
    const drop = () => end(true)
    const cancel = () => end(false)
    const escape = (key: KeyboardEvent) => {
      if (key.key === "Escape") end(false)
    }
    document.addEventListener("pointermove", drag)
    document.addEventListener("pointerup", drop)
    document.addEventListener("pointercancel", cancel)
    document.addEventListener("keydown", escape)
  })
}

/** Lets the arrow keys move the item whose handle is focused; Home and End bring it to either end. */
export const listenToKeys = ({ handle, list, moved }: Sorting): void => {
  list.addEventListener("keydown", (event) => {
    if (!(event.target instanceof Element) || !event.target.matches(handle)) return
    const item = event.target.closest<HTMLElement>("li")
    if (item === null) return
    const from = itemsOf(list).indexOf(item)
    const last = list.children.length - 1
    const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const bounded = Math.min(last, Math.max(0, to))
    if (bounded === from) return
    place(list, item, bounded)
    item.scrollIntoView({ block: "nearest" })
    moved(item, from, bounded)
  })
}
