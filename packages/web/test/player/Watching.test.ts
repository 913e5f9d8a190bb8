import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { reportWatching, type Watched } from "../../src/player/Watching.ts"

class Screen extends EventTarget implements Watched {
  currentTime = 0
  paused = true
  seeking = false

  fire(...names: ReadonlyArray<string>) {
    for (const name of names) this.dispatchEvent(new Event(name))
  }

  /** Plays on for so many seconds. */
  plays(seconds: number) {
    for (let i = 0; i < seconds; i++) {
      this.currentTime += 1
      vi.advanceTimersByTime(1000)
    }
  }
}

const watch = () => {
  const screen = new Screen()
  const told: Array<string> = []
  const leave = reportWatching(screen, ({ currentTime, viewEvent }, leaving) => {
    told.push(`${viewEvent ?? "at"} ${currentTime}${leaving ? " leaving" : ""}`)
  })
  return { screen, told, leave }
}

describe("reports of who watches", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("tell the beginning, every five seconds, and the end", () => {
    const { leave, screen, told } = watch()
    screen.fire("playing")
    screen.plays(12)
    screen.fire("pause")
    vi.advanceTimersByTime(60_000)
    leave()
    assert.deepStrictEqual(told, ["at 0", "at 5", "at 10", "at 12"])
  })

  it("tell where it is left while it plays", () => {
    const { leave, screen, told } = watch()
    screen.fire("playing")
    screen.plays(3)
    leave()
    assert.deepStrictEqual(told, ["at 0", "at 3 leaving"])
  })

  it("tell where a hand on the seek bar came to rest, once", () => {
    const { screen, told } = watch()
    screen.fire("playing")
    screen.plays(2)
    for (const at of [40, 80, 60]) {
      screen.currentTime = at
      screen.fire("seeked")
      vi.advanceTimersByTime(200)
    }
    vi.advanceTimersByTime(1000)
    screen.plays(5)
    assert.deepStrictEqual(told, ["at 0", "seek 60", "at 62"])
  })

  it("tell nothing of what was not begun", () => {
    const { leave, screen, told } = watch()
    screen.currentTime = 30
    screen.fire("seeked", "pause")
    vi.advanceTimersByTime(10_000)
    leave()
    assert.deepStrictEqual(told, [])
  })
})
