const positionsKey = "kinora.positions"
const volumeKey = "kinora.volume"
const qualityKey = "kinora.quality"
const keep = 60
/** Positions this close to either end are not worth coming back to, in seconds. */
const edge = 10

/** The part of `Storage` that is used; absent where the browser denies it, as in embeds with third-party storage off. */
export type Shelf = Pick<Storage, "getItem" | "setItem">

export const browserShelf = (): Shelf | undefined => {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}

const read = (shelf: Shelf | undefined, key: string): unknown => {
  try {
    return JSON.parse(shelf?.getItem(key) ?? "null")
  } catch {
    return null
  }
}

const write = (shelf: Shelf | undefined, key: string, value: unknown): void => {
  try {
    shelf?.setItem(key, JSON.stringify(value))
  } catch {
    // A full or forbidden store only means that nothing is remembered.
  }
}

export interface Volume {
  readonly level: number
  readonly muted: boolean
}

export const recallVolume = (shelf: Shelf | undefined): Volume => {
  const stored = read(shelf, volumeKey) as Partial<Volume> | null
  const level = typeof stored?.level === "number" ? Math.min(1, Math.max(0, stored.level)) : 1
  return { level, muted: stored?.muted === true }
}

export const rememberVolume = (shelf: Shelf | undefined, volume: Volume): void => write(shelf, volumeKey, volume)

/** The height somebody chose, 0 for sound alone; undefined where the bandwidth decides. */
export const recallQuality = (shelf: Shelf | undefined): number | undefined => {
  const stored = read(shelf, qualityKey)
  return typeof stored === "number" && Number.isInteger(stored) && stored >= 0 && stored < 20_000 ? stored : undefined
}

export const rememberQuality = (shelf: Shelf | undefined, height: number | undefined): void =>
  write(shelf, qualityKey, height ?? null)

type Positions = Array<[uuid: string, seconds: number]>

const positions = (shelf: Shelf | undefined): Positions => {
  const stored = read(shelf, positionsKey)
  return Array.isArray(stored) ? (stored as Positions).filter((it) => Array.isArray(it) && it.length === 2) : []
}

/** Where this browser stopped watching, in seconds. */
export const recallPosition = (shelf: Shelf | undefined, uuid: string): number | undefined => {
  const seconds = positions(shelf).find(([id]) => id === uuid)?.[1]
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** Keeps the position, or drops it near the beginning and the end, so a finished video starts over. */
export const rememberPosition = (shelf: Shelf | undefined, uuid: string, seconds: number, duration: number): void => {
  const others = positions(shelf).filter(([id]) => id !== uuid)
  const worth = seconds > edge && seconds < duration - edge
  write(
    shelf,
    positionsKey,
    (worth ? [[uuid, Math.floor(seconds)] as [string, number]] : []).concat(others).slice(0, keep)
  )
}
