import { Effect, Exit, Scope } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FaultyProxy, makeFaultyProxy } from "../../../../../storage/test/support/objects/FaultyProxy.ts"
import { follow, type Instance, startInstance } from "../../Federating.ts"
import { freePort, root } from "../../KinoraProcess.ts"
import { RunnerProcess } from "../../RunnerProcess.ts"
import { Rows } from "../Rows.ts"
import { databaseUrl } from "../../EmbeddedServer.ts"
import { Balancer } from "./Balancer.ts"
import { ClusterNode } from "./ClusterNode.ts"
import { PostgresProcess } from "./PostgresProcess.ts"
import { bucketName, settingsOf } from "./Settings.ts"
import { Spawned } from "./Spawned.ts"

const runnerConfig = `concurrency = 1\npoll_seconds = 5\n[media]\nthreads = 1`

export interface StageOptions {
  /** Whether nodes have object storage alone in common, and no folder. */
  readonly apart: boolean
}

interface Parts {
  readonly apart: boolean
  readonly postgres: PostgresProcess
  readonly redis: Spawned | undefined
  readonly s3: Spawned
  readonly s3Proxy: FaultyProxy
  readonly nodes: ReadonlyArray<ClusterNode>
  readonly balancer: Balancer
  readonly runners: ReadonlyArray<RunnerProcess>
  readonly rows: Rows
  readonly peer: Instance
  readonly peerRows: Rows
  /** The cluster as clients see it: its administrator, by way of the balancer. */
  readonly auth: Record<string, string>
}

/**
 * Three nodes of one instance behind a reverse proxy, with a PostgreSQL, a Redis and an S3 server of their own, two runners, and
 * an instance that follows it.
 */
export class ClusterStage {
  readonly parts: Parts
  readonly url: string
  private readonly undo: ReadonlyArray<() => Promise<unknown>>

  private constructor(parts: Parts, undo: ReadonlyArray<() => Promise<unknown>>) {
    this.parts = parts
    this.url = `http://127.0.0.1:${parts.balancer.port}`
    this.undo = undo
  }

  static async create({ apart }: StageOptions): Promise<ClusterStage> {
    const undo: Array<() => Promise<unknown>> = []
    try {
      return new ClusterStage(await build(apart, undo), undo)
    } catch (error) {
      await removeAll(undo)
      throw error
    }
  }

  /** A node that runs. */
  get alive(): ClusterNode {
    return this.parts.nodes.find(({ isDead }) => !isDead)!
  }

  /** All that was said, for those who look for a mistake. */
  get output(): string {
    const said = (name: string, text: string) => `--- ${name}\n${text.slice(-12_000)}\n`
    return [
      ...this.parts.nodes.map(({ process }, nth) => said(`node ${nth + 1}`, process.output)),
      ...this.parts.runners.map((runner) => said(runner.name, runner.output)),
      said("peer", this.parts.peer.node.output)
    ].join("")
  }

  remove(): Promise<void> {
    return removeAll(this.undo)
  }
}

const removeAll = async (undo: ReadonlyArray<() => Promise<unknown>>): Promise<void> => {
  for (const one of undo.toReversed()) {
    await one().catch((error: unknown) => process.stderr.write(`not removed: ${String(error)}\n`))
  }
}

const startStores = async (undo: Array<() => Promise<unknown>>) => {
  const postgres = await PostgresProcess.create()
  undo.push(() => postgres.remove())
  const redisPort = await freePort()
  const hasRedis = spawnSync("redis-server", ["--version"]).status === 0
  const redis = hasRedis
    ? new Spawned(
        "Redis",
        ["redis-server", "--port", String(redisPort), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
        /ready to accept connections/i
      )
    : undefined
  await redis?.start()
  undo.push(async () => await redis?.kill())
  const folder = mkdtempSync(join(tmpdir(), "kinora-s3-"))
  undo.push(async () => rmSync(folder, { recursive: true, force: true }))
  const s3Port = await freePort()
  const program = join(root, "packages/storage/test/support/objects/S3Program.ts")
  const s3 = new Spawned("S3", [process.execPath, program, folder, String(s3Port), bucketName], /listening/)
  await s3.start()
  undo.push(() => s3.kill())
  const scope = Scope.makeUnsafe()
  const s3Proxy = await Effect.runPromise(Scope.provide(makeFaultyProxy(s3Port), scope))
  undo.push(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return {
    postgres,
    redis,
    redisUrl: redis === undefined ? undefined : `redis://127.0.0.1:${redisPort}`,
    s3,
    s3Proxy
  }
}

const build = async (apart: boolean, undo: Array<() => Promise<unknown>>): Promise<Parts> => {
  const { postgres, redis, redisUrl, s3, s3Proxy } = await startStores(undo)
  const publicPort = await freePort()
  const env = settingsOf({ publicPort, redis: redisUrl, endpoint: `http://127.0.0.1:${s3Proxy.port}`, apart })
  const shared = apart ? undefined : mkdtempSync(join(tmpdir(), "kinora-shared-"))
  if (shared !== undefined) undo.push(async () => rmSync(shared, { recursive: true, force: true }))
  const nodes: Array<ClusterNode> = []
  for (let nth = 0; nth < 3; nth++) {
    const node = await ClusterNode.create({
      env: {
        ...env,
        ...(shared === undefined ? {} : { KINORA_DATA_DIR: shared, KINORA_STORAGE_TMP: `tmp-of-${nth + 1}` })
      },
      database: postgres.socket,
      urlBy: (port) => postgres.url(port),
      small: apart && nth === 1,
      clock: nth === 2
    })
    undo.push(() => node.remove())
    nodes.push(node)
    await node.start()
  }
  const balancer = await Balancer.start(
    publicPort,
    nodes.map(({ answersAt }) => answersAt)
  )
  undo.push(() => balancer.close())
  const first = nodes[0]!.process
  const auth = await first.login()
  const runners: Array<RunnerProcess> = []
  for (const name of ["one", "two"]) {
    const runner = new RunnerProcess(name, runnerConfig)
    undo.push(() => runner.remove())
    const registered = await runner.register(first, auth, `http://127.0.0.1:${publicPort}`)
    if (registered.code !== 0) throw new Error(`${name} is not registered: ${registered.err}`)
    await runner.start()
    runners.push(runner)
  }
  const peer = await startInstance()
  undo.push(() => peer.node.remove())
  await follow(peer, { node: first, auth, host: `127.0.0.1:${publicPort}` })
  const [rows, peerRows] = [new Rows(postgres.url()), new Rows(databaseUrl(peer.node.dataDir))]
  undo.push(
    () => rows.close(),
    () => peerRows.close()
  )
  return { apart, postgres, redis, s3, s3Proxy, nodes, balancer, runners, rows, peer, peerRows, auth }
}
