import { describe, expect, it } from "vitest"
import { FirstOffers } from "../../src/runners/FirstOffers.ts"

const jobs = Array.from({ length: 80 }, (_, i) => ({ uuid: `job ${i}` }))

/** What a runner is told of, as it is asked at that time. */
const ask = (offers: FirstOffers, runner: number, now: number, pending: ReadonlyArray<{ readonly uuid: string }>) =>
  offers.choose(pending.slice(0, offers.window(now)), runner, now).map(({ uuid }) => uuid)

describe("FirstOffers", () => {
  it("tells each of those that ask at once of another job first, in the order of the jobs", () => {
    const offers = new FirstOffers()
    const firsts = Array.from({ length: 50 }, (_, runner) => ask(offers, runner, 0, jobs)[0])
    expect(firsts).toEqual(jobs.slice(0, 50).map(({ uuid }) => uuid))
  })

  it("tells ten at most, and the same to who asks again", () => {
    const offers = new FirstOffers()
    const told = ask(offers, 1, 0, jobs)
    expect(told).toEqual(jobs.slice(0, 10).map(({ uuid }) => uuid))
    expect(ask(offers, 1, 1000, jobs)).toEqual(told)
  })

  it("keeps nothing from anybody: what another was told of first comes last, and first again after two seconds", () => {
    const offers = new FirstOffers()
    const three = jobs.slice(0, 3)
    ask(offers, 1, 0, three)
    expect(ask(offers, 2, 500, three)).toEqual(["job 1", "job 2", "job 0"])
    expect(ask(offers, 3, 2400, three)).toEqual(["job 0", "job 2", "job 1"])
    expect(ask(offers, 4, 5000, three)).toEqual(["job 0", "job 1", "job 2"])
  })

  it("tells last of what somebody has got, where an answer still has it", () => {
    const offers = new FirstOffers()
    ask(offers, 1, 0, jobs)
    offers.taken("job 0", 0)
    expect(ask(offers, 2, 1, jobs.slice(0, 3))).toEqual(["job 1", "job 2", "job 0"])
    expect(ask(offers, 3, 2500, jobs)[0]).toBe("job 0")
  })

  it("looks at no more than some jobs, however many ask", () => {
    const offers = new FirstOffers()
    const many = Array.from({ length: 1000 }, (_, i) => ({ uuid: `job ${i}` }))
    for (let runner = 0; runner < 500; runner++) ask(offers, runner, 0, many)
    expect(offers.window(0)).toBe(210)
    expect(ask(offers, 1000, 0, many)).toHaveLength(10)
  })
})
