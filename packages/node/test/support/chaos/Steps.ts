import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { until } from "../KinoraProcess.ts"
import type { CreatedVideo } from "../Uploads.ts"
import { encodersBelow, halt, type Held } from "./Encoders.ts"
import type { Hold } from "./Gate.ts"
import type { Stage } from "./Stage.ts"

/** A video on its way, and where. */
export interface Scene {
  readonly stage: Stage
  readonly video: CreatedVideo
}

/** A step that lasts now: whom it is about, what keeps it from passing, and whether it has passed. */
export interface Reached {
  /** Index of the runner that is at it; the first where none is. */
  readonly runner: number
  readonly lock?: Held
  /** Of a step that nothing keeps from passing: whether it has. */
  readonly passed?: () => Promise<boolean>
}

export interface Step {
  readonly name: string
  /** Whether it is there too when the instance makes the ladder itself. */
  readonly alone?: boolean
  /** What is held from before the upload on. */
  readonly hold?: Hold
  /** Waits until the step lasts. */
  readonly reach: (scene: Scene) => Promise<Reached>
}

const seconds = 90

const sizeOf = (path: string): number => {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

const namesIn = (path: string): ReadonlyArray<string> => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

const results = ({ stage }: Scene) => join(stage.node.dataDir, "tmp-persistent/runner-results")

const isSheet = (type: string) => type === "generate-video-storyboard"

/** Waits for a runner that is held at its gate with a rendition in the state, and for whatever else has to be. */
const held = async (
  scene: Scene,
  state: number,
  also: (uuid: string, runner: number) => boolean = () => true
): Promise<Reached> =>
  await until(`a runner to be held in state ${state}`, seconds, async () => {
    const jobs = (await scene.stage.rows.jobs(scene.video.id)) ?? []
    for (const [runner, { gate }] of scene.stage.runners.entries()) {
      for (const uuid of gate.held) {
        const job = jobs.find((one) => one.uuid === uuid && one.state === state && !isSheet(one.type))
        if (job !== undefined && also(job.uuid, runner)) return { runner }
        // A sheet is not what is waited for: its exchange goes on.
        if (jobs.some((one) => one.uuid === uuid && isSheet(one.type))) gate.letGo(uuid)
      }
    }
    return undefined
  })

/** Whether every runner job of the video has ended, and a worker puts the ladder together. */
const gathering = async ({ stage, video }: Scene) => {
  const [ladder, jobs] = await Promise.all([stage.rows.ladder(video.id), stage.rows.jobs(video.id)])
  const over = jobs !== undefined && jobs.length > 0 && jobs.every(({ state }) => ![1, 2, 5, 9].includes(state))
  return ladder?.state === "active" && ladder.given && over ? ladder : undefined
}

/** Steps of a video's way through runners, in their order. */
export const steps: ReadonlyArray<Step> = [
  {
    name: "pending",
    hold: { errand: "request", moment: "before" },
    reach: async ({ stage, video }) =>
      await until("the jobs to wait", seconds, async () => {
        const jobs = (await stage.rows.jobs(video.id)) ?? []
        return jobs.length > 0 && jobs.every(({ state }) => state === 1) ? { runner: 0 } : undefined
      })
  },
  {
    // The server has given the job away, and the runner does not know.
    name: "accepting",
    hold: { errand: "accept", moment: "before the answer" },
    reach: (scene) => held(scene, 2)
  },
  { name: "accepted", hold: { errand: "input", moment: "before" }, reach: (scene) => held(scene, 2) },
  {
    name: "downloading",
    hold: { errand: "input", moment: "in the answer" },
    reach: (scene) =>
      held(scene, 2, (uuid, runner) => {
        const own = join(scene.stage.runners[runner]!.process.folder, "state/work", uuid)
        return namesIn(own).some((name) => name !== "job.json" && sizeOf(join(own, name)) > 0)
      })
  },
  {
    name: "encoding",
    alone: true,
    reach: async ({ stage }) =>
      await until("a rendition to be in the middle", seconds, async () => {
        const folders = [...stage.runners.map(({ process }) => join(process.folder, "state/work")), stage.node.dataDir]
        for (const [runner, folder] of folders.entries()) {
          const [encoder] = encodersBelow(folder, "libx264")
          // Nobody tells whom to kill in the moments that a short clip takes: the encoder waits for it.
          if (encoder !== undefined) return { runner, lock: halt(encoder) }
        }
        return undefined
      })
  },
  {
    name: "uploading",
    hold: { errand: "result", moment: "in the body" },
    reach: (scene) =>
      held(scene, 2, () => {
        const arriving = namesIn(results(scene)).filter((name) => name.startsWith("arriving-"))
        return arriving.some((name) =>
          namesIn(join(results(scene), name)).some((file) => sizeOf(join(results(scene), name, file)) > 0)
        )
      })
  },
  {
    // The result is whole, and the transaction that says so waits for the ladder's row.
    name: "completing",
    hold: { errand: "result", moment: "in the body" },
    reach: async (scene) => {
      const { runner } = await held(scene, 2)
      const { rows } = scene.stage
      const lock = await rows.hold("job", (await rows.ladder(scene.video.id))!.id)
      scene.stage.release()
      await until("a result to be whole", seconds, async () =>
        namesIn(results(scene)).some((name) => !name.startsWith("arriving-")) && (await rows.someoneWaits())
          ? true
          : undefined
      )
      return { runner, lock }
    }
  },
  {
    // The job has ended, and the runner does not know.
    name: "completed",
    hold: { errand: "result", moment: "before the answer" },
    reach: (scene) => held(scene, 3)
  },
  {
    name: "joining",
    alone: true,
    reach: async (scene) => {
      const folder = join(scene.stage.node.dataDir, "tmp/processing")
      await until("the ladder to be joined", seconds, async () => {
        const ladder = await gathering(scene)
        const own = namesIn(folder).find((name) => ladder !== undefined && name.startsWith(ladder.uuid))
        return own !== undefined && namesIn(join(folder, own)).length > 0 ? true : undefined
      })
      const passed = async () => (await scene.stage.rows.ladder(scene.video.id))?.state === "completed"
      return { runner: 0, passed }
    }
  },
  {
    // Everything is stored, and the transaction that puts it in use waits for the video's row.
    name: "publishing",
    alone: true,
    reach: async (scene) => {
      const { rows } = scene.stage
      await until("the jobs to be given out", seconds, async () =>
        ((await rows.jobs(scene.video.id)) ?? []).length > 0 ? true : undefined
      )
      const lock = await rows.hold("video", scene.video.id)
      await until("the ladder to be put in use", seconds, async () =>
        (await gathering(scene)) !== undefined && (await rows.someoneWaits()) ? true : undefined
      )
      return { runner: 0, lock }
    }
  }
]
