import { useEffect, useRef, useState } from "preact/hooks"
import type { Answer } from "../api/Answer.ts"
import { type Loading, useLoad } from "./Load.ts"
import { here } from "./Location.ts"

interface Part<A> {
  readonly total: number
  readonly data: ReadonlyArray<A>
}

/** A list that grows: what was loaded of it so far. */
export interface Growing<A> {
  /** The first part, which is asked for again whenever the list is shown. */
  readonly first: Loading<Part<A>>
  readonly items: ReadonlyArray<A>
  readonly hasMore: boolean
  readonly busy: boolean
  readonly more: () => void
}

/** Parts behind the first one by history entry and key, with the first one they belong to: who goes back finds the list as long as it was. */
const seen = new Map<string, { readonly under: string; readonly items: ReadonlyArray<unknown> }>()
const most = 20

const remember = (known: string, under: string, items: ReadonlyArray<unknown>): void => {
  seen.delete(known)
  seen.set(known, { under, items })
  const [oldest] = seen.keys()
  if (seen.size > most && oldest !== undefined) seen.delete(oldest)
}

/**
 * Loads a list part by part, the first one at once and each further one when `more` is called. Where the first part has changed
 * meanwhile, the others are dropped: places in the list have moved.
 */
export const useLoadMore = <A>(
  key: string,
  idOf: (item: A) => number | string,
  load: (start: number, signal: AbortSignal) => Promise<Answer<Part<A>>>
): Growing<A> => {
  const known = `${here.value.entry} ${key}`
  const first = useLoad(key, (signal) => load(0, signal))
  const [, draw] = useState(0)
  const [busy, setBusy] = useState(false)
  const abort = useRef<AbortController>(undefined)
  const head = first.data?.data ?? []
  const under = JSON.stringify([first.data?.total, head.map(idOf)])
  const kept = seen.get(known)
  // Under this key stands what this hook put there: the type is that of its own earlier answers.
  const further = kept?.under === under ? (kept.items as ReadonlyArray<A>) : []
  useEffect(() => {
    setBusy(false)
    return () => abort.current?.abort()
  }, [known])
  const ids = new Set(head.map(idOf))
  const items = [...head, ...further.filter((it) => !ids.has(idOf(it)))]
  const start = head.length + further.length
  const more = async (): Promise<void> => {
    abort.current?.abort()
    const controller = new AbortController()
    abort.current = controller
    setBusy(true)
    const answer = await load(start, controller.signal)
    if (controller.signal.aborted) return
    setBusy(false)
    // Nothing came: `busy` begins and ends, and the button is there for another try.
    if (!answer.ok) return
    remember(known, under, [...further, ...answer.body.data])
    draw((it) => it + 1)
  }
  const hasMore = head.length > 0 && start < (first.data?.total ?? 0)
  return { first, items, hasMore, busy, more: () => void more() }
}
