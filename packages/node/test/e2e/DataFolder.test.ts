import { createServer } from "node:net"
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { databaseUrl } from "../support/EmbeddedServer.ts"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"

/** What a start that fails shows: one sentence or a few, never where in the code it was. */
const assertPlain = (node: KinoraProcess, expected: RegExp) => {
  assert.match(node.output, expected)
  assert.notMatch(node.output, /\n\s+at |Error:|cause/)
}

describe("the data folder", () => {
  let node: KinoraProcess

  beforeAll(async () => {
    node = await KinoraProcess.create()
    await node.start()
  }, 120_000)

  afterAll(async () => node.remove(), 120_000)

  const answers = () =>
    until("an answer", 60, async () => {
      const answer = await node.get("/api/v1/videos").catch(() => undefined)
      return answer?.status === 200 ? true : undefined
    })

  /** Another process with the environment of the node and more. */
  const another = async (extra: Record<string, string>, args: ReadonlyArray<string> = []) => {
    const other = await KinoraProcess.create({ KINORA_DATA_DIR: node.dataDir, ...extra })
    other.spawn({}, args)
    const code = await other.exit(60)
    rmSync(other.dataDir, { recursive: true, force: true })
    return { other, code }
  }

  it("is closed to a second node, and the first one keeps its work folder", async () => {
    const { code, other } = await another({})
    assert.strictEqual(code, 1)
    assertPlain(other, /tmp belongs to a Kinora that runs already \(process \d+\)/)
    assert.include(readdirSync(join(node.dataDir, "tmp")), "node.lock")
    assert.strictEqual((await node.get("/api/v1/videos")).status, 200)
  }, 60_000)

  it("is left in order when the terminal hangs up, and free for the next start", async () => {
    assert.strictEqual(await node.stop("SIGHUP"), 0)
    assert.notInclude(readdirSync(join(node.dataDir, "tmp")), "node.lock")
    assert.notInclude(readdirSync(join(node.dataDir, "postgres/data")), "postmaster.pid")
    await node.start()
    await node.stop("SIGKILL")
    await node.start()
  }, 120_000)

  it("waits for the processes of a database that was killed together with the node", async () => {
    const pid = Number(readFileSync(join(node.dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0])
    process.kill(pid, "SIGKILL")
    await node.stop("SIGKILL")
    await node.start()
    assert.strictEqual((await node.get("/api/v1/videos")).status, 200)
  }, 120_000)

  it("ends in one sentence when the port is taken", async () => {
    await node.stop()
    const server = createServer()
    await new Promise<void>((done) => server.listen(node.port, "127.0.0.1", done))
    node.spawn()
    assert.strictEqual(await node.exit(60), 1)
    assertPlain(node, new RegExp(`127.0.0.1:${node.port}`))
    assertPlain(node, /in use/)
    await new Promise((done) => server.close(done))
  }, 120_000)

  it("keeps the addresses of an instance unless told to change them", async () => {
    const renamed = {
      KINORA_WEBSERVER_HOSTNAME: "videos.example",
      KINORA_WEBSERVER_HTTPS: "true",
      KINORA_WEBSERVER_PORT: "443"
    }
    node.spawn(renamed)
    assert.strictEqual(await node.exit(60), 1)
    assertPlain(node, /known as http:\/\/127\.0\.0\.1:\d+, but the configuration says https:\/\/videos\.example/)
    const command = await node.command(["users", "create", "ada", "--email", "ada@example.com"], "", renamed)
    assert.strictEqual(command.code, 1)
    assert.match(command.err, /--rename-host/)

    node.spawn(renamed, ["--rename-host"])
    await answers()
    const account = await node.json<{ url: string; host: string }>("/api/v1/accounts/root")
    assert.deepInclude(account, { url: "https://videos.example/accounts/root", host: "videos.example" })
    await node.stop()

    node.spawn(renamed)
    await answers()
    const actor = await node.json<{ id: string; inbox: string }>("/accounts/root", {
      accept: "application/activity+json"
    })
    assert.deepInclude(actor, {
      id: "https://videos.example/accounts/root",
      inbox: "https://videos.example/accounts/root/inbox"
    })
    await node.stop()
    node.spawn({}, ["--rename-host"])
    await answers()
  }, 240_000)

  it("ends in one sentence over a database that only reads", async () => {
    const url = new URL(databaseUrl(node.dataDir))
    url.searchParams.set("options", "-c default_transaction_read_only=on")
    const { code, other } = await another({ DATABASE_URL: url.href, KINORA_STORAGE_TMP: join(node.dataDir, "tmp2") })
    assert.strictEqual(code, 1)
    assertPlain(other, /is read-only/)
  }, 60_000)

  it("without its database is not begun anew", async () => {
    await node.stop()
    const kept = join(node.dataDir, "kept")
    renameSync(join(node.dataDir, "postgres"), kept)
    node.spawn()
    assert.strictEqual(await node.exit(60), 1)
    assertPlain(node, /There is no database in .* but .*secret\.key shows that an instance was kept here/)
    rmSync(join(node.dataDir, "postgres"), { recursive: true, force: true })
    renameSync(kept, join(node.dataDir, "postgres"))
    await node.start()
  }, 120_000)

  it("ends in one sentence where no folder can be", async () => {
    for (const folder of ["/proc/kinora/data", join(node.dataDir, "secret.key")]) {
      const { code, other } = await another({ KINORA_DATA_DIR: folder })
      assert.strictEqual(code, 1)
      assertPlain(other, /cannot be written: (no folder can be made there|a file stands in its way)/)
    }
  }, 60_000)
})
