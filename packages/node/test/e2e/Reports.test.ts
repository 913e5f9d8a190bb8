import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { follow, type Instance, publish, send, startInstance } from "../support/Federating.ts"
import { until } from "../support/KinoraProcess.ts"
import type { CreatedVideo } from "../support/Uploads.ts"

interface Abuse {
  readonly id: number
  readonly reason: string
  readonly predefinedReasons: ReadonlyArray<string>
  readonly state: { readonly label: string }
  readonly reporterAccount?: { readonly name: string; readonly host: string }
  readonly flaggedAccount?: { readonly name: string; readonly host: string }
  readonly video?: {
    readonly name: string
    readonly startAt: number | null
    readonly endAt: number | null
    readonly deleted: boolean
    readonly countReports: number
  }
  readonly comment?: { readonly text: string }
}

interface List<A> {
  readonly total: number
  readonly data: ReadonlyArray<A>
}

const password = "a password for tests"

/** A user of an instance, as an instance of their own to `send`. */
const enrol = async (instance: Instance, name: string): Promise<Instance> => {
  const args = ["users", "create", name, "--email", `${name}@example.com`, "--password-stdin"]
  const made = await instance.node.command(args, `${password}\n`)
  if (made.code !== 0) throw new Error(made.err)
  return { ...instance, auth: await instance.node.login(name, password) }
}

/** Two instances in processes of their own, the second following the first; somebody there reports what is here. */
describe("a report from another instance", () => {
  let here: Instance
  let there: Instance
  let reporter: Instance
  let video: CreatedVideo

  beforeAll(async () => {
    ;[here, there] = await Promise.all([startInstance(), startInstance()])
    await follow(there, here)
    video = await publish(here, { name: "Not for everybody" })
    reporter = await enrol(there, "reporter")
  })
  afterAll(async () => {
    await Promise.all([here?.node.remove(), there?.node.remove()])
  })

  const list = (instance: Instance, path = "/api/v1/abuses") => send<List<Abuse>>(instance, "GET", `${path}?sort=id`)
  const status = async (instance: Instance, uuid: string) => (await instance.node.get(`/api/v1/videos/${uuid}`)).status
  const asked = async ({ auth, node }: Instance, path: string, message: string) =>
    (
      await fetch(`${node.url}${path}`, {
        method: "POST",
        headers: { ...auth, "content-type": "application/json" },
        body: JSON.stringify({ message })
      })
    ).status

  it("arrives with its reasons, and names who reported to moderators alone", async () => {
    await until("the video there", 60, async () => ((await status(there, video.uuid)) === 200 ? true : undefined))
    const body = {
      reason: "This hurts",
      predefinedReasons: ["privacy"],
      video: { id: video.uuid, startAt: 1, endAt: 2 }
    }
    const { abuse } = await send<{ abuse: { id: number } }>(reporter, "POST", "/api/v1/abuses", body)
    const [arrived] = await until("the report", 60, async () => {
      const { data } = await list(here)
      return data.length > 0 ? data : undefined
    })
    expect(arrived).toMatchObject({
      reason: "This hurts",
      predefinedReasons: ["privacy"],
      state: { label: "Pending" },
      reporterAccount: { name: "reporter", host: there.host },
      flaggedAccount: { name: "root", host: here.host },
      video: { name: "Not for everybody", startAt: 1, endAt: 2, deleted: false, countReports: 1 }
    })
    expect((await list(reporter, "/api/v1/users/me/abuses")).data.map(({ id }) => id)).toEqual([abuse.id])
    expect((await list(there)).data[0]).toMatchObject({ flaggedAccount: { name: "root", host: here.host } })
  })

  it("is talked about where it was made, and cannot be answered from afar", async () => {
    const [made] = (await list(there)).data
    const [arrived] = (await list(here)).data
    const messages = `/api/v1/abuses/${made!.id}/messages`
    await send(reporter, "POST", messages, { message: "Did it arrive?" })
    await send(there, "POST", messages, { message: "It did" })
    const { data } = await send<List<{ message: string; byModerator: boolean }>>(reporter, "GET", messages)
    expect(data.map(({ byModerator, message }) => [message, byModerator])).toEqual([
      ["Did it arrive?", false],
      ["It did", true]
    ])
    expect(await asked(here, `/api/v1/abuses/${arrived!.id}/messages`, "Hello?")).toBe(400)
    const notices = await until("the notification of the message", 60, async () => {
      const { data } = await send<List<{ type: number }>>(reporter, "GET", "/api/v1/users/me/notifications")
      return data.length > 0 ? data : undefined
    })
    expect(notices.map(({ type }) => type)).toEqual([16])
  })

  it("ends with a decision: the video is taken back, and gone there", async () => {
    const [arrived] = (await list(here)).data
    await send(here, "POST", `/api/v1/videos/${video.uuid}/blacklist`, { reason: "Private matters", unfederate: true })
    await send(here, "PUT", `/api/v1/abuses/${arrived!.id}`, { state: 3, moderationComment: "Taken back" })
    await until("it to be gone there", 60, async () => ((await status(there, video.uuid)) === 404 ? true : undefined))
    expect((await list(here)).data[0]).toMatchObject({ state: { label: "Accepted" }, video: { deleted: false } })

    // There it still waits for a decision of those who moderate there.
    const [made] = (await list(there)).data
    expect(made).toMatchObject({ state: { label: "Pending" }, video: { name: "Not for everybody", deleted: true } })
    await send(there, "PUT", `/api/v1/abuses/${made!.id}`, { state: 3 })
    await until("the notification of the decision", 60, async () => {
      const { data } = await send<List<{ type: number }>>(reporter, "GET", "/api/v1/users/me/notifications")
      return data.some(({ type }) => type === 15) ? true : undefined
    })
    expect((await list(reporter, "/api/v1/users/me/abuses")).data[0]).toMatchObject({ state: { label: "Accepted" } })
  })

  it("may be of a comment or an account, too", async () => {
    const other = await publish(here, { name: "For everybody" })
    await until("the video there", 60, async () => ((await status(there, other.uuid)) === 200 ? true : undefined))
    const threads = `/api/v1/videos/${other.uuid}/comment-threads`
    await send(here, "POST", threads, { text: "Crude words" })
    const [comment] = await until("the comment there", 60, async () => {
      const { data } = await send<List<{ id: number; account: { id: number } }>>(there, "GET", threads)
      return data.length > 0 ? data : undefined
    })
    await send(reporter, "POST", "/api/v1/abuses", { reason: "Crude", comment: { id: comment!.id } })
    await send(reporter, "POST", "/api/v1/abuses", { reason: "Always so", account: { id: comment!.account.id } })
    const arrived = await until("both reports", 60, async () => {
      const { data } = await list(here)
      return data.length === 3 ? data : undefined
    })
    const [ofComment, ofAccount] = ["Crude", "Always so"].map((reason) => arrived.find((it) => it.reason === reason))
    expect(ofComment).toMatchObject({ reason: "Crude", comment: { text: "Crude words" } })
    expect(ofAccount).toMatchObject({ reason: "Always so", flaggedAccount: { name: "root", host: here.host } })
  })
})
