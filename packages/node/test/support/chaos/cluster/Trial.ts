import { until } from "../../KinoraProcess.ts"
import { examine, type Found } from "./Checks.ts"
import type { ClusterStage } from "./ClusterStage.ts"
import type { Disturbance } from "./Disturbances.ts"
import type { Load } from "./Load.ts"
import { type TakeOver, takenOver } from "./Members.ts"
import type { Trouble } from "./Viewers.ts"

/** Seconds in which viewers may still meet errors after all is mended. */
const recovery = 20

/** How a disturbance went. */
export interface Outcome {
  readonly name: string
  readonly seconds: number
  readonly requests: number
  readonly errors: number
  readonly kinds: Partial<Record<Trouble, number>>
  /** Seconds from the beginning to the last error of a viewer; undefined when there was none. */
  readonly lastError: number | undefined
  readonly takeOver: TakeOver | undefined
  readonly found: Found
  /** All that is wrong, however slow the machine is. */
  readonly faults: ReadonlyArray<string>
  /** What lasted longer than promised, as it may where the machine is busy with other things. */
  readonly late: ReadonlyArray<string>
}

const elapsed = (since: number) => (performance.now() - since) / 1000

/** Waits until an upload is in the middle and a video is being made. */
const inTheMiddle = async (stage: ClusterStage, load: Load) => {
  await until("an upload in the middle while a video is made", 300, async () => {
    const { acknowledged } = load.uploader
    const busy = await stage.parts.rows.ask<{ n: number }>(
      (sql) => sql`select count(*)::int as n from runner_job where state in (1, 2)`
    )
    return acknowledged > 0 && (busy?.[0]?.n ?? 0) > 0 ? true : undefined
  })
}

/** Waits until something new is written and uploaded. */
const goesOn = async (load: Load) => {
  const [uploads, writes, afar] = [load.uploader.done.length, load.writer.acknowledged, load.afar.acknowledged]
  await until("new writes and uploads", 300, async () =>
    load.uploader.done.length > uploads && load.writer.acknowledged > writes && load.afar.acknowledged > afar
      ? true
      : undefined
  )
}

/** Errors of viewers that come when none may. */
const seenTooLong = (disturbance: Disturbance, load: Load, at: { began: number; ended: number; mended: number }) => {
  const faults: Array<string> = []
  const late = load.viewers.between(at.mended + recovery * 1000, performance.now())
  if (late.errors > 0) faults.push(`${late.errors} errors of viewers ${recovery} s after all was mended`)
  if (disturbance.unseenAfter !== undefined) {
    const during = load.viewers.between(at.began + disturbance.unseenAfter * 1000, at.ended)
    if (during.errors > 0) {
      faults.push(
        `${during.errors} errors of viewers later than ${disturbance.unseenAfter} s: ${kindsOf(during.kinds)}`
      )
    }
  }
  return faults
}

/** Answers that viewers may never get. */
const seenWrong = ({ "500": failed, "wrong bytes": wrong }: Outcome["kinds"]): ReadonlyArray<string> => [
  ...(wrong === undefined ? [] : [`${wrong} answers with wrong bytes`]),
  ...(failed === undefined ? [] : [`${failed} answers 500`])
]

/** `12 cut, 3 × 502`. */
export const kindsOf = (kinds: Partial<Record<Trouble, number>>): string =>
  Object.entries(kinds)
    .map(([kind, count]) => (/^\d+$/.test(kind) ? `${count} × ${kind}` : `${count} ${kind}`))
    .join(", ")

/** Disturbs the stage while it is in the middle of everything, mends it, and examines what is there then. */
export const trial = async (
  stage: ClusterStage,
  load: Load,
  disturbance: Disturbance,
  tell: (phase: string) => void = () => {}
): Promise<Outcome> => {
  const before = [...load.uploader.done]
  load.start()
  const late: Array<string> = []
  let [began, ended, mended] = [performance.now(), Infinity, Infinity]
  let takeOver: TakeOver | undefined
  try {
    await inTheMiddle(stage, load)
    began = performance.now()
    tell("begins")
    const lost = disturbance.lost?.(stage)
    await disturbance.begin(stage)
    if (lost !== undefined) {
      takeOver = await takenOver(stage, lost, began)
      tell(`taken over: shards after ${takeOver.shards.toFixed(1)} s, jobs after ${takeOver.jobs.toFixed(1)} s`)
      if (takeOver.shards > 15) late.push(`shards were taken over after ${takeOver.shards.toFixed(1)} s`)
      if (takeOver.jobs > 20) late.push(`jobs were taken over after ${takeOver.jobs.toFixed(1)} s`)
    }
    // It lasts for so long: nothing is waited for.
    await new Promise((next) => setTimeout(next, Math.max(0, (disturbance.lasts - elapsed(began)) * 1000)))
    ended = performance.now()
    await disturbance.end(stage)
    mended = performance.now()
    tell("mended")
    await goesOn(load)
    tell("goes on")
  } finally {
    await load.pause()
  }
  const found = await examine(stage, load, before)
  tell("examined")
  const { errors, kinds, last, requests } = load.viewers.between(began, performance.now())
  return {
    name: disturbance.name,
    seconds: elapsed(began),
    ...{ requests, errors, kinds },
    lastError: last === undefined ? undefined : (last - began) / 1000,
    takeOver,
    found,
    faults: [...seenWrong(kinds), ...found.lost, ...found.files, ...found.twice, ...found.other],
    late: [...late, ...seenTooLong(disturbance, load, { began, ended, mended })]
  }
}
