import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { KinoraProcess, rootPassword, until } from "../support/KinoraProcess.ts"

/** Lines of a JavaScript stack trace. */
const stackTrace = /^\s+at .+[:(]/m

describe("the program refuses to start", () => {
  it("names every wrong key at once, with exit code 78 and no stack trace", async () => {
    const node = await KinoraProcess.create()
    node.spawn({
      KINORA_LISTEN_PORT: "many",
      KINORA_LOG_LEVEL: "loud",
      KINORA_TRANSCODING_CONCURRENCY: "-3"
    })
    expect(await node.exit(30)).toBe(78)
    for (const name of ["listen.port", "log.level", "transcoding.concurrency"]) {
      expect(node.output).toContain(name)
    }
    expect(node.output).toContain("3 settings of the configuration cannot be used")
    expect(node.output).not.toMatch(stackTrace)
    await node.remove()
  })
})

describe("an operator", () => {
  let node: KinoraProcess
  beforeAll(async () => {
    node = await KinoraProcess.create()
    // A first start over an empty folder.
    await node.startAsItIs()
  })
  afterAll(() => node.remove())

  it("reads the help and the version", async () => {
    const help = await node.command(["--help"])
    expect(help.code).toBe(0)
    for (const name of ["serve", "migrate", "doctor", "users", "config"]) expect(help.out).toContain(name)
    expect((await node.command(["--version"])).code).toBe(0)
    const unknown = await node.command(["dance"])
    expect(unknown.code).not.toBe(0)
    expect(unknown.out + unknown.err).not.toMatch(stackTrace)
  })

  it("makes a user beside the running node, who can log in at once", async () => {
    const made = await node.command(["users", "create", "ada", "--email", "ada@example.com"])
    expect(made.code, made.err).toBe(0)
    const password = /Password \(shown only now\): (\S+)/.exec(made.out)?.[1] ?? ""
    const auth = await node.login("ada", password)
    const me = await node.json<{ role: { id: number }; videoChannels: ReadonlyArray<unknown> }>(
      "/api/v1/users/me",
      auth
    )
    expect(me.role.id).toBe(2)
    expect(me.videoChannels).toHaveLength(1)
    const twice = await node.command(["users", "create", "ada", "--email", "ada@example.com"])
    expect(twice.code).toBe(1)
  })

  it("ends every session of a user with a new password", async () => {
    const auth = await node.login()
    expect((await node.get("/api/v1/users/me", auth)).status).toBe(200)
    const reset = await node.command(["users", "reset-password", "root", "--password-stdin"], "another-horse-1\n")
    expect(reset.code, reset.err).toBe(0)
    expect(reset.out + reset.err).not.toContain("another-horse-1")
    // The node hears of it from the database.
    const status = await until("the session to end", 60, async () => {
      const answer = await node.get("/api/v1/users/me", auth)
      return answer.status === 200 ? undefined : answer.status
    })
    expect(status).toBe(401)
    await expect(node.login()).rejects.toThrow("400")
    expect((await node.get("/api/v1/users/me", await node.login("root", "another-horse-1"))).status).toBe(200)
    const nobody = await node.command(["users", "reset-password", "nobody", "--password-stdin"], "another-horse-1\n")
    expect(nobody.code).toBe(1)
    expect(nobody.out + nobody.err).not.toMatch(stackTrace)
  })

  it("is told by doctor what works", async () => {
    const doctor = await node.command(["doctor"])
    expect(doctor.code, doctor.out + doctor.err).toBe(0)
    expect(doctor.out).toContain("ffmpeg")
    expect(doctor.out).toContain("is served by the running instance")
    const broken = await node.command(["doctor"], "", { KINORA_FFMPEG_PATH: "/nonexistent/ffmpeg" })
    expect(broken.code).toBe(1)
    expect(broken.out).toContain("/nonexistent/ffmpeg")
    expect(broken.out + broken.err).not.toMatch(stackTrace)
  })

  it("is told when the instance runs already, which goes on", async () => {
    const twice = await node.command(["serve"])
    expect(twice.code).toBe(1)
    expect(twice.out + twice.err).toContain(`belongs to a Kinora that runs already (process ${node.child?.pid})`)
    expect(twice.out + twice.err).not.toMatch(stackTrace)
    expect((await node.get("/api/v1/videos?sort=-views")).status).toBe(200)
  })

  it("starts a second time without doing again what is done", async () => {
    const client = await node.json("/api/v1/oauth-clients/local")
    const auth = await node.login("root", "another-horse-1")
    expect(await node.stop()).toBe(0)
    await node.start()
    expect(node.output).not.toMatch(/migrations? (was|were) applied|initdb/i)
    expect(node.output).not.toContain(rootPassword)
    expect(await node.json("/api/v1/oauth-clients/local")).toEqual(client)
    // The password of the environment is for the first start only, and sessions outlive a restart.
    expect((await node.get("/api/v1/users/me", auth)).status).toBe(200)
    await expect(node.login()).rejects.toThrow("400")
  })
})
