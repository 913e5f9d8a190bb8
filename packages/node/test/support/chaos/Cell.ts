import { uploadMultipart, type CreatedVideo } from "../Uploads.ts"
import { type Counts, type End, endOf } from "./Ends.ts"
import type { Party } from "./Parties.ts"
import { heights, type Stage } from "./Stage.ts"
import type { Scene, Step } from "./Steps.ts"

/** Uploads a clip that is shown once its ladder is whole. */
export const uploadClip = async (stage: Stage, clip: string, name: string): Promise<Scene> => {
  const answer = await uploadMultipart(stage.node, stage.auth, clip, { name, privacy: "1", waitTranscoding: "true" })
  if (answer.status !== 200) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
  return { stage, video: ((await answer.json()) as { video: CreatedVideo }).video }
}

/** A ladder in which nobody dies: gives the rows that it makes. */
export const undisturbed = async (stage: Stage, clip: string): Promise<Counts> => {
  const scene = await uploadClip(stage, clip, "nobody dies")
  const { counts, faults } = await endOf(scene, undefined)
  if (faults.length > 0) throw new Error(`${heights.length} renditions undisturbed: ${faults.join("; ")}`)
  return counts
}

/** What is tried. `tell` hears how far it is. */
export interface Cell {
  readonly clip: string
  readonly party: Party
  readonly step: Step
  /** Rows of a video that nobody disturbed, where they are known. */
  readonly usual: Counts | undefined
  readonly tell?: (phase: string) => void
}

/**
 * Kills the party at the step of a fresh video, starts it again, and waits for the end; gives what is wrong then. A video
 * that had passed the step when the party died is no trial of it: that is said too.
 */
export const runCell = async (stage: Stage, { clip, party, step, tell = () => {}, usual }: Cell): Promise<End> => {
  if (step.hold !== undefined) for (const { gate } of stage.runners) gate.stop(step.hold)
  try {
    const scene = await uploadClip(stage, clip, `${party.name} dies: ${step.name}`)
    tell("uploaded")
    const { lock, passed, runner } = await step.reach(scene)
    tell("reached")
    await party.kill(stage, runner)
    const late = (await passed?.()) === true ? ["the step had passed"] : []
    stage.release()
    await lock?.release()
    tell("killed")
    await party.revive(stage, runner)
    tell("started again")
    const { counts, faults } = await endOf(scene, usual)
    tell("at its end")
    return { counts, faults: [...late, ...faults] }
  } finally {
    stage.release()
  }
}
