import { useEffect, useRef, useState } from "preact/hooks"
import type { Answer, Failure } from "../api/Answer.ts"
import { here } from "./Location.ts"

/** What a page has loaded, or why it could not. */
export interface Loading<A> {
  readonly data: A | undefined
  readonly failure: Failure | undefined
  readonly busy: boolean
  /** Asks again; what is shown stays until the answer is there. */
  readonly again: () => Promise<void>
  /** Shows something else until the next answer, as what an act will lead to. */
  readonly show: (data: A) => void
}

/** Answers by history entry and key: who goes back sees at once what was there. */
const seen = new Map<string, unknown>()
const most = 60

const remember = (key: string, data: unknown): void => {
  seen.delete(key)
  seen.set(key, data)
  const [oldest] = seen.keys()
  if (seen.size > most && oldest !== undefined) seen.delete(oldest)
}

/**
 * Loads what a page shows, again when `key` changes. An answer that comes after a later question is dropped. When the network
 * is back, what had failed for it is asked for again.
 */
export const useLoad = <A>(key: string, load: (signal: AbortSignal) => Promise<Answer<A>>): Loading<A> => {
  const known = `${here.value.entry} ${key}`
  const [, draw] = useState(0)
  const now = useRef<{ known: string; data: A | undefined; failure: Failure | undefined; busy: boolean }>(undefined)
  // Under this key stands what this hook put there: the type is that of its own earlier answers.
  now.current ??= { known, data: seen.get(known) as A | undefined, failure: undefined, busy: true }
  const abort = useRef<AbortController>(undefined)

  const change = (next: Partial<NonNullable<typeof now.current>>): void => {
    if (now.current !== undefined) now.current = { ...now.current, ...next }
    draw((it) => it + 1)
  }
  const ask = async (): Promise<void> => {
    abort.current?.abort()
    const controller = new AbortController()
    abort.current = controller
    change({ busy: true })
    const answer = await load(controller.signal)
    if (controller.signal.aborted) return
    if (answer.ok) remember(known, answer.body)
    change(answer.ok ? { data: answer.body, failure: undefined, busy: false } : { failure: answer, busy: false })
  }
  useEffect(() => {
    const back = (): void => {
      if (now.current?.failure?.status === 0) void ask()
    }
    void ask()
    addEventListener("online", back)
    return () => {
      abort.current?.abort()
      removeEventListener("online", back)
    }
  }, [known])

  const { busy, data, failure } = now.current
  return { data, failure, busy, again: ask, show: (shown) => change({ data: shown }) }
}
