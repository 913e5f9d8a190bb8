/** A map that forgets. */
export interface Recent<K, V> {
  readonly get: (key: K) => V | undefined
  readonly set: (key: K, value: V) => void
  readonly delete: (key: K) => void
}

/**
 * Keeps at least the last `least` entries that were set, and at most twice as many: two generations, so that forgetting costs
 * nothing on the way of a request, where a map that is full would look for its first entry each time.
 */
export const makeRecent = <K, V>(least: number): Recent<K, V> => {
  let young = new Map<K, V>()
  let old = new Map<K, V>()
  return {
    get: (key) => {
      const value = young.get(key)
      return value === undefined ? old.get(key) : value
    },
    set: (key, value) => {
      young.set(key, value)
      if (young.size < least) return
      old = young
      young = new Map()
    },
    delete: (key) => {
      young.delete(key)
      old.delete(key)
    }
  }
}
