import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { databaseUrl, openDatabase } from "../support/EmbeddedServer.ts"
import { type Instance, publish, send, startInstance } from "../support/Federating.ts"
import { freePort, KinoraProcess, until } from "../support/KinoraProcess.ts"
import { Standby } from "../support/Standby.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

interface Names {
  readonly total: number
  readonly data: ReadonlyArray<{ readonly name: string }>
}

/** A node over a primary and a standby, beside the one that brings the primary. */
describe("a read replica", () => {
  let first: Instance
  let standby: Standby
  let node: KinoraProcess
  let metrics: number
  let database: ReturnType<typeof openDatabase>

  const onStandby = async (statement: string) => {
    await standby.ask(statement)
  }

  beforeAll(async () => {
    first = await startInstance()
    database = openDatabase(first.node.dataDir)
    standby = await Standby.of(first.node.dataDir)
    await standby.start()
    metrics = await freePort()
    node = await KinoraProcess.create({
      ...first.node.env,
      DATABASE_URL: databaseUrl(first.node.dataDir),
      KINORA_DATA_DIR: first.node.dataDir,
      KINORA_STORAGE_TMP: "tmp-of-two",
      KINORA_WEBSERVER_PORT: String(first.node.port),
      KINORA_DATABASE_REPLICA_URL: standby.url,
      KINORA_DATABASE_REPLICA_MAX_LAG: "3 seconds",
      KINORA_OPEN_TELEMETRY_METRICS_ENABLED: "true",
      KINORA_OPEN_TELEMETRY_METRICS_PROMETHEUS_EXPORTER_PORT: String(metrics)
    })
    await node.start()
  }, 120_000)
  afterAll(async () => {
    await database?.dispose()
    await node?.stop()
    await Promise.all([standby?.remove(), first?.node.remove(), node?.remove()])
  })

  const figure = async (name: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? "NaN")
  }
  const isUsed = (used: boolean) =>
    until(`the replica to be ${used ? "used" : "left alone"}`, 30, async () =>
      (await figure("kinora_database_replica_up")) === (used ? 1 : 0) ? true : undefined
    )
  const names = async (headers: Record<string, string> = {}) => {
    const list = await node.json<Names>("/api/v1/videos?sort=-publishedAt", headers)
    return list.data.map(({ name }) => name)
  }
  const listed = (name: string) =>
    until(`${name} to be listed for visitors`, 20, async () => ((await names()).includes(name) ? true : undefined))

  it("answers visitors, and users read what they have just written", { timeout: 120_000 }, async () => {
    await isUsed(true)
    await publish({ ...first, node }, { name: "One" })
    await listed("One")
    const answered = await figure("kinora_database_replica_reads_total")
    await names()
    await node.json<Names>("/api/v1/search/videos?search=One")
    await node.json<Names>("/api/v1/video-channels")
    expect(await (await node.get("/feeds/videos.xml")).text()).toContain("One")
    await until("reads of the replica", 10, async () =>
      (await figure("kinora_database_replica_reads_total")) >= answered + 3 ? true : undefined
    )

    // A replica that replays nothing: visitors see what was there, for no longer than the configured time.
    await onStandby("select pg_wal_replay_pause()")
    await publish({ ...first, node }, { name: "Two" })
    expect(await names(first.auth)).toContain("Two")
    // Feeds are kept under a version, so they are never older than it.
    expect(await (await node.get("/feeds/videos.xml")).text()).toContain("Two")
    await listed("Two")
    expect(await figure("kinora_database_replica_up")).toBe(0)
    await onStandby("select pg_wal_replay_resume()")
    await isUsed(true)
    await listed("Two")
  })

  it("is left alone while it is away, without an error, and used again", { timeout: 120_000 }, async () => {
    let errors = 0
    let asked = 0
    const ended = new AbortController()
    const visitor = async () => {
      while (!ended.signal.aborted) {
        const answer = await node.get("/api/v1/videos?count=5").catch(() => undefined)
        asked++
        if (answer?.status !== 200) errors++
        await answer?.arrayBuffer()
      }
    }
    const visitors = Array.from({ length: 4 }, visitor)
    await standby.kill()
    await isUsed(false)
    await standby.start()
    await isUsed(true)
    ended.abort()
    await Promise.all(visitors)
    expect(asked).toBeGreaterThan(20)
    expect(errors).toBe(0)
    await send(first, "PUT", "/api/v1/users/me", { displayName: "Written meanwhile" })
  })

  it("is refused when it is no standby", { timeout: 60_000 }, async () => {
    const rows = await database.runPromise(
      Effect.flatMap(SqlClient, (sql) => sql`select pg_is_in_recovery() as standby`)
    )
    expect(rows).toEqual([{ standby: false }])
    await node.stop()
    await node.start({ KINORA_DATABASE_REPLICA_URL: databaseUrl(first.node.dataDir) })
    await until("the node to say so", 20, async () => (node.output.includes("it is no standby") ? true : undefined))
    expect(await names()).toContain("Two")
    expect(await figure("kinora_database_replica_up")).toBe(0)
  })
})
