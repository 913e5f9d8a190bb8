import { kill } from "node:process"
import { until } from "../KinoraProcess.ts"
import type { Stage } from "./Stage.ts"

/** Somebody who dies without a word, and is there again some time later. */
export interface Party {
  readonly name: string
  /** Whether the instance's database has to be behind a cable. */
  readonly external?: boolean
  /** Whether runners are among them. */
  readonly runners?: boolean
  readonly kill: (stage: Stage, runner: number) => Promise<void>
  /** What an operator's service manager does. */
  readonly revive: (stage: Stage, runner: number) => Promise<void>
}

const isAlive = (pid: number): boolean => {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}

const killServer = (stage: Stage) => stage.node.stop("SIGKILL")

const killRunner = (stage: Stage, runner: number) => stage.runners[runner]!.process.stop("SIGKILL")

const killDatabase = async (stage: Stage) => {
  const pid = stage.postmaster()
  kill(pid, "SIGKILL")
  await until("the database to be gone", 60, async () => (isAlive(pid) ? undefined : true))
}

const startRunner = async (stage: Stage, runner: number) => {
  await stage.runners[runner]!.process.start()
}

/** Nobody restarts the database: the instance whose own it is does. */
const databaseAnswers = (stage: Stage) =>
  until("the instance to have its database", 60, async () => {
    const answer = await stage.node.get("/api/v1/videos?sort=-views").catch(() => undefined)
    return answer?.status === 200 ? true : undefined
  })

export const parties: ReadonlyArray<Party> = [
  {
    name: "server",
    kill: async (stage) => void (await killServer(stage)),
    revive: (stage) => stage.node.start()
  },
  {
    name: "runner",
    runners: true,
    kill: async (stage, runner) => void (await killRunner(stage, runner)),
    revive: startRunner
  },
  {
    name: "database",
    kill: killDatabase,
    revive: async (stage) => void (await databaseAnswers(stage))
  },
  {
    name: "connection",
    external: true,
    kill: async (stage) => void (await stage.cable?.pull()),
    revive: async (stage) => {
      await until("the instance to miss its database", 60, async () => {
        const answer = await stage.node.get("/api/v1/videos?sort=-views").catch(() => undefined)
        return answer?.status === 503 ? true : undefined
      })
      await stage.cable?.plug()
      await databaseAnswers(stage)
    }
  },
  {
    name: "everybody",
    runners: true,
    kill: async (stage) => {
      await killDatabase(stage)
      await Promise.all([killServer(stage), killRunner(stage, 0), killRunner(stage, 1)])
    },
    revive: async (stage) => {
      await startRunner(stage, 0)
      await stage.node.start()
      await startRunner(stage, 1)
    }
  }
]
