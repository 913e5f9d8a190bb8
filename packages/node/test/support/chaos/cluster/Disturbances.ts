import { rmSync } from "node:fs"
import type { Fault, SeenRequest } from "../../../../../storage/test/support/objects/FaultyProxy.ts"
import { fill } from "../../FullFile.ts"
import type { ClusterNode } from "./ClusterNode.ts"
import type { ClusterStage } from "./ClusterStage.ts"
import { moveBackAndForth } from "./Move.ts"

/** Something that goes wrong, and is mended some time later. */
export interface Disturbance {
  readonly name: string
  /** Seconds until it is mended, at least. */
  readonly lasts: number
  readonly begin: (stage: ClusterStage) => Promise<void> | void
  /** What an operator, or a service manager, does. */
  readonly end: (stage: ClusterStage) => Promise<void> | void
  /** The node that is lost, whose work others take over. */
  readonly lost?: (stage: ClusterStage) => ClusterNode
  /** Seconds after which viewers see nothing of it any more, although it lasts. */
  readonly unseenAfter?: number
  /** Whether nodes have to share their folders. */
  readonly shared?: boolean
  /** Why it cannot be tried here; undefined when it can. */
  readonly impossible?: (stage: ClusterStage) => string | undefined
}

const node = (stage: ClusterStage, nth: number): ClusterNode => stage.parts.nodes[nth]!

const killNode = (nth: number): Disturbance => ({
  name: `node ${nth + 1} is killed`,
  lasts: 15,
  unseenAfter: 5,
  lost: (stage) => node(stage, nth),
  begin: (stage) => node(stage, nth).kill(),
  end: (stage) => node(stage, nth).start()
})

/** Every third request of S3 goes wrong in this way. */
const s3Fails = (name: string, fault: (request: SeenRequest) => Fault | undefined): Disturbance => ({
  name,
  lasts: 15,
  begin: ({ parts }) => {
    let turn = 0
    parts.s3Proxy.fault = (request) => (turn++ % 3 === 0 ? fault(request) : undefined)
  },
  end: ({ parts }) => {
    parts.s3Proxy.fault = () => undefined
  }
})

const moveClock = (name: string, seconds: number): Disturbance => ({
  name,
  lasts: 20,
  unseenAfter: 0,
  impossible: (stage) => (node(stage, 2).hasClock ? undefined : "Debian's faketime is not installed"),
  begin: (stage) => node(stage, 2).moveClock(seconds),
  end: (stage) => node(stage, 2).moveClock(0)
})

const noRedis = (stage: ClusterStage) => (stage.parts.redis === undefined ? "redis-server is not installed" : undefined)

export const disturbances: ReadonlyArray<Disturbance> = [
  killNode(0),
  killNode(1),
  killNode(2),
  {
    // A connection that waits to be taken when a node closes its port is lost.
    name: "nodes restart in turn",
    lasts: 0,
    begin: async (stage) => {
      for (const one of stage.parts.nodes) {
        await one.process.stop()
        await one.start()
      }
    },
    end: () => {}
  },
  {
    name: "a runner is killed",
    lasts: 10,
    unseenAfter: 0,
    begin: async ({ parts }) => void (await parts.runners[0]!.stop("SIGKILL")),
    end: ({ parts }) => parts.runners[0]!.start()
  },
  {
    name: "PostgreSQL is killed",
    lasts: 10,
    begin: ({ parts }) => parts.postgres.stop("SIGKILL"),
    end: ({ parts }) => parts.postgres.start()
  },
  {
    name: "Redis is killed",
    lasts: 10,
    unseenAfter: 0,
    impossible: noRedis,
    begin: async ({ parts }) => await parts.redis?.kill(),
    end: async ({ parts }) => await parts.redis?.start()
  },
  {
    name: "S3 is killed",
    lasts: 10,
    begin: ({ parts }) => parts.s3.kill(),
    end: ({ parts }) => parts.s3.start()
  },
  s3Fails("S3 answers 500", () => ({ kind: "status", status: 500, code: "InternalError" })),
  s3Fails("S3 is slow", () => ({ kind: "slow", millis: 3000 })),
  s3Fails("S3 cuts its answers", ({ method }) =>
    method === "GET" ? { kind: "cut answer", after: 5000 } : { kind: "lost answer" }
  ),
  {
    name: "a node's way to the database is cut",
    lasts: 15,
    begin: (stage) => node(stage, 0).toDatabase.pull(),
    end: (stage) => node(stage, 0).toDatabase.plug()
  },
  {
    name: "a node's way to the database is silent",
    lasts: 20,
    begin: (stage) => node(stage, 0).toDatabase.block(),
    end: (stage) => node(stage, 0).toDatabase.unblock()
  },
  {
    name: "the way to the database is slow",
    lasts: 15,
    begin: ({ parts }) => {
      for (const { toDatabase } of parts.nodes) toDatabase.delay = 50
    },
    end: ({ parts }) => {
      for (const { toDatabase } of parts.nodes) toDatabase.delay = 0
    }
  },
  {
    name: "nodes do not reach each other",
    lasts: 20,
    unseenAfter: 0,
    begin: async ({ parts }) => void (await Promise.all(parts.nodes.map(({ fromOthers }) => fromOthers.pull()))),
    end: async ({ parts }) => void (await Promise.all(parts.nodes.map(({ fromOthers }) => fromOthers.plug())))
  },
  {
    name: "a node's disk is full",
    lasts: 20,
    unseenAfter: 0,
    impossible: (stage) => (node(stage, 1).isSmall ? undefined : "no file system can be mounted here"),
    begin: (stage) => fill(node(stage, 1).ballast),
    end: (stage) => rmSync(node(stage, 1).ballast, { force: true })
  },
  moveClock("a node's clock is an hour ahead", 3600),
  moveClock("a node's clock is an hour behind", -3600),
  {
    name: "everything is killed",
    lasts: 5,
    begin: async ({ parts }) => {
      await Promise.all([
        parts.postgres.stop("SIGKILL"),
        parts.redis?.kill(),
        parts.s3.kill(),
        ...parts.nodes.map((one) => one.kill()),
        ...parts.runners.map((one) => one.stop("SIGKILL"))
      ])
    },
    end: async ({ parts }) => {
      await Promise.all([parts.postgres.start(), parts.redis?.start(), parts.s3.start()])
      await Promise.all(parts.nodes.map((one) => one.start()))
      await Promise.all(parts.runners.map((one) => one.start()))
    }
  },
  {
    name: "files move to disk and back",
    lasts: 0,
    unseenAfter: 0,
    shared: true,
    begin: moveBackAndForth,
    end: () => {}
  }
]
