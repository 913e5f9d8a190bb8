import { describe, expect, it } from "vitest"
import { OfferReservations } from "../../../src/runner/job/OfferReservations.ts"

const jobs = Array.from({ length: 80 }, (_, i) => ({ uuid: `job ${i}` }))

type Jobs = ReadonlyArray<{ readonly uuid: string }>

/** What the statement finds among pending jobs in their order. */
const found = (pending: Jobs, { last, max }: ReturnType<OfferReservations["ask"]>): Jobs => {
  const free = pending.filter(({ uuid }) => !last.includes(uuid))
  return [...free, ...pending.filter(({ uuid }) => last.includes(uuid))].slice(0, max)
}

/** What a runner is told of, as it is asked at that time. */
const ask = (offers: OfferReservations, runner: number, now: number, pending: Jobs) => {
  const known = found(pending, offers.ask(`runner ${runner}`, now))
  offers.answered()
  return offers.choose(known, `runner ${runner}`, now).map(({ uuid }) => uuid)
}

const firstFifty = jobs.slice(0, 50).map(({ uuid }) => uuid)

describe("OfferReservations", () => {
  it("tells each of those that ask one after another of another job first, in the order of the jobs", () => {
    const offers = new OfferReservations()
    expect(Array.from({ length: 50 }, (_, runner) => ask(offers, runner, 0, jobs)[0])).toEqual(firstFifty)
  })

  it("does so too when all ask before the first is told", () => {
    const offers = new OfferReservations()
    const all = Array.from({ length: 50 }, (_, runner) => found(jobs, offers.ask(`runner ${runner}`, 0)))
    const heads = all.map((known, runner) => {
      offers.answered()
      return offers.choose(known, `runner ${runner}`, 0)[0]!.uuid
    })
    expect(heads).toEqual(firstFifty)
  })

  it("looks at no more than the ten that it tells of, when nobody else asks", () => {
    const offers = new OfferReservations()
    for (let runner = 0; runner < 40; runner++) ask(offers, runner, 0, jobs)
    expect(offers.ask("one more", 0)).toMatchObject({ max: 10, last: firstFifty.slice(0, 40) })
  })

  it("tells ten at most, and the same to who asks again", () => {
    const offers = new OfferReservations()
    const told = ask(offers, 1, 0, jobs)
    expect(told).toEqual(jobs.slice(0, 10).map(({ uuid }) => uuid))
    expect(ask(offers, 1, 1000, jobs)).toEqual(told)
  })

  it("keeps nothing from anybody: what another was told of first comes last, and first again after two seconds", () => {
    const offers = new OfferReservations()
    const three = jobs.slice(0, 3)
    ask(offers, 1, 0, three)
    expect(ask(offers, 2, 500, three)).toEqual(["job 1", "job 2", "job 0"])
    expect(ask(offers, 3, 2400, three)).toEqual(["job 0", "job 2", "job 1"])
    expect(ask(offers, 4, 5000, three)).toEqual(["job 0", "job 1", "job 2"])
  })

  it("tells last of what somebody has got, where an answer still has it", () => {
    const offers = new OfferReservations()
    ask(offers, 1, 0, jobs)
    offers.taken("job 0", 0)
    expect(ask(offers, 2, 1, jobs.slice(0, 3))).toEqual(["job 1", "job 2", "job 0"])
    expect(ask(offers, 3, 2500, jobs)[0]).toBe("job 0")
  })

  it("keeps no more than some jobs behind, and looks at no more, however many ask", () => {
    const offers = new OfferReservations()
    const many = Array.from({ length: 1000 }, (_, i) => ({ uuid: `job ${i}` }))
    for (let runner = 0; runner < 500; runner++) ask(offers, runner, 0, many)
    for (let runner = 0; runner < 500; runner++) offers.ask(`waiting ${runner}`, 0)
    const { last, max } = offers.ask("one more", 0)
    expect([last.length, max]).toEqual([200, 210])
    offers.answered()
    expect(ask(offers, 1000, 0, many)).toHaveLength(10)
  })
})
